"""Measurements of the board's speech recognition: many voices say everyday phrases, and talk that
is not meant for the board."""
