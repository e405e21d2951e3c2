"""Measurements of the board's hearing: everyday phrases and talk not meant for it, by many
voices."""
