"""Storage on disk: the journal of accepted moves, its repair, its backups."""
