"""The programs of a board: daemon, config, watchdog, night mode and simulation, and the one-time
tools: setup wizard, doctor, self-test and service.

The tools take a description of the machine as an argument, so that tests can pass any machine.
"""
