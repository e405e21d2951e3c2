"""A circuit board from one layout file: a KiCad project that a fabricator makes and populates.

`footprints` are the parts and their pads, `design` places them and names the nets, `router` finds
ways for the wires, `kicad` writes the project, `fabrication` has KiCad fill the planes, check the
design rules and plot, `orders` makes what a fabricator asks for beside the Gerbers. Nothing here
is imported by a running board.
"""
