"""The sources of randomness in tests.

The ordinary run (`make test`) is the same everywhere: Hypothesis derives its examples from each
test itself, keeps no database, and every other random walk starts from a seed in the test. With
`--seed` (`make long`) the run explores: Hypothesis draws many more examples. They and the `seed`
fixture depend on a seed that is new each time and printed; `make long SEED=n` repeats a run.

`test_chance.py` checks that no test uses another source.
"""

from __future__ import annotations

import secrets
from typing import Final

from hypothesis import Phase, settings

ORDINARY: Final = 20261121
"""The value of the `seed` fixture if no seed is given."""

MORE: Final = 20
"""The factor by which Hypothesis draws more examples when exploring."""

NEW: Final = "new"
"""The value of `--seed` that requests a new seed."""

_explored: int | None = None

# No deadline, because the machine may be busy with others.
settings.register_profile("ordinary", deadline=None, derandomize=True, database=None)
settings.register_profile(
    "mutants",
    settings.get_profile("ordinary"),
    phases=(Phase.explicit, Phase.generate),
)
settings.register_profile(
    "exploring",
    deadline=None,
    database=None,
    derandomize=False,
    max_examples=MORE * settings.get_profile("ordinary").max_examples,
    print_blob=True,
)


def explored() -> int | None:
    """Return the seed of an exploring run, None in an ordinary one."""
    return _explored


def begin(seed: str | None) -> None:
    """Prepare the run, before test modules are imported.

    Args:
        seed: the value of `--seed`: a number, `new`, or None for the ordinary run.

    Raises:
        ValueError: if it is neither a number nor `new`.
    """
    global _explored
    if seed is None:
        _explored = None
    elif seed == NEW:
        _explored = secrets.randbelow(2**32)
    else:
        _explored = int(seed)
    settings.load_profile("ordinary" if _explored is None else "exploring")


def examples(count: int) -> int:
    """Return `max_examples` for a test that draws this many in the ordinary run."""
    return count if _explored is None else MORE * count
