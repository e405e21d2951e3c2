"""Alembic's revisions of a club's store, from the SQLite file of the first version on."""
