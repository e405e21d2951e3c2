"""Drawings from one layout file: template, wiring picture, key labels, parts list.

The same `Layout` that lights the board is drawn here, in true millimetres. Nothing in this room
is imported by a running board; `boardctl draw` is its door. DXF is written by ezdxf and PDF by
reportlab (the extra `drawings`), SVG by the standard library's ElementTree:
what is drawn is circles, polylines and words, for which a library would add a dependency and
nothing else.
"""
