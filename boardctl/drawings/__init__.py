"""Drawings from one layout file: template, wiring picture, key labels, parts list.

This package draws the `Layout`, which is also used for lighting the board, at full scale for
`boardctl draw`. A running board does not import this package. ezdxf writes DXF, and reportlab
writes PDF (the extra `drawings`). The standard library's ElementTree writes SVG, and librsvg
converts SVG to PNG.
"""
