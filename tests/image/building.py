"""Shared helpers of the image's tests: its folder, and the parts of its build program under
test."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Final

ROOT: Final = Path(__file__).parents[2]
IMAGE: Final = ROOT / "packaging" / "image"
BUILT: Final = ROOT / "dist" / "image"


def load_inventory() -> ModuleType:
    """The module packaging/image/inventory.py, which is in no package."""
    spec = importlib.util.spec_from_file_location("image_inventory", IMAGE / "inventory.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    kept, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        spec.loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = kept
    return module
