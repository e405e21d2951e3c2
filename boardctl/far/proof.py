"""Check the opened deals of a game between two houses, as anybody can who has its file. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from boardctl.far import deal as dealing
from boardctl.far import keeping
from boardctl.far.deal import Deviation, Terms


class Proven(NamedTuple):
    """A deal that follows from both secrets: its number, and the pack's cards by place."""

    number: int
    cards: tuple[int, ...]


def proven(lines: Iterable[str]) -> Iterator[Proven]:
    """The deals of a file with one transcript on each line (`keeping.transcript`).

    Raises:
        ValueError: a line is no transcript. Deviation: a commitment, a pack or a number does not
        follow from the secrets.
    """
    last = 0
    for line in lines:
        try:
            proof = json.loads(line)
            terms = Terms(bytes.fromhex(proof["game"]), int(proof["number"]), int(proof["cards"]))
            one, two = (bytes.fromhex(secret) for secret in proof["secrets"])
            commitments = [str(commitment) for commitment in proof["commitments"]]
            packs = [keeping.pack_of(pack) for pack in proof["packs"]]
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"no transcript of a deal: {line[:60]!r}") from error
        if terms.number != last + 1 or len(commitments) != 2 or len(packs) > dealing.PACKS:
            raise Deviation("out-of-turn", number=terms.number)
        for house, secret in ((1, one), (2, two)):
            dealing.check(terms, house, secret, commitments[house - 1], packs, {})
        last = terms.number
        complete = len(packs) == dealing.PACKS
        yield Proven(last, dealing.order(terms, one, two) if complete else ())
