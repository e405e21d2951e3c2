"""Write the computed parts of docs/notes/strength.md, such as published figures next to ours.

    python -m tools.bot_page

Each part is between two comments that name it. The distance between two levels comes from the
page's own matches, the tables' averages from `tables.json`, and a crib's average from `advice` over
KEPT random sets of kept cards.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from math import exp, log, sqrt
from pathlib import Path
from random import Random
from statistics import mean, stdev
from typing import Final, NamedTuple

from boardctl.bot import LEVELS, positions
from boardctl.bot.advice import Unseen, chances
from boardctl.bot.analysis import expert
from boardctl.bot.objective import TOURNAMENT, WIN, Objective
from boardctl.bot.positions import KnownPosition
from boardctl.bot.tables import DEALER, PONE, start
from boardctl.games.cards import Card, Rank
from boardctl.record.record import Record
from boardctl.text.moves import title
from tools.bench import (
    best_response,
    by_level,
    colver,
    contracts,
    duplicate,
    late_throws,
    throw_response,
)

PAGE: Final = Path(__file__).parents[1] / "docs" / "notes" / "strength.md"
KEPT: Final = 60
"""The number of sets of four kept cards over which a crib's average is taken."""
SEED: Final = 1

COLVERT: Final = "DeLynn Colvert, cribbage.org/tips/colvert11.asp"
CHAMBERS: Final = "John Chambers, cribbage.org/NewSite/tips/chambers6.asp"
ORBITALS: Final = "game theory, orbitals.com/cp/calc/details.html"
GAMES: Final = "games of people, blog.cribbagepro.net, 2012"
SCHELL: Final = "Michael Schell, cribbageforum.com/SchellDiscard.htm"

CRIBS: Final = (
    ("55", 8.79, 9.37, 8.5),
    ("23", 7.00, 7.33, 6.9),
    ("78", 6.53, 7.63, 6.4),
    ("AA", 5.38, 6.02, 5.2),
    ("5J", 7.00, 7.76, 6.7),
    ("69", 5.13, 6.26, 4.9),
    ("JQ", 4.81, 5.46, 4.5),
    ("79", 4.04, 5.26, 4.0),
    ("9Q", 2.99, 4.11, 2.8),
    ("TK", 2.84, 3.88, 2.7),
)
"""Two ranks; the average crib by Schell's tables if the dealer or the pone throws them, and the
dealer's average in games between people."""


class Asked(NamedTuple):
    """A throw about which experts were asked: the source, whether the player deals, that player's
    score and the opponent's, the ranks of the six cards, and each expert's throw."""

    source: str
    deals: bool
    score: tuple[int, int]
    six: str
    answers: dict[str, str]


