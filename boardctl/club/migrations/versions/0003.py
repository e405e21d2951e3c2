"""The cost of players' decisions in games with known cards, which separates skill from luck."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "judged",
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("decisions", sa.Integer(), nullable=False),
        sa.Column("loss", sa.Float(), nullable=False),
        sa.Column("squares", sa.Float(), nullable=False),
        sa.Column("luck", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("fk_judged_person")),
        sa.PrimaryKeyConstraint("person", "game", name=op.f("pk_judged")),
    )
