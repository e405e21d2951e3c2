"""Alembic's environment, which runs the migrations on the connection that `database` passes."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
