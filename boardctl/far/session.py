"""The session of two houses that know each other: a channel, and one game after another.

One house offers a game, and the other house accepts it. They draw the game's identifier together.
The offer and the answer each contain a temporary key (X25519); the channel's keys for this game are
derived from both. These keys are deleted once the next game has begun. Each message contains the
number of its game, so it is not valid in any other game. Pure, like the game and the channel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, count
from typing import Any, Final

from nacl import bindings
from nacl.exceptions import CryptoError as NaclError

from boardctl.far import GAMES, game_file, group
from boardctl.far.cards import party_of
from boardctl.far.channel import Channel, Taken
from boardctl.far.game import FarGame
from boardctl.far.game_log import UPDATE, Proposal, head
from boardctl.far.meeting import clean_name
from boardctl.games import IllegalMove

_ONCE: Final = 16
"""The length in bytes of each house's half of a game's identifier."""
_KEY: Final = 32
Names = tuple[Sequence[str], Sequence[str]]
"""The players of this house, and of the other house."""


def check(game: str, options: Mapping[str, str], each: int) -> None:
    """Check that these numbers of people in the two houses can play a game with these rules. Raises
    IllegalMove if they cannot."""
    if game not in GAMES:
        raise IllegalMove("far-no-game", game=game, allowed=", ".join(GAMES))
    if 2 * each not in GAMES[game]:
        raise IllegalMove("far-for-two", game=game)
    head(Proposal(b"", game, ("A", "B", "C", "D")[: 2 * each], options))


def seats(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names used at the table. A number is added to a repeated name. Raises ValueError
    if a name is invalid."""
    found: list[str] = []
    for entered in names:
        name = clean_name(str(entered))
        taken = {one.casefold() for one in found}
        numbered = (f"{name} {number}" for number in count(2))
        found.append(next(one for one in chain((name,), numbered) if one.casefold() not in taken))
    return tuple(found)


def _shared(secret: bytes, public: str) -> bytes:
    """Return the secret derived from our half of a key and the other house's half. Raises
    ValueError if the other half is invalid."""
    key = bytes.fromhex(str(public))
    if len(key) != _KEY:  # libsodium would read its input without checking the length
        raise ValueError("no key")
    try:
        return bindings.crypto_scalarmult(secret, key)
    except (NaclError, RuntimeError) as error:
        raise ValueError("no key") from error


