"""A circuit board from one layout file: a KiCad project that a fabricator makes and populates.

`footprints` defines the parts and their pads, `design` represents a board, `panels` and `placing`
place the parts, `router` routes the wires, and `kicad` writes the project. `fabrication` runs KiCad
to fill the planes, check the design rules and plot. `orders` writes the other files that a
fabricator needs. A running board does not import this package.
"""
