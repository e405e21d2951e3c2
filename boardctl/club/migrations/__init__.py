"""Alembic migrations of a club's store, starting from the SQLite file of version 1."""
