"""Everything that ships is listed in docs/licences.md, with a licence compatible with MIT."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, metadata

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools import licences

LISTED = {
    name: (terms, section)
    for section, text in re.findall(
        r"^## (.+?)\n(.*?)(?=^## |\Z)", licences.PAGE.read_text("utf-8"), re.M | re.S
    )
    for terms, names in re.findall(r"^\| ([\w. -]+) \| ([a-z0-9, -]+) \|$", text, re.M)
    for name in names.split(", ")
    if terms != "licence"
}
"""The licence of each listed package, and the heading above it."""

LISTED_FOR = {"python_version": "3.11", "python_full_version": "3.11.0"}


def locked(lock: str) -> list[str]:
    """Return the packages of a lock file that are for this machine and for Python 3.11, whose
    packages docs/licences.md lists."""
    lines = (licences.ROOT / f"requirements-{lock}.lock").read_text("utf-8").splitlines()
    wanted = [Requirement(line.rstrip(" \\")) for line in lines if re.match(r"[\w.-]+==", line)]
    return [
        canonicalize_name(one.name)
        for one in wanted
        if one.marker is None or one.marker.evaluate(LISTED_FOR)
    ]


def is_installed(package: str) -> bool:
    try:
        metadata(package)
    except PackageNotFoundError:
        return False
    return True


@pytest.mark.parametrize("lock", ["deb", "pi"])
def test_every_package_is_listed(lock: str) -> None:
    assert set(locked(lock)) <= set(LISTED)


def test_every_package_of_developers_states_its_licence() -> None:
    stated = [name for name in locked("dev") if is_installed(name) and licences.licence(name)]
    assert len(stated) > 50


def test_what_ships_is_compatible() -> None:
    shipped = {name: terms for name, (terms, section) in LISTED.items() if section == "What ships"}
    assert set(locked("deb")) | set(locked("pi")) <= set(shipped)
    assert len(shipped) > 20
    assert not {name: terms for name, terms in shipped.items() if not licences.is_compatible(terms)}


def test_what_is_installed_tells_the_same() -> None:
    installed = [name for name in LISTED if is_installed(name)]
    assert set(locked("deb")) <= set(installed)
    assert {name: licences.licence(name) for name in installed} == {
        name: LISTED[name][0] for name in installed
    }


def test_what_a_hub_imports_is_compatible() -> None:
    imported = {
        name: terms
        for name, (terms, section) in LISTED.items()
        if section == "What a club's hub installs"
    }
    assert {"sqlalchemy", "psycopg"} <= set(imported)
    assert not {
        name: terms
        for name, terms in imported.items()
        if not licences.is_compatible(terms, licences.IMPORTED)
    }


@pytest.mark.parametrize(
    ("expression", "compatible"),
    [
        ("MIT", True),
        ("EPL-2.0 OR BSD-3-Clause", True),
        ("MIT AND (Apache-2.0 OR BSD-2-Clause)", True),
        ("MIT AND GPL-3.0-only", False),
        ("MPL-2.0", False),
        ("LGPL-2.1-or-later OR GPL-2.0-only", False),
        ("Proprietary", False),
    ],
)
def test_an_expression_is_judged(expression: str, compatible: bool) -> None:
    assert licences.is_compatible(expression) is compatible
