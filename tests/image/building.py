"""What the image's tests share: its folder and its build program as a module."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Final

ROOT: Final = Path(__file__).parents[2]
IMAGE: Final = ROOT / "packaging" / "image"
BUILT: Final = ROOT / "dist" / "image"


def load_build() -> ModuleType:
    """packaging/image/build, which has no .py at its end."""
    loader = importlib.machinery.SourceFileLoader("image_build", str(IMAGE / "build"))
    spec = importlib.util.spec_from_loader("image_build", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    kept, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = kept
    return module
