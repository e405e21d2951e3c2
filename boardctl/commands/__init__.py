"""The command line: `boardctl COMMAND`. Heavy imports wait until a command needs them.

Each file declares `command`, a click command or group with the file's name, and is found by that
name; a file whose name begins with an underscore is none.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import click

from boardctl import __version__
from boardctl.options import MissingPackageError

_SENTENCE = 300
"""More letters than any command's first sentence has."""


class Group(click.Group):
    """A group of commands whose help has their whole first sentences, wrapped rather than cut."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands."""
        rows = [
            (name, command.get_short_help_str(limit=_SENTENCE))
            for name in self.list_commands(ctx)
            if (command := self.get_command(ctx, name)) is not None
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


class _Commands(Group):
    """A group whose commands are found by file name."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; a package that it needs and that is not installed, or a file that cannot
        be opened, is one sentence."""
        try:
            return super().invoke(ctx)
        except MissingPackageError as error:
            raise click.ClickException(str(error)) from error
        except OSError as error:
            if error.filename is None:  # not of a file that somebody named
                raise
            raise click.ClickException(f"{error.filename}: {error.strerror}") from error

    def list_commands(self, ctx: click.Context) -> list[str]:
        names = (module.name for module in iter_modules(__path__))
        return sorted(name.replace("_", "-") for name in names if not name.startswith("_"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        module = import_module(f"{__name__}.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Look up a command; for an unknown one, suggest the closest name."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from difflib import get_close_matches

            near = get_close_matches(args[0], self.list_commands(ctx), n=1, cutoff=0.5)
            if not near or near[0] in error.format_message():
                raise
            said = error.format_message().rstrip(".")
            raise click.UsageError(f"{said}. Did you mean {near[0]!r}?", ctx) from error


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="boardctl")
def main() -> None:
    """A cribbage board without pegs: LEDs, a keypad and a referee."""
