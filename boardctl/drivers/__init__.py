"""Drivers: one device per file, found by file name, behind the ports of `boardctl.drivers.ports`.

Each module declares its `PARTS` (the tables of the config that may name it), a frozen `Options`
(the keys of such a table) and `open_ports(options, wires)`, which opens one or more ports on the
given wires. Drivers know no rules of play.
"""
