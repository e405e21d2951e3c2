"""`boardctl doctor`: find what prevents this machine from working as a board."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.option("--config", type=click.Path(path_type=Path), help="The config file to check.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.pass_context
def command(ctx: click.Context, config: Path | None, as_json: bool) -> None:
    """Check SPI, pins, groups, power and clock; each problem is listed with its remedy.

    The exit status is 1 if there is a problem.

    \b
    Example:
        boardctl doctor
    """
    import json
    import sys
    from dataclasses import asdict
    from shutil import get_terminal_size

    from boardctl.app import config_file, doctor
    from boardctl.commands.shared.user_language import language, speak, spoken

    if config is not None:
        speak(language(config))
    found = list(doctor.examine(doctor.Machine(), config or config_file.find()))
    if as_json:
        for finding in found:
            click.echo(json.dumps(asdict(finding)))
    else:
        # A pipe has no width and gets the full lines.
        width = get_terminal_size((0, 0)).columns if sys.stdout.isatty() else 0
        click.echo(doctor.as_text(found, spoken(), width))
    ctx.exit(int(any(finding.state == "bad" for finding in found)))
