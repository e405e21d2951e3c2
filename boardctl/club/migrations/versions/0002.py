"""The tables of a league: clubs, seasons, people with one identity, boards assigned to tables,
stored sums.

The content of an older file is assigned to one club and one season. Players with the same name,
ignoring case, become one person, whose PIN remains valid.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

OLD = ("evening", "player", "meeting", "entry", "game", "member")


def upgrade() -> None:
    connection = op.get_bind()
    old = {
        name: [dict(row) for row in connection.execute(sa.text(f"SELECT * FROM {name}")).mappings()]
        for name in OLD
    }
    for name in OLD:
        op.drop_table(name)
    _create()
    new = sa.MetaData()
    new.reflect(connection)
    for name, rows in _converted(old).items():
        if rows:
            connection.execute(new.tables[name].insert(), rows)


def _converted(old: dict[str, list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of the new tables without the sums, which `store` computes when it opens the
    file."""
    names = {row["name"].casefold(): row["name"] for row in old["member"]}
    names |= {row["name"].casefold(): row["name"] for row in old["player"]}
    ids = {key: number for number, key in enumerate(names, 1)}
    pins = {row["name"]: row for row in old["member"]}
    pairs = {(m["evening"], m["round"], m["place"]): m for m in old["meeting"]}

    def person(name: str) -> int:
        return ids[name.casefold()]

    def entered(row: dict[str, Any]) -> dict[str, Any]:
        winner = person(row["winner"]) if row["winner"] else None
        kept = {key: row[key] for key in ("number", "evening", "round", "place", "spread", "at")}
        return {**kept, "winner": winner, "skunk": bool(row["skunk"]), "source": row["said"]}

    places = {row["said"]: (row["evening"], row["round"], row["place"]) for row in old["entry"]}

    def sent(row: dict[str, Any]) -> dict[str, Any]:
        at = places.get(f"{row['board']} {row['game']}", (None, None, None))
        where = dict(zip(("evening", "round", "place"), at, strict=True))
        return {**row, **where, "open": True}

    return {
        "club": [{"name": "club"}],
        "season": [{"name": "season"}],
        "person": [
            {
                "id": ids[key],
                "name": name,
                "salt": pins[key]["salt"] if key in pins else None,
                "hashed": pins[key]["hashed"] if key in pins else None,
                "wrong": pins[key]["wrong"] if key in pins else 0,
                "since": 0.0,
            }
            for key, name in names.items()
        ],
        "membership": [{"club": 1, "person": ids[key], "key": key, "since": 0.0} for key in names],
        "evening": [
            {**row, "club": 1, "season": 1, "kind": "evening", "at": 0.0, "code": ""}
            for row in old["evening"]
        ],
        "player": [{**row, "person": person(row["name"])} for row in old["player"]],
        "meeting": [
            {
                **{key: row[key] for key in ("evening", "round", "place")},
                "one": person(row["one"]),
                "two": person(row["two"]) if row["two"] else None,
                "pair": "\n".join(sorted((row["one"].casefold(), row["two"].casefold()))),
            }
            for row in pairs.values()
        ],
        "entry": [entered(row) for row in old["entry"]],
        "game": [sent(row) for row in old["game"]],
    }