FORUM: Final = "cribbageforum.com/"
ASKED: Final = (
    Asked("Ask2004_02a", False, (0, 0), "AA89QK",
          {"QK": "Barlow, Chambers, Colvert, Rasmussen"}),
    Asked("Ask2004_06a", True, (0, 0), "A229TJ",
          {"9T": "Barlow, Chambers, Rasmussen", "TJ": "Colvert"}),
    Asked("Ask2004_10a", True, (0, 0), "A234JK",
          {"23": "Barlow, Chambers, Colvert, Rasmussen"}),
    Asked("Ask2006_10a", True, (0, 0), "A458QQ",
          {"A4": "Colvert, Schell, Setian", "58": "Rasmussen, Schmidt", "A8": "Barlow"}),
    Asked("HC-ROTW02", True, (0, 0), "2589JK", {"89": "a team against HALSCRIB"}),
    Asked("Ask2005_01a", False, (16, 8), "2368TJ",
          {"68": "Barlow, Chambers", "8J": "Colvert", "6T": "Rasmussen"}),
    Asked("Ask2001_10a", False, (64, 61), "569QQK",
          {"9K": "Barlow, Colvert, Rasmussen", "69": "Schell"}),
    Asked("Ask2002_12a", False, (94, 86), "3368TT", {"6T": "Barlow, Colvert, Rasmussen"}),
    Asked("Ask2004_04a", False, (100, 91), "568QQK",
          {"6K": "Barlow, Chambers", "8K": "Colvert"}),
    Asked("Ask2003_12a", False, (112, 109), "24558Q",
          {"28": "Barlow, Chambers, Rasmussen, Schell, Schmidt", "4Q": "Colvert"}),
    Asked("Ask2001_12a", True, (114, 108), "34589Q",
          {"59": "Barlow", "5Q": "Colvert", "89": "Rasmussen"}),
)  # fmt: skip
"""Questions of Cribbage Forum without a prize for a skunk, with all readable answers."""
SKUNKS: Final = (
    Asked("Ask2005_10a", False, (83, 64), "2367KK", {"67": "Barlow, Colvert", "6K": "Rasmussen"}),
    Asked("Ask2002_03a", False, (76, 61), "23359Q",
          {"9Q": "Barlow, Colvert", "2Q": "Rasmussen"}),
    Asked("Ask2006_09a", False, (52, 43), "6677TT", {"TT": "Barlow, Colvert", "6T": "Rasmussen"}),
    Asked("Ask2010_02a", False, (85, 68), "2359TJ", {"23": "Barlow, Chambers, Rasmussen"}),
)  # fmt: skip
"""Questions of the same forum with a prize for a skunk."""
EXPERT: Final = 0.593
"""The share of a tournament's games that an expert wins:
home.mountaincable.net/~halscrib/cribavgs.htm."""
LEAST: Final = 0.45
"""The share of games that the lowest of four groups wins as first dealer against the two best."""
FIRST: Final = 0.11
"""The addition of the first deal to anybody's share in the same games."""

_MATCH = re.compile(r"^\| level (\S+) against level ([^,]+), .*\| ([\d.]+) ± ([\d.]+) % \|", re.M)


Chances = tuple[float, ...]
"""The chances of winning of several throws."""
LATE: Final = late_throws.LEAST


class Row(NamedTuple):
    """A published figure and ours."""

    what: str
    published: str
    ours: str
    source: str


def crib(pair: str, role: int) -> float:
    """Return the average crib after a role has thrown two ranks of different suits, over all kept
    cards."""
    letters = [rank.letter for rank in Rank]
    one, two = letters.index(pair[0]), letters.index(pair[1])
    cards = (one, 13 + two)
    random = Random(SEED)
    others = chances("pone" if role == DEALER else "dealer")
    rest = [card for card in range(52) if card not in cards]
    return mean(Unseen((*cards, *random.sample(rest, 4)), others).crib(*cards) for _ in range(KEPT))


def rows() -> list[Row]:
    """Return the averages of a deal and the chances of a game."""
    ours = expert()
    pone, dealer = ours[PONE], ours[DEALER]
    assert pone.hand is not None and pone.play is not None
    assert dealer.hand is not None and dealer.play is not None and dealer.crib is not None
    heels = 2 * 4 / 52
    whole = pone.hand + pone.play, dealer.hand + dealer.play + dealer.crib + heels
    first = f"{100 * start(True, 0, 0):.1f} %"
    return [
        Row("pone, per deal", "10.2", f"{whole[PONE]:.1f}", COLVERT),
        Row("dealer, per deal, including heels", "16.2", f"{whole[DEALER]:.1f}", COLVERT),
        Row("pone's play", "2.0", f"{pone.play:.1f}", CHAMBERS),
        Row("dealer's play", "3.5", f"{dealer.play:.1f}", CHAMBERS),
        Row("pone's hand", "8.1", f"{pone.hand:.1f}", CHAMBERS),
        Row("dealer's hand", "8.0", f"{dealer.hand:.1f}", CHAMBERS),
        Row("crib", "4.7", f"{dealer.crib:.1f}", CHAMBERS),
        Row("the first dealer wins", "56 %", first, COLVERT),
        Row("the same, skill alike", "55.5 %", first, GAMES),
        Row(
            "the dealer wins from 35 to the pone's 37",
            "51 %",
            f"{100 * start(True, 35, 37):.1f} %",
            ORBITALS,
        ),
    ]


