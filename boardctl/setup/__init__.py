"""What one runs once: the wizard, the doctor, the self-test and the service.

Each is a function of a machine that is handed in, so that it is tested on machines that are not
here. Called by the commands of the same names.
"""
