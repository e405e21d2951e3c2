"""Drawings of the board as a feature: commands only."""

from __future__ import annotations

from boardctl.features import Feature

FEATURE = Feature(name="drawings")
