"""The command line: `boardctl COMMAND`. A module that imports slowly is imported only when a
command needs it.

Each file in a `commands` folder, here and in other packages, declares `command`: a click command or
group that has the name of the file. Files whose names begin with an underscore are not commands.
"""

from __future__ import annotations

import errno
import sys
from functools import cache
from gettext import gettext
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import click

import boardctl
from boardctl import __version__, modules
from boardctl.commands.shared.translations import translated
from boardctl.options import CodedError

_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
"""Error codes of a full disk."""
_SENTENCE = 300
"""A length that exceeds the first sentence of every command."""


@cache
def _modules() -> dict[str, str]:
    """Return the module of each command, by the name of the command."""
    rooms = sorted(path.parent for path in Path(boardctl.__file__).parent.glob("*/commands/"))
    packages = {__name__: __path__[0]}
    packages |= {f"boardctl.{room.name}.commands": str(room / "commands") for room in rooms}
    return {
        name.replace("_", "-"): f"{package}.{name}"
        for package, folder in packages.items()
        for name in modules.names([folder])
        if Path(folder, f"{name}.py").is_file()
    }


class Group(click.Group):
    """A command group whose help text wraps the first sentence about each command instead of
    truncating it."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands."""
        rows = [
            (name, command.get_short_help_str(limit=_SENTENCE))
            for name in self.list_commands(ctx)
            if (command := self.get_command(ctx, name)) is not None
        ]
        with formatter.section(gettext("Commands")):
            formatter.write_dl(rows)


class _Commands(Group):
    """A group that finds its commands by file name and runs them in the user's language."""

    def main(self, *args: Any, **more: Any) -> Any:
        """Run the program."""
        with translated():
            try:
                return super().main(*args, **more)
            except OSError as error:  # output that was redirected to a file
                if error.errno not in _FULL:
                    raise
                from boardctl import text
                from boardctl.commands.shared.user_language import spoken

                click.ClickException(text.sentence(error, spoken())).show()
                sys.exit(1)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments before the command's name. Options whose output is the same in every
        language are handled first, because detecting the user's language takes as long as
        everything else."""
        if args != ["--version"]:
            from boardctl.commands.shared import user_language

            user_language.speak(user_language.language())
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command. For a known error or a file that cannot be opened, print one sentence."""
        try:
            return super().invoke(ctx)
        except (CodedError, OSError) as error:
            from boardctl import text
            from boardctl.commands.shared.user_language import spoken

            said = text.sentence(error, spoken())
            if isinstance(error, OSError):
                if error.filename is None:  # not about a file that the user named
                    raise
                said = f"{error.filename}: {said}"
            raise click.ClickException(said) from error

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_modules())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _modules():
            return None
        from boardctl.commands.shared import help_texts
        from boardctl.commands.shared.user_language import spoken

        return help_texts.translated(self.original(cmd_name), spoken())

    @staticmethod
    def original(name: str) -> click.Command:
        """Return a command as declared in its file, in English."""
        module = import_module(_modules()[name])
        command: click.Command = module.command
        return command

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return the `--help` option in the current language. Click itself creates this option only
        once."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = gettext("Show this message and exit.")
        return option

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help of the program itself."""
        from boardctl.commands.shared import help_texts
        from boardctl.commands.shared.user_language import spoken

        shown = help_texts.Formatter(formatter.indent_increment, formatter.width)
        Group.format_help(help_texts.translated(self, spoken()), ctx, shown)
        formatter.write(shown.getvalue())

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Look up a command. If its name is unknown, suggest the closest name."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from difflib import get_close_matches

            from boardctl.commands.shared.user_language import say

            near = get_close_matches(args[0], self.list_commands(ctx), n=1, cutoff=0.5)
            if not near or near[0] in error.format_message():
                raise
            said = error.format_message().rstrip(".。")
            raise click.UsageError(say("did-you-mean", said=said, near=near[0]), ctx) from error


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="boardctl")
def main() -> None:
    """A cribbage board without pegs: LEDs, a keypad and a referee."""
