"""`boardctl setup`: ask questions, detect what is attached, write the config."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click


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
    """Ask about the board's parts and write its configuration.

    \b
    Example:
        sudo boardctl setup
    """
    from boardctl.app import wizard
    from boardctl.app.config import ConfigError
    from boardctl.app.doctor import Machine
    from boardctl.board import layout

    def ask(question: str, usual: str, choices: Mapping[str, str] | None = None) -> str:
        if choices is not None:
            click.echo(f"{question}")
            for name, text in choices.items():
                click.echo(f"  {name or 'none':<14} {text}")
        if yes:
            return usual
        kind = click.Choice([c or "none" for c in choices]) if choices is not None else None
        answer: str = click.prompt(
            "  which" if choices is not None else question, default=usual or "none", type=kind
        )
        return "" if choices is not None and answer == "none" else answer

    attached = wizard.look(Machine())
    click.echo("This is attached:\n" + attached.tell())
    leds, keys = wizard.suggest(attached)
    answers: dict[str, Any] = {}
    names = {name: layout.load(name).title for name in layout.names()}
    answers["layout"] = ask("Which board?", "classic-2", names)
    players = ask("Who plays (names with commas)", "Ann, Bob")
    answers["players"] = [name.strip() for name in players.split(",") if name.strip()]
    chosen = ask("What lights it?", leds, wizard.LEDS)
    answers["leds"] = {"driver": chosen, **_where(chosen, attached, ask)}
    pad = ask("What is pressed?", "serial_board" if chosen == "serial_board" else keys, wizard.KEYS)
    answers["keys"] = (
        answers["leds"] if pad == chosen else {"driver": pad, **_where(pad, attached, ask)}
    )
    display = ask("A small display?", "oled" if attached.i2c else "", wizard.DISPLAYS)
    if display:
        answers["display"] = {"driver": display}
    amperes = ask("How many milliamps does the strip's supply give", "3000")
    answers["power"] = {"milliamps": int(amperes) if amperes.isdigit() else amperes}
    phones = not yes and click.confirm("May phones on the network open the page?", default=False)
    if phones:
        answers["page"] = {"host": "0.0.0.0"}  # the user said yes, and pairing protects it
    try:
        text = wizard.compose(answers)
        kept = wizard.write(config, text)
    except ConfigError as error:
        raise click.ClickException(f"these answers do not fit together: {error}") from error
    except OSError as error:
        raise click.ClickException(f"{config} cannot be written ({error.strerror})") from error
    if kept is not None:
        click.echo(f"The old configuration is kept as {kept}.")
    click.echo(f"{config} is written. Next: boardctl doctor, then boardctl selftest.")


def _where(driver: str, attached: Any, ask: Any) -> dict[str, Any]:
    """Ask for the one option of a driver that cannot be detected."""
    if driver in ("serial_board", "adalight"):
        usual = attached.serial[0] if attached.serial else "/dev/ttyUSB0"
        return {"port": ask("Which serial port", usual)}
    if driver == "wled":
        return {"host": ask("The WLED box's name or address", "wled.local")}
    if driver == "usb_numpad":
        pads = [name for name in attached.inputs if "pad" in name.lower()]
        return {"device": ask("A part of the number pad's name", pads[0] if pads else "keypad")}
    return {}
