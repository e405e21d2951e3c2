"""Alembic migrations of a club's store, starting with the SQLite file of version 1."""