def outside() -> str:
    """Return the table of published figures next to ours."""
    lines = ["| | published | ours | source |", "|---|---|---|---|"]
    lines += [f"| {row.what} | {row.published} | {row.ours} | {row.source} |" for row in rows()]
    gaps, from_games = [], []
    for pair, own, other, people in CRIBS:
        mine, theirs = crib(pair, DEALER), crib(pair, PONE)
        gaps += [mine - own, theirs - other]
        from_games.append(mine - people)
    lines += [
        "",
        f"On average, the cribs of {len(CRIBS)} throws differ by {mean(gaps):+.2f} points from "
        f"Schell's table (at most {max(map(abs, gaps)):.2f}), and by {mean(from_games):+.2f} "
        "points",
        f"from games between people (at most {max(map(abs, from_games)):.2f}).",
    ]
    return "\n".join(lines)


def steps(page: str) -> dict[int, tuple[float, float]]:
    """Return each level's share of games won against the level below and half of the 95 % interval,
    adjusted for the luck of the cards."""
    return {
        int(high.replace("−", "-")): (float(share) / 100, float(half) / 100)
        for high, _, share, half in _MATCH.findall(page)
    }


def odds(share: float) -> float:
    """Return the logarithm of the odds of a share."""
    return log(share / (1 - share))


def lowest() -> float:
    """Return the share that the best groups win against the lowest, with equally many first
    deals."""
    return 1 - (LEAST + LEAST - FIRST) / 2


def scale(page: str) -> str:
    """Return the distances between the levels, measured in distances between people."""
    found = steps(page)
    unit, groups = odds(EXPERT), odds(lowest())
    lines = [
        "| level | wins against the level below | distance in experts | in groups "
        "| wins against level 5 |",
        "|---|---|---|---|---|",
    ]
    below = 0.0
    for level in sorted(LEVELS, reverse=True):
        named = str(level).replace("-", "−")
        against = "" if not below else f"{100 / (1 + exp(below)):.0f} %"
        if level in found:
            share, half = found[level]
            least, most = (odds(share - half) / unit, odds(share + half) / unit)
            lines.append(
                f"| {named} | {100 * share:.1f} ± {100 * half:.1f} % | "
                f"{least:.1f} to {most:.1f} | {odds(share) / groups:.1f} | {against} |"
            )
            below += odds(share)
        else:
            lines.append(f"| {named} | | | | {against} |")
    lines += [
        "",
        f"An expert wins {100 * EXPERT:.1f} % of tournament games. The two best groups win",
        f"{100 * lowest():.1f} % of their games against the lowest group. The lowest group wins",
        f"{100 * LEAST:.0f} % of the games in which it deals first, and {100 * FIRST:.0f} % less "
        "in the others.",
    ]
    return "\n".join(lines)


def experts() -> str:
    """Return the cost of experts' throws according to our judgement, in chance of winning."""
    costs, shared = [], 0
    for one in ASKED:
        hand = " ".join(map("".join, zip(one.six, "SHDCSH", strict=True)))
        record = positions.record_of(KnownPosition(hand, one.deals, one.score))
        wins = _worths(record, WIN)
        best = max(wins, key=lambda ranks: wins[ranks])
        shared += best in one.answers
        for throw, who in one.answers.items():
            costs += [wins[best] - wins[throw]] * (who.count(",") + 1)
    return (
        f"The {len(costs)} answers to {len(ASKED)} questions cost {100 * mean(costs):.1f} % on "
        f"average and {100 * max(costs):.1f} % at most. Our player agrees with "
        f"{sum(cost == 0 for cost in costs)} answers, and in {shared} questions with at least one "
        "expert."
    )


def skunks() -> str:
    """Return the cost of experts' throws according to our judgement, in tournament points, if a
    skunk counts."""
    costs = []
    for one in SKUNKS:
        hand = " ".join(map("".join, zip(one.six, "SHDCSH", strict=True)))
        record = positions.record_of(KnownPosition(hand, one.deals, one.score))
        worth = _worths(record, TOURNAMENT)
        for throw, who in one.answers.items():
            lost = TOURNAMENT.span * (max(worth.values()) - worth[throw])
            costs += [lost] * (who.count(",") + 1)
    return (
        f"In the {len(SKUNKS)} questions in which a skunk counts, the experts' {len(costs)} "
        f"answers cost {mean(costs):.3f} tournament points on average and at most "
        f"{max(costs):.3f}. A win earns 2 points, and a skunk 3."
    )


