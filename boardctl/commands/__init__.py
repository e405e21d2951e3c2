"""The commands of `boardctl`, one file each, loaded only when used.

Each file declares `command`, a click command or group of its own name.
"""
