"""`boardctl setup`: ask questions, detect attached devices, and write the configuration."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from boardctl.message import Message

SPI_DRIVERS = ("ws2812_spi", "apa102_spi")
SPI_ON = ("raspi-config", "nonint", "do_spi", "0")


def agreed(sentence: str, yes: bool) -> bool:
    """Ask the user whether to do something. The Enter key means yes, and so does `--yes`."""
    if yes:
        click.echo(sentence)
        return True
    return click.confirm(sentence, default=True)


def _switch_on_spi(say: Callable[..., str], yes: bool) -> None:
    """Switch on SPI on a Raspberry Pi if this user may do so and agrees. Otherwise explain how to
    do it.

    Args:
        say: prints a sentence of the setup by its code.
    """
    import os
    import shutil

    from boardctl.app import service

    if os.geteuid() == 0 and shutil.which(SPI_ON[0]) and agreed(say("spi-now"), yes):
        service.run(SPI_ON)
        click.echo(say("spi-on"))
    else:
        click.echo(say("spi-off", command=f"sudo {' '.join(SPI_ON)}"))


@click.command()
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    default=Path("/etc/boardctl/config.toml"),
    show_default=True,
    help="The file to write.",
)
@click.option("--yes", is_flag=True, help="Accept every suggested answer.")
def command(config: Path, yes: bool) -> None:
    """Ask about the board's parts and write its configuration. Answers in an existing file are
    suggested again, and its other settings are kept.

    \b
    Example:
        sudo boardctl setup
    """
    from boardctl import text
    from boardctl.app import service, wizard
    from boardctl.app.config import ConfigError
    from boardctl.app.doctor import Machine
    from boardctl.commands.shared.user_language import language, speak
    from boardctl.options import SchemaError, read_toml
    from boardctl.text import SpokenError

    spoken = language(config if config.is_file() else None)
    speak(spoken)

    def say(code: str, **fields: object) -> str:  # in the language chosen meanwhile
        return text.say(Message("setup", code, fields), text.Reader(spoken))

    def ask(question: wizard.Question) -> str:
        sentence = say(question.name)
        if question.choices is None:
            if yes:
                return question.usual
            shown = bool(question.usual)
            answer: str = click.prompt(
                sentence, default=question.usual, show_default=shown, hide_input=question.secret
            )
            return answer
        if question.choices == wizard.YES:
            if yes:
                return question.usual
            usual = question.usual
            keys = "[Y/n]" if usual == "yes" else "[y/N]"
            answer = click.prompt(f"{sentence} {keys}", default=usual, show_default=False)
            said = str(answer).strip().lower()
            words = {wizard.described(question.name, one, spoken): one for one in wizard.YES}
            return ({"y": "yes", "n": "no"} | words).get(said, said)
        click.echo(sentence)
        for number, name in enumerate(question.choices, 1):
            described = wizard.described(question.name, name, spoken)
            click.echo(f"  {number:>2}  {name or 'none':<14} {described}")
        if yes:
            return question.usual
        chosen: str = click.prompt(f"  {say('which')}", default=question.usual or "none")
        return wizard.chosen(question.choices, chosen)

    attached = wizard.find_attached(Machine())
    click.echo(say("attached") + "\n" + attached.as_text(spoken))
    answers: dict[str, str] = {}
    known: dict[str, Any] = {"language": spoken}
    if config.is_file():
        try:
            found = read_toml(config)
            wizard.compose(found)
            known |= found
        except SchemaError as error:
            click.echo(say("unusable", path=config, reason=error))

    def asked() -> tuple[wizard.Question, ...]:
        return wizard.questions(attached, answers, known)

    while left := [question for question in asked() if question.name not in answers]:
        name = left[0].name
        answers[name] = ask(left[0])
        # Refused immediately at the question, so no earlier answer is lost.
        wrong = wizard.objection(asked(), answers, name, known, spoken)
        if wrong is not None:
            if yes:
                raise click.ClickException(wrong)
            click.echo(wrong)
            del answers[name]
        elif name == "language":
            spoken = answers[name]
            speak(spoken)
    try:
        folder = config.absolute().parent
        written = wizard.compose(wizard.settle(asked(), answers, known, folder))
        wizard.write_secrets(asked(), answers, folder)
        kept = wizard.write(config, written)
    except ConfigError as error:
        refusal = text.say(
            Message("refusal", "setup-together", {"reason": error}), text.Reader(spoken)
        )
        raise click.ClickException(refusal) from error
    except SpokenError as error:
        raise click.ClickException(text.sentence(error, spoken)) from error
    except OSError as error:
        raise click.ClickException(say("unwritten", path=config, reason=error)) from error
    if kept is not None:
        click.echo(say("kept", path=kept))
    click.echo(say("written", path=config))
    if answers["leds.driver"] in SPI_DRIVERS and not attached.spi and attached.is_pi:
        _switch_on_spi(say, yes)
    if service.installed(config):
        service.follow(config, service.run)
        if service.can_start() and agreed(say("start-now"), yes):
            service.start(service.run)
            click.echo(say("started"))