def _worths(record: Record, aim: Objective) -> dict[str, float]:
    """Return the value of each throw under an objective, from 0 to 1."""
    found = positions.judge(record, aim)
    assert found is not None
    return {_letters(choice.cards): choice.win or 0.0 for choice in reversed(found.choices)}


def _letters(cards: Iterable[Card]) -> str:
    """Return the ranks of cards, ascending."""
    order = [rank.letter for rank in Rank]
    return "".join(sorted((str(card)[0] for card in cards), key=order.index))


def response() -> str:
    """Return the advantage of the best response over level 5, both against level 5's play, from the
    stored rows, with standard errors."""
    lines = [
        "| responder | deals | points as level 5 | points with the best response | gain |",
        "|---|---|---|---|---|",
    ]
    found = best_response.rows()
    means, squares = [], 0.0
    for name, role in (("pone", PONE), ("dealer", DEALER)):
        some = [row for row in found if row.role == role]
        more = [row.best - row.level for row in some]
        error = stdev(more) / sqrt(len(more))
        means.append(mean(more))
        squares += error**2
        lines.append(
            f"| {name} | {len(some)} | {mean(row.level for row in some):+.2f} | "
            f"{mean(row.best for row in some):+.2f} | {means[-1]:.2f} ± {error:.2f} |"
        )
    lines.append(
        f"| average of both | {len(found)} | | | **{mean(means):.2f} ± {sqrt(squares) / 2:.2f}** |"
    )
    return "\n".join(lines)


def late() -> str:
    """Return the cost of late throws by the judgement and by playing the deal, grouped by the
    higher score."""
    found = late_throws.rows()
    lines = [
        "| higher score | positions | cost of the second and third throw, as judged "
        "| as played out | gained by choosing again |",
        "|---|---|---|---|---|",
    ]
    bands = ((LATE, 109), (110, 116), (117, 120), (LATE, 120))
    for low, high in bands:
        some = [row for row in found if low <= max(row.scores) <= high]
        judged = [mean(row.judged[0] - worth for worth in row.judged[1:]) for row in some]
        played = [mean(row.played[0] - worth for worth in row.played[1:]) for row in some]
        gained = [mean(_chosen_again(*both) for both in halves(row)) for row in some]
        lines.append(
            f"| {low} to {high} | {len(some)} | {100 * mean(judged):.1f} % | {_share(played)} | "
            f"{_share(gained)} |"
        )
    return "\n".join(lines)


def levels() -> str:
    """Return the advantage of level 2 over level 1, and of level 5 over level 2, in a deal of the
    other games, with the 95 % interval."""
    lines = [
        "| game | players | deals | level 2 above 1, points per deal | deals "
        "| level 5 above 2, points per deal |",
        "|---|---|---|---|---|---|",
    ]
    found = by_level.rows()
    for name, seats in sorted({(row.game, row.seats) for row in found}):
        cells = []
        for high, low in by_level.PAIRS:
            form = name, seats, high, low
            some = [r.more for r in found if (r.game, r.seats, r.high, r.low) == form]
            more = f"{mean(some):.1f} ± {_half(some):.1f}" if some else "not yet measured"
            cells.append(f"{len(some)} | {more}")
        lines.append(f"| {title(name)} | {seats} | {' | '.join(cells)} |")
    said = sum(row.said for row in found)
    return "\n".join([*lines, "", f"The players entered {said:,} lines."])


def _half(found: Sequence[float]) -> float:
    """Return half of the 95 % interval of a mean."""
    return 1.96 * stdev(found) / sqrt(len(found))


def against_colver() -> str:
    """Return the matches against colver, by opponent and bidder."""
    lines = [
        "| colver's player | version | bids | deals | points per deal | our contracts, made "
        "| colver's contracts, made |",
        "|---|---|---|---|---|---|---|",
    ]
    found = colver.rows()
    for opponent, version, same in sorted({(r.opponent, r.version, r.same_bids) for r in found}):
        key = opponent, version, same
        some = [r for r in found if (r.opponent, r.version, r.same_bids) == key]
        more = [row.more for row in some]
        took = [_contracts([row.ours for row in some]), _contracts([row.theirs for row in some])]
        bids = "colver's" if same else "our own"
        lines.append(
            f"| {opponent} | {version} | {bids} | {len(some)} | "
            f"{mean(more):+.1f} ± {_half(more):.1f} | {' | '.join(took)} |"
        )
    slowest = max(row.slowest for row in found)
    return "\n".join([*lines, "", f"Our longest decision took {slowest:.2f} s of CPU."])


