"""`boardctl review`: the cost of throws in points, and of all decisions in chances of winning."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import click

from boardctl import text
from boardctl.bot import aims, report, review, weighed_report, weighing
from boardctl.bot.analysis import Analysis, analyse, can_judge, season
from boardctl.commands.shared.reading import evenings, for_all_to_see, journal_games, lines
from boardctl.commands.shared.terminal import clear, progress
from boardctl.commands.shared.user_language import spoken
from boardctl.games import IllegalMove, Move
from boardctl.games.cards import codes, spell
from boardctl.message import Message
from boardctl.record.position import Position
from boardctl.record.record import Record

Judged = tuple[int, tuple[str, ...], review.Review]
"""The number of the game in the file, the players, and one throw."""
Game = tuple[int, Position, tuple[Move, ...]]
"""A game's number in the file, the position before it, and its moves."""


@click.command()
@click.argument("game", metavar="GAME")
@click.option("--json", "as_json", is_flag=True, help="JSON Lines: throws, players, games.")
@click.option("--throws", "throws_only", is_flag=True, help="Judge throws by points only; fast.")
@click.option(
    "--objective",
    metavar="WHAT",
    default="win",
    show_default=True,
    help="What the games were played for: win, games (a skunk counts two, a double skunk four), "
    "tournament (two points, three for a skunk), or match:GAMES, with the games won so far taken "
    "from the record.",
)
@click.option("--data", type=click.Path(path_type=Path), help="Where the journal is kept.")
def command(game: str, as_json: bool, throws_only: bool, objective: str, data: Path | None) -> None:
    """Review a game: a notation file, - for standard input, the number of a game in the journal, or
    `all` for every game in the journal and each player's strength.

    In two-handed six-card cribbage, review judges every throw whose six cards are known. It shows
    the average gain of the best throw, and how far hand and crib exceeded their averages. Then it
    shows the chance of winning before each deal, a better choice for each costly throw or card, and
    the share of luck. In every other game, review judges bids, melds and cards (docs/bot.md).

    \b
    Examples:
        boardctl review our-third-game.txt
        boardctl review 3 --json
        boardctl review all --objective match:5
    """
    try:
        played_for = aims.of_seats(objective, ())[0].name
    except ValueError:
        error = IllegalMove("no-such-objective", said=objective)
        raise click.ClickException(text.refusal(error, text.Reader(spoken()))) from None
    games: list[Game] = []
    others: list[Game] = []
    lines, earlier = _lines(game, data)
    judged = tuple(_judge(lines, games, others))
    if as_json:
        for number, seats, one in judged:
            click.echo(json.dumps(_as_data(number, seats, one)))
        for row in _players(judged):
            click.echo(json.dumps(row))
        if not throws_only:
            analyses = []
            for (number, *_), analysis in _analysed(games, objective):
                analyses.append(analysis)
                click.echo(json.dumps({"game": number, **report.as_data(analysis)}))
            for number, weighed in _weighed(others):
                click.echo(json.dumps({"game": number, **weighed_report.as_data(weighed)}))
            if len(analyses) > 1:
                for row in report.season_as_data(season(analyses)):
                    click.echo(json.dumps(row))
        return
    if not judged and not others:
        click.echo(_say("none"))
    for number, seats, one in judged:
        click.echo(_sentence(earlier + number, seats, one))
    for row in _players(judged):
        player = text.called(row["player"], spoken())
        luck, fields = row["luck"], {"player": player, "throws": row["throws"]}
        code = "thrown" if row["throws"] > 1 else "thrown-one"
        more = "" if luck is None else _say("luck", luck=f"{luck:+.2f}")
        click.echo(_say(code, cost=f"{row['cost']:.2f}", **fields) + more)
    if throws_only:
        return
    analyses = []
    for (number, *_), analysis in _analysed(games, objective):
        analyses.append(analysis)
        for sentence in report.sentences(analysis, spoken()):
            click.echo(_say("game", number=earlier + number, said=sentence))
    for number, weighed in _weighed(others):
        for sentence in weighed_report.sentences(weighed, spoken()):
            click.echo(_say("game", number=earlier + number, said=sentence))
    if len(analyses) > 1:
        for sentence in report.season_sentences(season(analyses), spoken(), played_for):
            click.echo(_say("season", said=sentence))


def _say(code: str, **fields: object) -> str:
    return text.say(Message("review", code, fields), text.Reader(spoken()))


def analysed_in(lines: Sequence[str]) -> Iterator[tuple[Game, Analysis]]:
    """Yield the games of a record that can be judged by the chance of winning, with their analyses.

    Raises:
        ClickException: if a line is rejected.
    """
    games: list[Game] = []
    for _ in _judge(lines, games, []):
        pass
    yield from _analysed(games)


def read_record(file: str) -> Sequence[str]:
    """Return the lines of a notation file. Raises ClickException if the file cannot be read."""
    return [line.rstrip("\r\n") for line in lines(file)]


