"""The drivers: one module per device, found by its name. Each implements ports from
`boardctl.drivers.ports`.

Each module declares `PARTS` (the configuration tables that may name the driver), a frozen class
`Options` (the keys of such a table) and `open_ports(options, wires)`, which opens one or more ports
on the given wires. Drivers do not know the rules of any game.
"""
