"""Drawings from one layout file: template, wiring picture, key labels, parts list.

The `Layout` that lights the board is drawn here at full scale, for `boardctl draw`. A running board
does not import this package. DXF is written by ezdxf and PDF by reportlab (the extra `drawings`),
SVG by the standard library's ElementTree, which suffices for circles, polylines and text, and PNG
is made from SVG by librsvg.
"""
