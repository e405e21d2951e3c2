"""A missing part skips a test with the reason, or fails it with `CI=true`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import parts


@pytest.fixture(autouse=True)
def _gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(parts.PARTS, "gone", parts.command("no-such-program", "no-such-package"))
    monkeypatch.setitem(parts.PARTS, "here", parts.command("sh"))


def test_what_is_there_lets_the_test_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    parts.need("here")


def test_what_is_missing_skips_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="no-such-package"):
        parts.need("here", "gone")


def test_the_end_of_a_run_says_how_many_tests_wait_for_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setitem(parts.PARTS, "other", parts.Part("npm", lambda: False, builds="thing"))
    reasons = ["a root file system of its own needs root"]
    for names in (("gone", "other"), ("gone",), ("here", "gone")):
        with pytest.raises(pytest.skip.Exception) as skipped:
            parts.need(*names)
        reasons.append(f"Skipped: {skipped.value}")
    assert list(parts.summary(reasons)) == [
        "3 tests were skipped because parts are missing:",
        "     3  no-such-package",
        "     1  thing (npm)",
        "`make system` installs them (with apt and npm, as root or by sudo).",
    ]
    assert list(parts.summary(reasons[:1])) == []


def test_in_ci_it_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="no-such-package"):
        parts.need("gone")


def test_every_package_is_installed_by_the_script() -> None:
    listed = {
        line.split("#")[0].strip()
        for name in ("system-packages.txt", "board-packages.txt", "pi-packages.txt")
        for line in (Path(__file__).parent / name).read_text("utf-8").splitlines()
    }
    toolchain = {"gcc", "make"}  # a machine that runs the Makefile has these
    wanted = {part.package for name, part in parts.PARTS.items() if name not in ("gone", "here")}
    assert wanted - toolchain <= listed
