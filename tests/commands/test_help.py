"""The output of `--help`: whole sentences, in every group of commands."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from boardctl.commands import main


def groups(command: click.Command, *path: str) -> Iterator[tuple[str, ...]]:
    """Return the paths of all groups of commands: the names that are typed."""
    if isinstance(command, click.Group):
        yield path
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from groups(found, *path, name)


@pytest.mark.parametrize("path", list(groups(main)), ids=lambda path: " ".join(path) or "boardctl")
def test_no_sentence_of_a_list_of_commands_is_cut(path: tuple[str, ...]) -> None:
    shown = CliRunner().invoke(main, [*path, "--help"]).output
    assert "Commands:" in shown
    assert "..." not in shown.partition("Commands:")[2]
