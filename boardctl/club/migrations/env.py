"""Alembic's environment: runs the migrations on the connection passed by `database`."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
