"""`boardctl sealed`: deals that nobody can predict and everybody can verify afterwards."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

import click

from boardctl.commands import Group
from boardctl.commands.shared.reading import Lines, Whole, evenings
from boardctl.commands.shared.user_language import refused, say
from boardctl.games.cards import spell
from boardctl.options import needs
from boardctl.record import notation, sealed


@click.group(cls=Group)
def command() -> None:
    """Deal two hands from a shuffle that the other side can check: show its code before the game,
    let the other side choose the cut, and reveal the secret after the game.

    \b
    Examples:
        boardctl sealed new
        boardctl sealed deal SECRET --cut "any words" --number 1
        boardctl sealed verify CODE SECRET --cut "any words" our-third-game.txt
    """


@command.command()
def new() -> None:
    """Draw a secret and print it with its code; show the code before the game and keep the secret
    until the game is over.

    \b
    Example:
        boardctl sealed new
    """
    secret = secrets.token_bytes(sealed.SECRET_BYTES)
    click.echo(say("code", value=sealed.commitment(secret)))
    click.echo(say("secret", value=secret.hex()))


@command.command()
@click.argument("secret")
@click.option("--cut", metavar="WORDS", default="", help="The other side's words for the cut.")
@click.option("--number", type=Whole(1), default=1, help="Which deal of the game.")
def deal(secret: str, cut: str, number: int) -> None:
    """Print the hands and the starter of a deal, in the table notation.

    \b
    Example:
        boardctl sealed deal SECRET --cut "any words" --number 2
    """
    found = sealed.deal(_secret(secret), cut, number)
    for seat, hand in enumerate(found.hands, 1):
        click.echo(f"{seat} hand {spell(hand)}")
    click.echo(f"starter {found.starter}")


@command.command()
@click.argument("code", required=False)
@click.argument("secret", required=False)
@click.argument("game", type=Lines(), required=False)
@click.option("--cut", metavar="WORDS", default="", help="The other side's words for the cut.")
@click.option("--first", type=Whole(1), default=1, help="The first deal that was sealed.")
@click.option("--last", type=Whole(1), help="The last deal, if another secret followed.")
@click.option(
    "--far",
    type=Lines(),
    metavar="FILE",
    help="Check a game between two houses: the file far-….jsonl that each board keeps of it.",
)
def verify(
    code: str | None,
    secret: str | None,
    game: Iterator[str] | None,
    cut: str,
    first: int,
    last: int | None,
    far: Iterator[str] | None,
) -> None:
    """Check that the secret matches the code, and that the hands and starters of a game's record
    follow from it. With --far, check a whole game between two houses and print its cards: each
    pack must be the previous one, locked and shuffled, and each line must follow the rules. The
    last line says whether the file includes the end of the game.

    \b
    Examples:
        boardctl sealed verify CODE SECRET --cut "any words" our-third-game.txt
        boardctl sealed verify --far far-0123456789abcdef.jsonl
    """
    if far is not None:
        if code is not None:
            raise click.UsageError(say("far-has-secrets"))
        _verify_far(far)
        return
    if code is None or secret is None:
        raise click.UsageError(say("tell-secret"))
    known = _secret(secret)
    if sealed.commitment(known) != code.strip().lower():
        raise refused("secret-differs")
    if game is None:
        click.echo(say("secret-matches"))
        return
    *_, record = evenings(game)
    for found in sealed.differences(record.moves, known, cut, first, last):
        line, cards = notation.spell(found.line), spell(found.expected)
        raise refused("not-dealt", deal=found.deal, line=line, cards=cards)
    click.echo(say("cards-follow"))


def _verify_far(deals: Iterator[str]) -> None:
    with needs("far-check", "far"):
        from boardctl.far import group, proof
        from boardctl.far.deal import Deviation
    try:
        group.self_test()
    except group.UnsafeLibrary as error:
        raise refused("far-unsafe") from error
    count, last = 0, proof.Proven(0, ())
    try:
        for found in proof.proven(list(deals)):
            count += bool(found.number)
            if found.number:
                code = "far-deal" if found.cards else "far-broken-off"
                click.echo(say(code, number=found.number, cards=spell(found.cards)))
            last = found
    except Deviation as error:
        fields = " ".join(f"{key} {value}" for key, value in error.fields.items())
        raise refused("deal-false", code=error.code, details=fields) from error
    except ValueError as error:
        raise refused("far-line", number=count + 1) from error
    if not last.scores:
        code = "far-packs" if count else "far-nothing"
        click.echo(say(code, count=count))
        return
    click.echo(say("far-follow", count=count))
    click.echo(say("far-score", scores="–".join(map(str, last.scores))))
    click.echo(say("far-ends" if last.is_over else "far-cut"))


def _secret(text_of_it: str) -> bytes:
    try:
        secret = bytes.fromhex(text_of_it)
        sealed.commitment(secret)
    except ValueError as error:
        raise refused("no-secret", digits=2 * sealed.SECRET_BYTES) from error
    return secret