def _contracts(found: Sequence[Sequence[int]]) -> str:
    taken, made = (sum(some) for some in zip(*found, strict=True))
    return f"{taken}, {100 * made / taken:.0f} %"


def made() -> str:
    """Return the share of Coinche contracts made by level, with the 95 % interval."""
    lines = ["| level | contracts | bid on average | made |", "|---|---|---|---|"]
    for level in contracts.LEVELS:
        some = [row for row in contracts.rows() if row.level == level]
        share = mean(row.made for row in some)
        half = 1.96 * sqrt(share * (1 - share) / len(some))
        bid = mean(row.bid for row in some)
        lines.append(
            f"| {level} | {len(some)} | {bid:.0f} | {100 * share:.0f} ± {100 * half:.0f} % |"
        )
    return "\n".join(lines)


def evenings() -> str:
    """Return Kendall's tau with the true order after each round, by form of evening and measure,
    with the 95 % interval."""
    rounds = (1, 2, 3, 4, 6, 9)
    lines = [
        f"| evening | ordered by | evenings | {' | '.join(f'{n} games' for n in rounds)} |",
        f"|---|---|---|{'---|' * len(rounds)}",
    ]
    for form in duplicate.FORMS:
        some = [row for row in duplicate.rows() if row.form == form]
        for measure in some[0].taus:
            columns = list(zip(*(row.taus[measure] for row in some), strict=True))
            cells = [f"{mean(taus):.2f} ± {_half(taus):.2f}" for taus in columns]
            shown = " | ".join(cells[n - 1] for n in rounds)
            lines.append(f"| {form} | {measure} | {len(some)} | {shown} |")
    return "\n".join(lines).replace("| 1 games", "| 1 game")


def thrown() -> str:
    """Return the gain of the best response to level 5's throws, by role."""
    lines = [
        "| responder | hands | minimum gain per deal | maximum gain per deal |",
        "|---|---|---|---|",
    ]
    for row in throw_response.rows():
        role = "dealer" if row.role == DEALER else "pone"
        least = f"{row.across:.4f} ± {row.across_half:.4f}"
        most = f"{row.within:.4f} ± {row.within_half:.4f}"
        lines.append(f"| {role} | {row.hands:,} | {least} | {most} |")
    return "\n".join(lines)


def halves(row: late_throws.Row) -> tuple[tuple[Chances, Chances], tuple[Chances, Chances]]:
    """Yield the two halves of a position's samples, in both orders."""
    return (row.first, row.second), (row.second, row.first)


def _chosen_again(by: Chances, worth: Chances) -> float:
    """Choose the best throw by one half of the samples. Return its advantage over the throw judged
    best, measured on the other half."""
    return worth[max(range(len(by)), key=lambda place: by[place])] - worth[0]


def _share(found: Sequence[float]) -> str:
    return f"{100 * mean(found):.1f} ± {100 * stdev(found) / sqrt(len(found)):.1f} %"


def written(page: str) -> str:
    """Return the page with its computed parts generated anew."""
    for name, text in (
        ("outside", outside()),
        ("experts", experts()),
        ("scale", scale(page)),
        ("response", response()),
        ("late", late()),
        ("skunks", skunks()),
        ("levels", levels()),
        ("colver", against_colver()),
        ("contracts", made()),
        ("evenings", evenings()),
        ("thrown", thrown()),
    ):
        begin, end = f"<!-- {name}: python -m tools.bot_page -->", f"<!-- end of {name} -->"
        head, rest = page.split(begin)
        page = f"{head}{begin}\n\n{text}\n\n{end}{rest.split(end)[1]}"
    return page


def main() -> None:
    """Write the page."""
    PAGE.write_text(written(PAGE.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
