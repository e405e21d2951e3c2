"""Commands of the command line, one file each, found by its name."""
