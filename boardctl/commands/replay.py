"""`boardctl replay`: check a recorded game against the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TextIO

import click

from boardctl.commands.shared.reading import Lines
from boardctl.commands.shared.user_language import say, spoken
from boardctl.games import IllegalMove
from boardctl.message import Message


@click.command()
@click.argument("file", type=Lines())
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.option("--keep-going", is_flag=True, help="Skip rejected lines instead of stopping.")
@click.pass_context
def command(ctx: click.Context, file: Iterator[str], as_json: bool, keep_going: bool) -> None:
    """Referee a record in the table notation (`-` is standard input).

    Exits with status 1 if a line was rejected.

    \b
    Example:
        boardctl replay our-third-game.txt --json
    """
    import sys

    ctx.exit(run(file, as_json, keep_going, sys.stdout))


def run(lines: Iterable[str], as_json: bool, keep_going: bool, out: TextIO) -> int:
    """Referee a record and write the result of each line.

    Args:
        lines: the record's lines, with or without line ends.
        as_json: JSON Lines instead of text.
        keep_going: skip rejected lines instead of stopping at the first.

    Returns:
        The exit status: 1 if a line was rejected, else 0.
    """
    from boardctl import text
    from boardctl.record.replay import answers

    refused = False
    say = _json if as_json else _words
    language = "en" if as_json else spoken()  # data is the same in every language

    def sentence(error: IllegalMove, names: tuple[str, ...]) -> str:
        return text.refusal(error, text.Reader(language, names))

    for answer in answers(lines, keep_going, sentence):
        refused = refused or "error" in answer
        out.write(say(answer) + "\n")
    return int(refused)


def _json(answer: dict[str, Any]) -> str:
    import json

    return json.dumps(answer, ensure_ascii=False)


def _words(answer: dict[str, Any]) -> str:
    """Return one result as a line of text."""
    if "error" in answer:
        refusal = say("refused", move=answer["move"], said=answer["error"]["message"])
        shown = "".join(c if c.isprintable() else "\ufffd" for c in refusal)  # for a terminal
        return f"{answer['line']:4}  {shown}"
    if "outcome" in answer:
        outcome = answer["outcome"]
        scores = " ".join(map(str, outcome["scores"]))
        margin = outcome["margin"]
        plain = margin in (None, "game")
        shown = "" if plain else f" ({_sentence('page', f'margin-{margin}', {})})"
        fields = {"place": outcome["winner"], "margin_shown": shown, "scores": scores}
        said = say(f"replayed-{outcome['state']}", **fields)
        return f"      {said}"
    if "session" in answer:
        session = answer["session"]
        won = " ".join(map(str, session["won"])) or say("none")
        named = f" {session['name']}" if session["name"] else ""
        fields = {"session": named, "games": session["games"], "won": won}
        return f"      {say('replayed-session', **fields)}"
    awards = _listed(
        f"{award['seat']}: {_sentence('award', award['reason'], award)} {award['points']}"
        for award in answer["awards"]
    )
    notes = _listed(_sentence("note", note.pop("code"), note) for note in answer["notes"])
    said = "; ".join(filter(None, (awards, notes)))
    scores = " ".join(map(str, answer["scores"]))
    return f"{answer['line']:4}  {answer['move']:24} [{scores}]  {said}".rstrip()


def _listed(items: Iterable[str]) -> str:
    from boardctl import text

    return text.listed(items, spoken())


def _sentence(kind: str, code: str, fields: dict[str, Any]) -> str:
    from boardctl import text

    return text.say(Message(kind, code, fields), text.Reader(spoken()))
