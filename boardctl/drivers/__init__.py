"""Drivers: one device a file, found by its file's name, behind the ports of
`boardctl.drivers.ports`.

Each module declares its `PARTS` (the tables of the config that may name it), a frozen `Options`
(the keys of such a table) and `open_ports(options, wires)`, which opens one or more ports on the
wires it is given. Drivers know no rules.
"""