def _analysed(games: Iterable[Game], objective: str = "win") -> Iterator[tuple[Game, Analysis]]:
    """Yield the games that can be judged by the chance of winning and contain at least one known
    deal."""
    known = [game for game in games if any(move.verb == "deal" for move in game[2])]
    for game in progress(known, "judging-game"):
        _, before, moves = game
        objectives = aims.of_seats(objective, before.tally.won)
        analysis = analyse(before, moves, objectives=objectives)
        clear()
        yield game, analysis


def _weighed(games: Iterable[Game]) -> Iterator[tuple[int, weighing.Weighing]]:
    """Yield the number and the analysis of each game that is not two-handed six-card cribbage."""
    for number, before, moves in progress(list(games), "judging-game"):
        found = weighing.weigh(before, moves)
        clear()
        yield number, found


def _lines(game: str, data: Path | None) -> tuple[Sequence[str], int]:
    """Return the lines to review, and the number of games that precede them in the journal. In
    sentences, a game is identified by its number in the journal."""
    if not Path(game).exists():
        if game == "all":
            return _from_journal(None, data), 0
        if game.isascii() and game.isdigit():
            return _from_journal(int(game), data), int(game) - 1
    return read_record(game), 0


def _from_journal(number: int | None, data: Path | None) -> Sequence[str]:
    games = for_all_to_see(journal_games(data, number))
    return [line for game in games for line in game.lines]


def _judge(lines: Sequence[str], found: list[Game], others: list[Game]) -> Iterator[Judged]:
    """Yield the throws of all games in the lines, as they stand after undo and amend. Add games of
    two-handed six-card cribbage to `found`, and other games with a deal to `others`."""
    games = 0
    for record in evenings(progress(lines, "reading-line")):
        yield from _judge_record(record, games, found, others)
        games += sum(move.verb == "game" for move in record.moves)


def _judge_record(
    record: Record, before: int, found: list[Game], others: list[Game]
) -> Iterator[Judged]:
    moves = record.moves
    starts = [place for place, move in enumerate(moves) if move.verb == "game"]
    for number, (start, end) in enumerate(pairwise([*starts, len(moves)]), before + 1):
        position = record.position_at(end)
        setup = position.setup
        if setup is None or not can_judge(position):
            dealt_cards = any(move.verb == "deal" for move in moves[start:end])
            if dealt_cards and weighing.can_weigh(position):
                others.append((number, record.position_at(start), moves[start:end]))
            continue
        found.append((number, record.position_at(start), moves[start:end]))
        flush_any = setup.options.get("crib_flush") == "as_hand"
        dealt = [
            (moves[place], record.position_at(place + 1).situation.dealer)
            for place in range(start, end)
        ]
        for deal in review.deals(dealt):
            for one in review.review(deal, flush_any=flush_any):
                yield number, setup.seats, one


def _as_data(number: int, seats: tuple[str, ...], one: review.Review) -> dict[str, Any]:
    return {
        "game": number,
        "deal": one.deal,
        "seat": one.seat,
        "player": seats[one.seat - 1],
        "role": "dealer" if one.throw.dealer else "pone",
        "throw": codes(one.throw.cards),
        "value": round(one.throw.value, 6),
        "best": codes(one.best.cards),
        "cost": round(one.cost, 6),
        "hand_luck": report.rounded(one.hand_luck),
        "crib_luck": report.rounded(one.crib_luck),
        "luck": report.rounded(one.luck),
    }


def _sentence(number: int, seats: tuple[str, ...], one: review.Review) -> str:
    said = _say(
        "threw" if one.cost > 0.005 else "threw-best",
        number=number,
        deal=one.deal,
        player=text.called(seats[one.seat - 1], spoken()),
        role=_say("dealer" if one.throw.dealer else "pone"),
        cards=one.throw.cards,
        kept=spell(sorted(one.throw.kept)),
        value=f"{one.throw.value:.2f}",
        best=spell(one.best.cards),
        best_value=f"{one.best.value:.2f}",
        cost=f"{one.cost:.2f}",
    )
    if one.hand_luck is not None:
        said += _say("luck-hand", luck=f"{one.hand_luck:+.2f}")
    if one.crib_luck is not None:
        said += _say("luck-crib", luck=f"{one.crib_luck:+.2f}")
    return said


def _players(judged: Iterable[Judged]) -> Iterator[dict[str, Any]]:
    """Yield the total cost of each player's throws, and the total luck of those throws whose luck
    is known."""
    by_name: dict[str, list[review.Review]] = {}
    for _, seats, one in judged:
        by_name.setdefault(seats[one.seat - 1], []).append(one)
    for name, throws in by_name.items():
        luck = [one.luck for one in throws if one.luck is not None]
        yield {
            "player": name,
            "throws": len(throws),
            "cost": round(sum(one.cost for one in throws), 6),
            "luck": round(sum(luck), 6) if luck else None,
        }
