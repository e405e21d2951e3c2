"""Club evenings as a feature: commands only, never part of a board."""

from __future__ import annotations

from boardctl.features import Feature

FEATURE = Feature(name="club")
