"""The programs that make up a board: daemon, configuration, watchdog, night mode, simulation, and
the set-up tools (wizard, doctor, self-test and service).

The tools take a description of the machine as an argument, so that tests can pass any machine.
"""