class Session:
    """One house's side of a session. `own` is this house's name at the table. `name` is the other
    house's name as given at the meeting, whatever that house sends later. `partner` is the second
    player in this house in games for four, and empty in games for two. The players are named in
    each offer and its answer. Until then, the players of the last game are used."""

    def __init__(
        self,
        channel: Channel,
        own: str,
        name: str,
        draw: Callable[[int], bytes],
        partner: str = "",
    ) -> None:
        self.channel, self.own, self.name, self.partner = channel, own, name, partner
        self._draw = draw
        self.game: FarGame | None = None
        self.number = 0
        """The number of games begun."""
        self.offered: dict[str, Any] | None = None
        """The game offered by the other house."""
        self.offering: dict[str, Any] | None = None
        """The game offered by this house."""
        self._once_key = b""
        """The secret half of that offer's key."""
        self.is_withdrawn = False
        """Whether `offering` was withdrawn. A withdrawn offer is kept until the other house knows
        about the withdrawal, because that house may have accepted the offer before."""
        self.withdrawals = 0
        """The number of withdrawn offers, which distinguishes older answers from newer ones."""
        self.welcome = False
        """Whether the first offered game is accepted automatically because an invitation was
        accepted."""
        self.outdated = ""
        """The house whose board must be updated because it deals by an older protocol: `here`,
        `there` or ``."""
        self.is_aside = False
        """Whether this house has set the game aside and has told the other house."""
        self.is_aside_there = False
        """Whether the other house has set the game aside."""
        self.has_left = False
        """Whether the other house has removed this house from its list."""
        self.is_behind = False
        """Whether this state is an old copy. No message can be sent to the other house until both
        houses meet again."""

    @property
    def party(self) -> int:
        return self.channel.party

    @property
    def is_playing(self) -> bool:
        """Whether a game is in progress."""
        if self.game is None or self.is_behind or self.has_left:
            return False
        return not self.game.is_done and self.game.stop is None

    def offer(self, game: str, options: Mapping[str, str]) -> None:
        """Offer a game, which is for four if there is a partner, or accept the other house's offer.
        Raises IllegalMove."""
        if self.is_playing:
            raise IllegalMove("far-busy")
        self.check_known()
        if self.offered is not None:
            self.accept()
            return
        if self.offering is not None:  # offered already; if it was withdrawn, offer it again
            if self.is_withdrawn:
                self.is_withdrawn = False
                self.channel.post({"offer": self.offering, "k": self.number + 1})
            return
        names = self._names(2 if self.partner else 1)
        check(game, options, len(names))
        if self.channel.is_full:
            raise IllegalMove("far-unheard", name=self.name)
        self._once_key = self._draw(_KEY)
        self.offering = {
            "game": game,
            "options": dict(options),
            "once": self._draw(_ONCE).hex(),
            "names": names,
            "key": bindings.crypto_scalarmult_base(self._once_key).hex(),
            "deal": group.PROTOCOL,
        }
        self.channel.post({"offer": self.offering, "k": self.number + 1})

    def check_known(self) -> None:
        """Raise IllegalMove if the houses must meet again before they can play."""
        if self.is_behind:
            raise IllegalMove("far-behind", name=self.name)
        if self.has_left:
            raise IllegalMove("far-has-left", name=self.name)

    def withdraw(self) -> None:
        """Withdraw the offered game, unless the other house has already accepted it."""
        if self.offering is not None and not self.is_withdrawn:
            if self.channel.is_full:
                raise IllegalMove("far-unheard", name=self.name)
            self.is_withdrawn = True
            self.withdrawals += 1
            self.channel.post({"withdraw": self.withdrawals, "k": self.number + 1})

    def set_aside(self, is_aside: bool) -> None:
        """Tell the other house whether their game has been set aside at this house's table, unless
        it already knows. A version 1.0 board ignores the message."""
        if self.is_playing and is_aside != self.is_aside and not self.channel.is_full:
            self.is_aside = is_aside
            self.channel.post({"aside": is_aside, "k": self.number})

    def leave(self) -> None:
        """Tell the other house that it has been removed from this house's list. A version 1.0 board
        ignores the message."""
        self.channel.post({"farewell": True})

    @property
    def is_offering(self) -> bool:
        """Whether our offer is still unanswered by the other house."""
        return self.offering is not None and not self.is_withdrawn

    def accept(self) -> None:
        """Accept the offered game. Raises IllegalMove if the game cannot be played here."""
        offered = self.offered
        if offered is None or self.is_playing:
            return
        once, names = self._draw(_ONCE).hex(), self._names(len(offered["names"]))
        secret = self._draw(_KEY)
        shared = _shared(secret, offered["key"])
        key = bindings.crypto_scalarmult_base(secret).hex()
        self._begin(offered, once, (names, offered["names"]))
        acceptance = {"accept": once, "names": names, "key": key, "deal": group.PROTOCOL}
        self.channel.post({**acceptance, "k": self.number})
        self.channel.rekey(shared, bytes.fromhex(offered["key"]), bytes.fromhex(key))
        self.flush()

    def seat(self, own: str, partner: str) -> None:
        """Set this house's players for the next game. An empty name stands for the player of the
        last game. An existing offer is not changed."""
        if self.offering is None:
            self.own, self.partner = own or self.own, partner or self.partner

    def _names(self, count: int) -> list[str]:
        """Return the names of this house's players."""
        return [self.own, self.partner or self.own][:count]

    def take(self, packet: bytes) -> Taken:
        """Handle a packet from the other house, with all its consequences."""
        if self.is_behind:
            return Taken()
        taken = self.channel.take(packet)
        if not taken.is_taken:
            return taken
        self.is_behind = self.is_behind or taken.is_behind
        if taken.message is not None:
            try:
                self._take(taken.message)
            except (AttributeError, IllegalMove, KeyError, TypeError, ValueError):
                self.offered = None  # this house could not play it
            self.flush()
        return taken

    def flush(self) -> None:
        """Pass the game's messages to the channel."""
        game = self.game
        while game is not None and game.out and not self.has_left:
            self.channel.post({"g": self.number, "m": game.out.pop(0)})

    def _take(self, message: dict[str, Any]) -> None:
        if "g" in message:
            if message["g"] == self.number and self.game is not None:
                self.game.receive(message["m"] if isinstance(message["m"], dict) else {})
        elif "farewell" in message:
            self.has_left, self.welcome, self.is_withdrawn = True, False, False
            self.offered = self.offering = None
            self.channel.outbox.clear()
        elif "aside" in message:
            if message["k"] == self.number and isinstance(message["aside"], bool):
                self.is_aside_there = message["aside"]
        elif message.get("k") != self.number + 1:
            return
        elif "accept" in message and self.offering is not None:
            own, key = self.offering["names"], str(self.offering["key"])
            if not self._is_alike(message):
                self._decline()
                return
            shared, theirs = _shared(self._once_key, message["key"]), str(message["key"])
            self._begin(self.offering, str(message["accept"]), (own, message["names"]))
            self.channel.rekey(shared, bytes.fromhex(key), bytes.fromhex(theirs))
        elif "speaks" in message:
            self._is_alike({"deal": message["speaks"]})
            if self.outdated:
                self.offering, self.is_withdrawn = None, False
        elif "withdraw" in message:
            if type(message["withdraw"]) is not int or not 0 < message["withdraw"] < 1 << 31:
                return
            self.offered = None
            self.channel.post({"withdrawn": message["withdraw"], "k": self.number + 1})
        elif "withdrawn" in message:
            if self.is_withdrawn and message["withdrawn"] == self.withdrawals:
                self.offering, self.is_withdrawn = None, False
        elif "offer" in message:
            if self.offering is not None and self.party == 1:
                # Both houses have offered at once. House 1's offer counts. The other house accepts
                # it as soon as it arrives, even if it has been withdrawn.
                return
            said = message["offer"]["names"]
            if not self._is_alike(message["offer"]):
                if self.outdated == "there":
                    names = self._names(len(said))
                    self.channel.post({"accept": "00" * 16, "names": names, "k": self.number + 1})
                self._decline()
                return
            if not isinstance(said, list) or len(said) not in (1, 2):
                raise ValueError("no names")
            offered = {
                "game": str(message["offer"]["game"]),
                "options": dict(message["offer"]["options"]),
                "once": str(message["offer"]["once"]),
                "names": [clean_name(str(name)) for name in said],
                "key": str(message["offer"]["key"]),
            }
            _shared(self._draw(_KEY), str(offered["key"]))
            self._proposal(offered, "00" * 16, self.number + 1, (self._names(len(said)), said))
            self.offered = offered
            if self.is_offering or self.welcome:
                # not before its own game is over; the other house's game may already be over
                self.accept()

    def _is_alike(self, offer: Mapping[str, Any]) -> bool:
        """Return whether an offer or its answer comes from a board with our deal protocol. A
        version 1.0 board does not name its protocol."""
        theirs = offer.get("deal", 1)
        if type(theirs) is not int:
            raise ValueError("no version")
        difference = theirs - group.PROTOCOL
        self.outdated = "" if not difference else "here" if difference > 0 else "there"
        return not difference

    def _decline(self) -> None:
        """Refuse a game with a board that uses another deal protocol, and make that board refuse
        too."""
        self.offered = self.offering = None
        self.welcome = self.is_withdrawn = False
        if self.outdated == "there":  # it considers the game begun, so tell it the reason
            self.number, self.game = self.number + 1, None
            self.channel.post({"g": self.number, "m": {"t": "stop", "code": UPDATE, "n": 0}})
        else:
            self.channel.post({"speaks": group.PROTOCOL, "k": self.number + 1})

    def _begin(self, offer: Mapping[str, Any], once: str, names: Names) -> None:
        number = self.number + 1
        proposal = self._proposal(offer, once, number, names)
        self.game = FarGame(proposal, self.party, self._draw)
        self.number = number
        own = [name for seat, name in enumerate(proposal.seats, 1) if party_of(seat) == self.party]
        self.partner = own[1] if len(own) > 1 else ""
        self.offered = self.offering = None
        self._once_key = b""
        self.welcome = self.is_withdrawn = False
        self.is_aside = self.is_aside_there = False
        self.game.settle()

    def _proposal(self, offer: Mapping[str, Any], once: str, number: int, names: Names) -> Proposal:
        """Return the game that results from an offer, the other house's half of the game's
        identifier, and the names in both houses, ours first. Raises IllegalMove, KeyError,
        TypeError or ValueError if the game cannot be played here."""
        game, options = str(offer["game"]), dict(offer["options"])
        ours, theirs = names
        if len(ours) != len(theirs):
            raise ValueError("not as many names")
        check(game, options, len(ours))
        nonces = bytes.fromhex(str(offer["once"])), bytes.fromhex(once)
        if any(len(nonce) != _ONCE for nonce in nonces):
            raise ValueError("no half of a name")
        drawn = group.digest("game", self.channel.ident, number.to_bytes(4, "big"), *nonces)
        pairs = zip(*(names if self.party == 1 else (theirs, ours)), strict=True)
        return Proposal(drawn[:32], game, seats([name for pair in pairs for name in pair]), options)

    def to_json(self) -> dict[str, Any]:
        """Return the whole state as JSON for a file that only its owner may read. The channel must
        already contain the game's messages, because a line without its message would never reach
        the other house."""
        self.flush()
        return {
            "channel": self.channel.to_json(),
            "own": self.own,
            "partner": self.partner,
            "name": self.name,
            "number": self.number,
            "offered": self.offered,
            "offering": self.offering,
            "once_key": self._once_key.hex(),
            "withdrawn": self.is_withdrawn,
            "withdrawals": self.withdrawals,
            "welcome": self.welcome,
            "aside": self.is_aside,
            "aside_there": self.is_aside_there,
            "left": self.has_left,
            "outdated": self.outdated,
            "game": None if self.game is None else game_file.to_json(self.game),
        }

    @classmethod
    def from_json(
        cls, stored: Mapping[str, Any], seed: bytes, draw: Callable[[int], bytes]
    ) -> Session:
        """Restore the state from `to_json`. Raises KeyError, TypeError or ValueError if the data is
        damaged."""
        channel = Channel.from_json(stored["channel"], seed, draw)
        one = cls(channel, str(stored["own"]), str(stored["name"]), draw, str(stored["partner"]))
        one.number = int(stored["number"])
        one.offered, one.offering = stored["offered"], stored["offering"]
        one._once_key = bytes.fromhex(stored.get("once_key", ""))
        one.welcome = bool(stored["welcome"])
        one.is_withdrawn = bool(stored.get("withdrawn"))
        one.withdrawals = int(stored.get("withdrawals", 0))
        one.is_aside = bool(stored.get("aside"))
        one.is_aside_there = bool(stored.get("aside_there"))
        one.has_left = bool(stored.get("left"))
        one.outdated = str(stored.get("outdated", ""))
        if stored["game"] is not None:
            one.game = game_file.from_json(stored["game"], draw)
            one.flush()
        return one
