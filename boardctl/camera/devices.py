"""Take one picture from a V4L2 device, or from a Raspberry Pi camera."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import cv2
import numpy as np

from boardctl.camera.photo import Photo, PhotoError

PI: Final = "picamera"
_WARM_UP: Final = 8
"""The number of pictures discarded while the camera adjusts its exposure."""


def take(device: str) -> Photo:
    """Take one picture with `picamera` or with a device such as /dev/video0.

    Raises:
        PhotoError: if there is no such camera, or it gives no picture.
    """
    return _with_pi() if device == PI else _with_v4l2(device)


def _with_v4l2(device: str) -> Photo:
    if not Path(device).exists():
        raise PhotoError("no-camera", device, pi=PI)
    camera = cv2.VideoCapture(device, cv2.CAP_V4L2)
    try:
        camera.set(cv2.CAP_PROP_FRAME_WIDTH, 1920)
        camera.set(cv2.CAP_PROP_FRAME_HEIGHT, 1080)
        for _ in range(_WARM_UP):
            camera.grab()
        taken, image = camera.read()
    finally:
        camera.release()
    if not taken:
        raise PhotoError("no-picture", device)
    return Photo(np.asarray(image, np.uint8), 1.0)


def _with_pi() -> Photo:
    try:
        from picamera2 import Picamera2  # Debian's python3-picamera2; not on PyPI for every machine
    except ImportError:
        raise PhotoError("no-picamera") from None
    try:
        camera = Picamera2()
        camera.configure(
            camera.create_still_configuration(main={"size": (1640, 1232), "format": "RGB888"})
        )
        camera.start()
        try:
            image = camera.capture_array()  # RGB888 is stored blue first, as OpenCV expects
        finally:
            camera.stop()
            camera.close()
    except (RuntimeError, IndexError) as error:
        raise PhotoError("no-picture-why", PI, reason=error) from None
    return Photo(np.asarray(image, np.uint8), 1.0)
