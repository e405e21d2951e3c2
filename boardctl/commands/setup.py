"""`boardctl setup`: ask questions, detect what is attached, write the config."""

from __future__ import annotations

from pathlib import Path

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
    from boardctl import text
    from boardctl.app import wizard
    from boardctl.app.config import ConfigError
    from boardctl.app.doctor import Machine

    def ask(question: wizard.Question) -> str:
        sentence = text.say("setup", question.name, {})
        if question.choices is None:
            if yes:
                return question.usual
            shown = bool(question.usual)
            answer: str = click.prompt(sentence, default=question.usual, show_default=shown)
            return answer
        if question.choices == wizard.YES:
            return "yes" if not yes and click.confirm(sentence, question.usual == "yes") else "no"
        click.echo(sentence)
        for name in question.choices:
            click.echo(f"  {name or 'none':<14} {wizard.described(question.name, name)}")
        if yes:
            return question.usual
        kind = click.Choice([name or "none" for name in question.choices])
        chosen: str = click.prompt("  which", default=question.usual or "none", type=kind)
        return "" if chosen == "none" else chosen

    attached = wizard.look(Machine())
    click.echo("This is attached:\n" + attached.as_text())
    answers: dict[str, str] = {}
    while left := [q for q in wizard.questions(attached, answers) if q.name not in answers]:
        name = left[0].name
        answers[name] = ask(left[0])
        # Refused where it is asked: nothing that was answered before is lost.
        wrong = wizard.objection(wizard.questions(attached, answers), answers, name)
        if wrong is not None:
            if yes:
                raise click.ClickException(wrong)
            click.echo(wrong)
            del answers[name]
    try:
        written = wizard.compose(wizard.settle(wizard.questions(attached, answers), answers))
        kept = wizard.write(config, written)
    except ConfigError as error:
        raise click.ClickException(f"these answers do not fit together: {error}") from error
    except OSError as error:
        raise click.ClickException(f"{config} cannot be written ({error.strerror})") from error
    if kept is not None:
        click.echo(f"The old configuration is kept as {kept}.")
    click.echo(f"{config} is written. Next: boardctl doctor, then boardctl selftest.")
