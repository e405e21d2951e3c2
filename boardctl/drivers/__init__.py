"""The drivers: one file per device, found by its name, which implements ports of
`boardctl.drivers.ports`.

Each module declares its `PARTS` (the configuration tables that may name the driver), a frozen
`Options` (the keys of such a table) and `open_ports(options, wires)`, which opens one or more ports
on the given wires. Drivers do not know the rules of any game.
"""