def _create() -> None:
    op.create_table(
        "club",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_club")),
        sa.UniqueConstraint("name", name=op.f("uq_club_name")),
    )
    op.create_table(
        "person",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("salt", sa.LargeBinary(), nullable=True),
        sa.Column("hashed", sa.LargeBinary(), nullable=True),
        sa.Column("wrong", sa.Integer(), server_default="0", nullable=False),
        sa.Column("since", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_person")),
    )
    op.create_table(
        "season",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_season")),
        sa.UniqueConstraint("name", name=op.f("uq_season_name")),
    )
    op.create_table(
        "board",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("club", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["club"], ["club.id"], name=op.f("fk_board_club")),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_board")),
        sa.UniqueConstraint("club", "place", name=op.f("uq_board_club_place")),
    )
    op.create_table(
        "evening",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("club", sa.Integer(), nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("source", sa.Integer(), nullable=True),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["club"], ["club.id"], name=op.f("fk_evening_club")),
        sa.ForeignKeyConstraint(["season"], ["season.id"], name=op.f("fk_evening_season")),
        sa.ForeignKeyConstraint(["source"], ["evening.number"], name=op.f("fk_evening_source")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_evening")),
    )
    op.create_index("ix_evening_club_season", "evening", ["club", "season", "number"], unique=False)
    op.create_table(
        "membership",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("club", sa.Integer(), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("since", sa.Float(), nullable=False),
        sa.Column("until", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(["club"], ["club.id"], name=op.f("fk_membership_club")),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("fk_membership_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_membership")),
    )
    op.create_index(op.f("ix_membership_person"), "membership", ["person"], unique=False)
    op.create_index(
        "uq_membership_current",
        "membership",
        ["club", "key"],
        unique=True,
        sqlite_where=sa.text("until IS NULL"),
        postgresql_where=sa.text("until IS NULL"),
    )
    op.create_table(
        "rating",
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("value", sa.Float(), nullable=False),
        sa.Column("deviation", sa.Float(), nullable=False),
        sa.Column("volatility", sa.Float(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("fk_rating_person")),
        sa.PrimaryKeyConstraint("person", name=op.f("pk_rating")),
    )
    op.create_table(
        "total",
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("club", sa.Integer(), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("skunks", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("plus", sa.Integer(), nullable=False),
        sa.Column("minus", sa.Integer(), nullable=False),
        sa.Column("evenings", sa.Integer(), nullable=False),
        sa.Column("cards", sa.Integer(), nullable=False),
        sa.Column("earned", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["club"], ["club.id"], name=op.f("fk_total_club")),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("fk_total_person")),
        sa.ForeignKeyConstraint(["season"], ["season.id"], name=op.f("fk_total_season")),
        sa.PrimaryKeyConstraint("season", "club", "person", name=op.f("pk_total")),
    )
    op.create_index("ix_total_league", "total", ["season", "points", "won"], unique=False)
    op.create_index("ix_total_person", "total", ["person"], unique=False)
    op.create_table(
        "entry",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("evening", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("winner", sa.Integer(), nullable=True),
        sa.Column("spread", sa.Integer(), nullable=False),
        sa.Column("skunk", sa.Boolean(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["evening"], ["evening.number"], name=op.f("fk_entry_evening")),
        sa.ForeignKeyConstraint(["winner"], ["person.id"], name=op.f("fk_entry_winner")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_entry")),
    )
    op.create_index(
        "ix_entry_meeting", "entry", ["evening", "round", "place", "number"], unique=False
    )
    op.create_table(
        "game",
        sa.Column("board", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("result", sa.Text(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("evening", sa.Integer(), nullable=True),
        sa.Column("round", sa.Integer(), nullable=True),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.Column("open", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["evening"], ["evening.number"], name=op.f("fk_game_evening")),
        sa.PrimaryKeyConstraint("board", "game", name=op.f("pk_game")),
    )
    op.create_index("ix_game_evening", "game", ["evening"], unique=False)
    op.create_table(
        "meeting",
        sa.Column("evening", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("one", sa.Integer(), nullable=False),
        sa.Column("two", sa.Integer(), nullable=True),
        sa.Column("pair", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["evening"], ["evening.number"], name=op.f("fk_meeting_evening")),
        sa.ForeignKeyConstraint(["one"], ["person.id"], name=op.f("fk_meeting_one")),
        sa.ForeignKeyConstraint(["two"], ["person.id"], name=op.f("fk_meeting_two")),
        sa.PrimaryKeyConstraint("evening", "round", "place", name=op.f("pk_meeting")),
    )
    op.create_index("ix_meeting_pair", "meeting", ["pair", "evening"], unique=False)
    op.create_table(
        "player",
        sa.Column("evening", sa.Integer(), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["evening"], ["evening.number"], name=op.f("fk_player_evening")),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("fk_player_person")),
        sa.PrimaryKeyConstraint("evening", "person", name=op.f("pk_player")),
    )
    op.create_index("ix_player_person", "player", ["person", "evening"], unique=False)
    op.create_table(
        "standing",
        sa.Column("evening", sa.Integer(), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("skunks", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("plus", sa.Integer(), nullable=False),
        sa.Column("minus", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["evening"], ["evening.number"], name=op.f("fk_standing_evening")),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("fk_standing_person")),
        sa.PrimaryKeyConstraint("evening", "person", name=op.f("pk_standing")),
    )
    op.create_index("ix_standing_person", "standing", ["person", "evening"], unique=False)
