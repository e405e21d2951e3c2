"""Alembic's entry: runs the revisions on the connection that `database` gives it."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
