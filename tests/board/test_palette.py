"""The sides' colours are distinguishable for every kind of colour vision.

Protanopia and deuteranopia by Viénot, Brettel and Mollon (1999), "Digital video colourmaps for
checking the legibility of displays by dichromats"; all three by Machado, Oliveira and Fernandes
(2009), "A physiologically-based model for simulation of color vision deficiency", severity 1.0.
Both work on linear light, as do LED values. Distances are CIELAB (CIE 1976); about 2 is just
noticeable, and ten times that is visible at a glance.
"""

from __future__ import annotations

from itertools import combinations, pairwise
from math import dist

import pytest

from boardctl.board.palette import (
    BACK,
    DARKEST,
    FAINT,
    FRONT,
    PREVIEW,
    SIDES,
    Colour,
)
from boardctl.board.render import scaled

Matrix = tuple[tuple[float, float, float], ...]
VISIONS: dict[str, Matrix] = {
    "trichromat": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanope, Viénot": (
        (0.11238, 0.88762, 0),
        (0.11238, 0.88762, 0),
        (0.00401, -0.00401, 1),
    ),
    "deuteranope, Viénot": (
        (0.29275, 0.70725, 0),
        (0.29275, 0.70725, 0),
        (-0.02234, 0.02234, 1),
    ),
    "protanope, Machado": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranope, Machado": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanope, Machado": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
LEAST = 50.0


def seen(colour: Colour, vision: Matrix) -> tuple[float, float, float]:
    """Return the CIELAB values of linear sRGB light as this eye sees it (white D65)."""
    light = [c / 255 for c in colour]
    red, green, blue = (
        min(1.0, max(0.0, sum(m * c for m, c in zip(row, light, strict=True)))) for row in vision
    )
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089

    def f(t: float) -> float:
        return t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116

    return 116 * f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))


@pytest.mark.parametrize("vision", VISIONS)
def test_sides_are_far_apart(vision: str) -> None:
    matrix = VISIONS[vision]
    for one, other in combinations(SIDES, 2):
        assert dist(seen(one, matrix), seen(other, matrix)) >= LEAST, (one, other)


def test_red_and_green_of_one_lightness_would_not_do() -> None:
    red, green = Colour(150, 0, 0), Colour(0, 40, 0)
    apart = (dist(seen(red, m), seen(green, m)) for m in VISIONS.values())
    assert min(apart) < LEAST


@pytest.mark.parametrize("brightness", [DARKEST, 0.3, 1.0])
def test_levels_stay_apart_however_dark(brightness: float) -> None:
    for colour in SIDES:
        levels = [scaled(colour, n * brightness) for n in (FRONT, PREVIEW, BACK, FAINT)]
        lights = [max(level) for level in levels]
        assert lights == sorted(lights, reverse=True)
        assert all(one >= 2 * other for one, other in pairwise(lights))
