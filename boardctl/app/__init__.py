"""What runs a board: daemon, config, watchdog, night mode, simulation, and what is run once: the
setup wizard, doctor, self-test and service.

Each of those is a function of a machine that is handed in, so that it can be tested on machines
that are not there.
"""
