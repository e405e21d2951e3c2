"""The commands of this feature. The name of each file is the name of its command."""
