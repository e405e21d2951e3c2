"""`boardctl doctor`: find what keeps this machine from working as a board."""

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
    from dataclasses import asdict

    from boardctl.app import config as configuration
    from boardctl.app import doctor

    found = list(doctor.examine(doctor.Machine(), config or configuration.find()))
    if as_json:
        for finding in found:
            click.echo(json.dumps(asdict(finding)))
    else:
        click.echo(doctor.as_text(found))
    ctx.exit(int(any(finding.state == "bad" for finding in found)))
