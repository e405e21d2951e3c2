"""Commands of the command line, one file per command. The file name is the command name."""
