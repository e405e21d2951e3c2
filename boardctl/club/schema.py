"""The tables of a club's store, for SQLite and PostgreSQL. `migrations` creates them.

`entry` is append-only. It contains the results that boards have sent and withdrawn, and the
players' corrections. `standing` and `total` contain sums over `entry`, which are updated in the
same transaction, so that no page has to add up a season.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from boardctl.club.evening import FIGURES

HEAD: Final = "0003"
"""The revision of `migrations` that matches these tables."""

metadata: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

club: Final = Table(
    "club",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
)
season: Final = Table(
    "season",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
)
person: Final = Table(
    "person",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False),  # the latest spelling; a pseudonym after deletion
    Column("salt", LargeBinary),  # of the PIN's hash; empty if there is no PIN
    Column("hashed", LargeBinary),
    Column("wrong", Integer, nullable=False, server_default="0"),  # wrong PINs in a row
    Column("since", Float, nullable=False),
)
membership: Final = Table(
    "membership",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("club", ForeignKey("club.id"), nullable=False),
    Column("person", ForeignKey("person.id"), nullable=False, index=True),
    Column("key", Text, nullable=False),  # the name, casefolded
    Column("since", Float, nullable=False),
    Column("until", Float),  # time of a transfer or deletion
)
Index(
    "uq_membership_current",
    membership.c.club,
    membership.c.key,
    unique=True,
    sqlite_where=text("until IS NULL"),
    postgresql_where=text("until IS NULL"),
)
board: Final = Table(
    "board",
    metadata,
    Column("name", Text, primary_key=True),
    Column("club", ForeignKey("club.id"), nullable=False),
    Column("place", Integer),  # the table it is assigned to, if any
    UniqueConstraint("club", "place"),
)
evening: Final = Table(
    "evening",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("club", ForeignKey("club.id"), nullable=False),
    Column("season", ForeignKey("season.id"), nullable=False),
    Column("name", Text, nullable=False),
    Column("rounds", Integer, nullable=False),
    Column("kind", Text, nullable=False),  # evening, qualifying, playoff or consolation
    Column("source", ForeignKey("evening.number")),  # the qualifying evening that it follows
    Column("at", Float, nullable=False),
    Column("code", Text, nullable=False),  # the secret that lets phones join; empty: disabled
    Index("ix_evening_club_season", "club", "season", "number"),
)
player: Final = Table(
    "player",
    metadata,
    Column("evening", ForeignKey("evening.number"), primary_key=True),
    Column("person", ForeignKey("person.id"), primary_key=True),
    Column("place", Integer, nullable=False),  # the order of the draw, or the seed of a playoff
    Column("name", Text, nullable=False),
    Index("ix_player_person", "person", "evening"),
)
meeting: Final = Table(
    "meeting",
    metadata,
    Column("evening", ForeignKey("evening.number"), primary_key=True),
    Column("round", Integer, primary_key=True),
    Column("place", Integer, primary_key=True),  # the table, from 1; byes are 0 and below
    Column("one", ForeignKey("person.id"), nullable=False),
    Column("two", ForeignKey("person.id")),  # none for a bye
    Column("pair", Text, nullable=False),  # both names, casefolded and sorted
    Index("ix_meeting_pair", "pair", "evening"),
)
entry: Final = Table(
    "entry",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("evening", ForeignKey("evening.number"), nullable=False),
    Column("round", Integer, nullable=False),
    Column("place", Integer, nullable=False),
    Column("winner", ForeignKey("person.id")),  # none: withdrawn
    Column("spread", Integer, nullable=False),
    Column("skunk", Boolean, nullable=False),
    Column("source", Text, nullable=False),  # hand, or the board and its game
    Column("at", Float, nullable=False),
    Index("ix_entry_meeting", "evening", "round", "place", "number"),
)
game: Final = Table(
    "game",
    metadata,
    Column("board", Text, primary_key=True),
    Column("game", Text, primary_key=True),
    Column("version", BigInteger, nullable=False),  # a higher version replaces a lower one
    Column("result", Text, nullable=False),  # JSON as the board sent it
    Column("at", Float, nullable=False),
    Column("evening", ForeignKey("evening.number")),  # the meeting of these two players
    Column("round", Integer),
    Column("place", Integer),
    Column("open", Boolean, nullable=False),  # not dismissed by the director
    Index("ix_game_evening", "evening"),
)
standing: Final = Table(
    "standing",
    metadata,
    Column("evening", ForeignKey("evening.number"), primary_key=True),
    Column("person", ForeignKey("person.id"), primary_key=True),
    *(Column(figure, Integer, nullable=False) for figure in FIGURES),
    Index("ix_standing_person", "person", "evening"),
)
OF_PLAYER: Final = (standing.c.evening == player.c.evening) & (standing.c.person == player.c.person)
"""The join of a standing with its player."""
total: Final = Table(
    "total",
    metadata,
    Column("season", ForeignKey("season.id"), primary_key=True),
    Column("club", ForeignKey("club.id"), primary_key=True),
    Column("person", ForeignKey("person.id"), primary_key=True),
    *(Column(figure, Integer, nullable=False) for figure in FIGURES),
    Column("evenings", Integer, nullable=False),  # played in
    Column("cards", Integer, nullable=False),  # cards with 12 or more game points
    Column("earned", Integer, nullable=False),  # game points on those cards
    Index("ix_total_person", "person"),
    Index("ix_total_league", "season", "points", "won"),
)
rating: Final = Table(
    "rating",
    metadata,
    Column("person", ForeignKey("person.id"), primary_key=True),
    Column("value", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("volatility", Float, nullable=False),
    Column("games", Integer, nullable=False),
    Column("at", Float, nullable=False),
)
judged: Final = Table(
    "judged",
    metadata,
    Column("person", ForeignKey("person.id"), primary_key=True),
    Column("game", Text, primary_key=True),  # a hash of its record
    Column("decisions", Integer, nullable=False),  # throws and plays that could be judged
    Column("loss", Float, nullable=False),  # winning chance lost by all of them, 1 is a game
    Column("squares", Float, nullable=False),  # the sum of their squares
    Column("luck", Float, nullable=False),  # winning chance gained by cuts and deals
)
