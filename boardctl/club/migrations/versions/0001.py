"""The tables of the SQLite file before the first migration. Existing tables are kept."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    here = set(sa.inspect(op.get_bind()).get_table_names())

    def table(name: str, *columns: sa.Column[object]) -> None:
        if name not in here:
            op.create_table(name, *columns)

    table(
        "evening",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("rounds", sa.Integer, nullable=False),
    )
    table(
        "player",
        sa.Column("evening", sa.Integer, primary_key=True),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, primary_key=True),
    )
    table(
        "meeting",
        sa.Column("evening", sa.Integer, primary_key=True),
        sa.Column("round", sa.Integer, primary_key=True),
        sa.Column("place", sa.Integer, primary_key=True),
        sa.Column("one", sa.Text, nullable=False),
        sa.Column("two", sa.Text, nullable=False),
    )
    table(
        "entry",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("evening", sa.Integer, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("winner", sa.Text, nullable=False),
        sa.Column("spread", sa.Integer, nullable=False),
        sa.Column("skunk", sa.Integer, nullable=False),
        sa.Column("said", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    table(
        "game",
        sa.Column("board", sa.Text, primary_key=True),
        sa.Column("game", sa.Text, primary_key=True),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("result", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    table(
        "member",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("salt", sa.LargeBinary, nullable=False),
        sa.Column("hashed", sa.LargeBinary, nullable=False),
        sa.Column("wrong", sa.Integer, nullable=False),
    )
