"""Games, drivers, commands and sentences are found by the names of their modules."""

from __future__ import annotations

from pathlib import Path

from boardctl import modules


def test_sources_and_compiled_modules_are_found(tmp_path: Path) -> None:
    for name in ("plain.py", "compiled.pyc", "__init__.py", "notes.txt", "table.toml"):
        (tmp_path / name).touch()
    for name in ("package/__init__.py", "packed/__init__.pyc", "__pycache__/plain.cpython-311.pyc"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).touch()
    (tmp_path / "folder").mkdir()
    assert modules.names([str(tmp_path)]) == ["compiled", "package", "packed", "plain"]
    assert modules.names([str(tmp_path / "none")]) == []
