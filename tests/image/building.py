"""Shared helpers of the image's tests: its folder, and the parts of its build program under
test."""

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


def load_program(name: str) -> ModuleType:
    """Load a program of the card, /usr/lib/boardctl-card/NAME, as a module."""
    path = IMAGE / "files/usr/lib/boardctl-card" / name
    loader = importlib.machinery.SourceFileLoader(f"card_{name}", str(path))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    kept, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = kept
    return module


def load_build() -> ModuleType:
    """Load packaging/image/build, the program of `make image`, which imports its neighbours."""
    loader = importlib.machinery.SourceFileLoader("image_build", str(IMAGE / "build"))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    kept, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    sys.path.insert(0, str(IMAGE))
    try:
        loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = kept
        sys.path.remove(str(IMAGE))
    return module


def load_part(name: str) -> ModuleType:
    """Load a module of packaging/image, which is not a package."""
    spec = importlib.util.spec_from_file_location(f"image_{name}", IMAGE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    kept, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        spec.loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = kept
    return module
