"""Drivers: one device a file, found by its file's name, behind the ports of
`boardctl.drivers.ports`.

Each module declares a frozen `Options` (what the config may say of it) and
`open_ports(options, wires)`, which opens one or more ports on the wires it is given. Drivers know
no rules.
"""
