"""Storage on disk: the journal of accepted moves, its repair and its backups."""
