"""Drivers: one device per file, found by file name, which implement the ports of
`boardctl.drivers.ports`.

Each module declares its `PARTS` (the configuration tables that may name the driver), a frozen
`Options` (the keys of such a table) and `open_ports(options, wires)`, which opens one or more ports
on the given wires. Drivers do not know the rules of any game.
"""
