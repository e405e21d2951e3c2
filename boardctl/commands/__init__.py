"""The commands of `boardctl`, one file each, loaded only when used.

Each file declares `command`, a click command or group with the file's name.
"""
