"""The keypad modes for entering points, hands and cards."""

from __future__ import annotations

from boardctl import text
from boardctl.console.keypad import correction, screen
from boardctl.console.keypad.machine import press
from boardctl.console.keypad.mode import MODES, Mode
from boardctl.console.keypad.state import (
    ANSWERS,
    RANKS,
    REST,
    SCORE_DIGITS,
    SUITS,
    Answer,
    KeypadState,
    TableView,
    answer,
    auction,
    number_of,
    numbered,
    refuse,
    submit,
)
from boardctl.games import CORRECTIONS, Ask, IllegalMove, Move, Played
from boardctl.games.cards import Card
from boardctl.message import Message
from boardctl.text import moves as words
from boardctl.text import spoken
from boardctl.text.moves import readouts


def press_as(state: KeypadState, view: TableView, key: str, seat: int) -> Answer:
    """Return the state after a key on one player's own pad. No seat key is needed there, and the
    keys do not affect other players' entries. At rest, digits and `A` to `D` are the player's
    points, cards and go. `#` opens the player's next entry, or one that belongs to no player."""
    if state.mode not in ("rest", "refused") or seat > len(view.seats):
        return press(state, view, key)
    mine = REST._replace(mode="seat", seat=seat)
    if key == "#" and view.asks:
        first = view.asks[0]
        if first.seat in (None, seat):
            return press(state, view, key)
        if any(ask.seat == seat for ask in view.asks):
            return press(mine, view, key)
        return refuse(IllegalMove("not-your-turn", turn=first.seat, seat=seat)), None
    if key not in RANKS and key != "D":
        return press(state, view, key)
    due = view.cards_due
    if due is None:
        return press(mine, view, key)
    if due.seat not in (None, seat):
        return refuse(IllegalMove("not-your-turn", turn=due.seat, seat=seat)), None
    return press(state, view, key)


def enter(state: KeypadState, view: TableView, cards: tuple[Card, ...]) -> KeypadState:
    """Return the state after a camera has seen cards. The cards are previewed as the hand being
    typed, or else as the first expected hand with that number of cards."""
    asks = (state.ask,) if state.mode == "cards" and state.ask is not None else view.asks
    hands = [ask for ask in asks if ask.kind == "cards" and ask.most > 1]
    hand = next((ask for ask in hands if ask.least <= len(cards) <= ask.most), None)
    if hand is None:
        return refuse(IllegalMove("no-such-hand", count=len(cards)))
    typed = _open(hand)._replace(cards=cards)
    return settle(hand.move._replace(cards=cards), typed, view)[0]


def spoken_move(view: TableView, move: Move) -> Answer:
    """Return the state after a spoken move, which is submitted immediately unless it needs further
    details."""
    if move.kind in CORRECTIONS:
        return submit(move)
    return settle(move, REST, view, at_once=True)


class Rest(Mode):
    """The mode at rest, when nothing is being typed."""

    name = "rest"

    def press(self, state: KeypadState, view: TableView, key: str) -> Answer:
        first, due = view.asks[0] if view.asks else None, view.cards_due
        if key == "#" and first is not None and first is not due:
            return _take(first, view)
        if due is not None:
            return _card_due(due, view, key)
        if key in SUITS:
            seat = "ABCD".index(key) + 1
            if seat <= len(view.seats):
                return REST._replace(mode="seat", seat=seat), None
        return REST, None

    def screen(self, state: KeypadState, view: TableView) -> tuple[str, ...]:
        ask = view.asks[0] if view.asks else None
        if ask is None:
            first = screen.say("points", view)
        else:
            first = (
                screen.say(f"points-{ask.code}", view)
                if ask.after_points
                else screen.question(ask, view)
            )
        if view.offer is not None:
            seat, points = view.offer.move.seat, view.offer.points
            return first, screen.say("offer", view, seat=seat, points=points)
        shown = screen.above_scores(first, view)
        if view.margin not in (None, "game"):  # replaces the scores, which the pegs show
            shown = first, screen.say(f"margin-{view.margin}", view)
        if view.spoken_readouts:
            shown = first, " ".join(readouts(view.spoken_readouts, view.seats, view.language))
        if view.unfinished is not None:
            return *shown, *screen.above_scores(screen.say("left", view), view.waiting)
        return shown

    def spoken(self, state: KeypadState, view: TableView) -> list[str]:
        from boardctl.console.keypad import spoken as aloud

        language = view.language
        parts = []
        if view.offer is not None:
            seat, points = view.offer.move.seat, view.offer.points
            parts.append(spoken.say("offer", language, view.seats, seat=seat, points=points))
        if not view.asks:
            return (
                [*parts, spoken.say("points", language)]
                if view.prompt.pegs
                else [*parts, _over(view)]
            )
        first, due = view.asks[0], view.cards_due
        if view.unfinished is not None:
            parts.append(spoken.say("left", view.language))
            parts += aloud.score(view.waiting)[:-1]
        if first is due:
            parts.append(aloud.question(first, view))
        elif first.after_points:
            parts.append(spoken.say("points", language))
            parts.append(spoken.say("points-or", language, what=aloud.question(first, view)))
        elif first.kind == "confirm":
            what = words.question(first, ("do", "ask"), view.seats, language).rstrip("?？")
            parts.append(spoken.say("press", language, what=what))
        else:
            parts.append(spoken.say("open", language, what=aloud.question(first, view)))
            if due is not None:
                parts.append(aloud.question(due, view))
        return parts

    def typing(self, state: KeypadState, view: TableView) -> frozenset[str] | None:
        return frozenset(RANKS) if view.cards_due is not None else frozenset()

    def cleared(self, state: KeypadState, view: TableView) -> KeypadState:
        """Ask whether to take back the last move."""
        return REST._replace(mode="back", target=view.deal[-1].identity) if view.deal else REST

    def revised(self, state: KeypadState, view: TableView) -> KeypadState:
        return REST


class Refused(Rest):
    """The mode after a hand has been rejected, which shows the reason."""

    name = "refused"

    def press(self, state: KeypadState, view: TableView, key: str) -> Answer:
        """Handle the first key after a hand has been rejected. A `#`, meant to peg the hand, only
        clears the message."""
        return (REST, None) if key == "#" else super().press(REST, view, key)

    def revised(self, state: KeypadState, view: TableView) -> KeypadState:
        """Remove a message about an earlier state of the table."""
        if state.refused is not None and state.refused.code == "overtaken":
            return REST
        return state


class SeatEntry(Mode):
    """The mode for a player's points or hand."""

    name = "seat"
    submits_typed = True

    def press(self, state: KeypadState, view: TableView, key: str) -> Answer:
        """Handle the keys after a seat key: points and `#`, or, if a hand is expected, its ranks.
        The number of digits decides between the two. A first `D` means a go, or is the minus sign
        of negative points. A hand that is not yet expected is typed in the same way, and rejected
        at `#`."""
        assert state.seat is not None
        mine = tuple(ask for ask in view.prompt.asks if ask.seat == state.seat)
        if key == "#":
            if not state.keys:
                return _offers(state, mine, view)
            try:
                number = number_of(state.keys, view, state.seat)
            except IllegalMove as error:
                return refuse(error), None
            return _points(state.seat, number, mine, view)
        if key == "D" and not state.keys:
            go = next((ask.move for ask in mine if ask.code == "go"), None)
            if view.prompt.signed and state.seat in view.prompt.pegs:
                return state._replace(keys="-"), None
            return submit(go) if go is not None else (state, None)
        hands = view.hands(state.seat)
        if key not in RANKS:
            return state, None
        keys = state.keys + key
        hand = next((ask for ask in hands if ask.least == len(keys)), None)
        if hand is not None:
            cards = tuple(Card(RANKS[k]) for k in keys)
            return settle(
                hand.move._replace(cards=cards), _open(hand)._replace(cards=cards, keys=keys), view
            )
        longest = max((ask.least for ask in hands), default=SCORE_DIGITS + 1)
        if len(keys.removeprefix("-")) > longest:
            return state, None
        typed = state._replace(keys=keys)
        if not hands and key in "ABC":
            try:
                number_of(keys, view, state.seat)
            except IllegalMove as error:
                return typed._replace(refused=error), None
        return typed, None

    def screen(self, state: KeypadState, view: TableView) -> tuple[str, str]:
        assert state.seat is not None
        code = "points-of" if view.prompt.scale == 1 else "tens-of"
        code = "points-or-hand" if view.hands(state.seat) else code
        return screen.say("seat", view, seat=state.seat), state.keys or screen.say(code, view)

    def spoken(self, state: KeypadState, view: TableView) -> list[str]:
        assert state.seat is not None
        hands, scale = view.hands(state.seat), view.prompt.scale
        if not state.keys:
            code = "seat-hand" if hands else "seat"
            parts = [spoken.say(code, view.language, view.seats, seat=state.seat)]
            if scale > 1 and state.seat in view.prompt.pegs:
                parts.append(spoken.say("scale", view.language, scale=scale))
            parts += [
                spoken.say("bid-scale", view.language, scale=ask.scale)
                for ask in view.prompt.asks
                if (ask.seat, ask.kind) == (state.seat, "number") and ask.scale > scale
            ]
            return parts
        keys = spoken.key_names(state.keys, view.language)
        parts = [spoken.say("typed", view.language, view.seats, seat=state.seat, keys=keys)]
        if hands and not state.keys.isdigit():
            missing = hands[0].least - len(state.keys)
            parts.append(spoken.say("more", view.language, count=missing))
        return parts

    def typing(self, state: KeypadState, view: TableView) -> frozenset[str] | None:
        return None


class CardEntry(Mode):
    """The mode for entering cards one by one."""

    name = "cards"
    submits_typed = True

    def press(self, state: KeypadState, view: TableView, key: str) -> Answer:
        """Enter cards one by one. The last card completes the hand. Before the first card, `#`
        switches to the next cards that may be entered for that player, for example from the throw
        to the whole hand."""
        ask = state.ask
        assert ask is not None
        if key == "#":
            if state.cards and ask.least <= len(state.cards):
                return settle(ask.move._replace(cards=state.cards), state, view)
            return (state, None) if state.cards else (_open(_next_cards(ask, view)), None)
        if key not in RANKS:
            return state, None
        card = Card(RANKS[key])
        if not ask.ranks:
            return state._replace(
                mode="suit", cards=(*state.cards, card), keys=state.keys + key
            ), None
        return _more(state._replace(cards=(*state.cards, card), keys=state.keys + key), view)

    def screen(self, state: KeypadState, view: TableView) -> tuple[str, str]:
        assert state.ask is not None
        shown = " ".join(
            map(str, view.hide_cards(state.ask.move._replace(cards=state.cards)).cards)
        )
        return screen.question(state.ask, view), shown + " _" * (state.ask.least - len(state.cards))

    def spoken(self, state: KeypadState, view: TableView) -> list[str]:
        from boardctl.console.keypad import spoken as aloud

        assert state.ask is not None
        parts = [aloud.question(state.ask, view)]
        if state.cards:
            typed = view.hide_cards(state.ask.move._replace(cards=state.cards)).cards
            known = spoken.cards(typed, view.language)
            parts.append(spoken.say("entered", view.language, cards=known))
        missing = state.ask.least - len(state.cards)
        if missing > 0 and state.ask.most > 1:
            parts.append(spoken.say("more", view.language, count=missing))
        return parts

    def typing(self, state: KeypadState, view: TableView) -> frozenset[str] | None:
        return frozenset(RANKS)

    def cleared(self, state: KeypadState, view: TableView) -> KeypadState:
        return _open(state.ask) if state.ask is not None and state.cards else REST

    def is_stale(self, state: KeypadState, view: TableView) -> bool:
        return state.ask is not None and state.ask not in view.prompt.asks


class SuitEntry(Mode):
    """The mode for entering the last typed card's suit."""

    name = "suit"
    is_listed = True

    def press(self, state: KeypadState, view: TableView, key: str) -> Answer:
        if key not in SUITS:
            return state, None
        card = state.cards[-1]._replace(suit=SUITS[key])
        return _more(state._replace(mode="cards", cards=(*state.cards[:-1], card)), view)

    def screen(self, state: KeypadState, view: TableView) -> tuple[str, str]:
        assert state.ask is not None
        shown = view.hide_cards(state.ask.move._replace(cards=state.cards)).cards
        return screen.say("suit", view, card=shown[-1]), screen.SUIT_KEYS

    def spoken(self, state: KeypadState, view: TableView) -> list[str]:
        from boardctl.console.keypad import effects

        return [spoken.say("suit", view.language, card=effects.last_card(state, view))]

    def is_stale(self, state: KeypadState, view: TableView) -> bool:
        return state.ask is not None and state.ask not in view.prompt.asks


class NumberEntry(Mode):
    """The mode for entering a number."""

    name = "number"
    submits_typed = True

    def press(self, state: KeypadState, view: TableView, key: str) -> Answer:
        ask = state.ask
        assert ask is not None
        if key == "#" and state.keys:
            try:
                number = number_of(state.keys, view)
                move = ask.move._replace(numbers=(number * ask.scale,))
                _check_most(move, ask.most)
            except IllegalMove as error:
                return refuse(error), None
            return submit(move)
        if key == "#":  # go to that player's other options, such as a pass instead of a bid
            others = tuple(other for other in view.asks if other.seat == ask.seat)
            choices = _choices(others)
            return (
                REST._replace(mode="choice", seat=ask.seat, choices=choices) if choices else state
            ), None
        if key.isdigit() and len(state.keys) < 4:
            return state._replace(keys=state.keys + key), None
        return state, None

    def screen(self, state: KeypadState, view: TableView) -> tuple[str, str]:
        """Return the typed number. If it is entered in tens, add the final zero, which is not
        typed."""
        assert state.ask is not None
        scale = state.ask.scale
        typed = f"{int(state.keys) * scale}_" if state.keys else str(scale).replace("1", "_")
        return screen.question(state.ask, view), typed

    def spoken(self, state: KeypadState, view: TableView) -> list[str]:
        from boardctl.console.keypad import spoken as aloud

        assert state.ask is not None
        parts = [aloud.question(state.ask, view)]
        if state.keys:
            number = int(state.keys) * state.ask.scale
            accepted = not aloud.not_taken(state, view)
            parts.append(
                spoken.say("number", view.language, number=number) if accepted else str(number)
            )
        elif state.ask.scale > 1:
            parts.append(spoken.say("scale", view.language, scale=state.ask.scale))
        return parts

    def typing(self, state: KeypadState, view: TableView) -> frozenset[str] | None:
        return None

    def is_stale(self, state: KeypadState, view: TableView) -> bool:
        return state.ask is not None and state.ask not in view.prompt.asks


class Choice(Mode):
    """The mode for choosing between moves."""

    name = "choice"
    is_listed = True

    def press(self, state: KeypadState, view: TableView, key: str) -> Answer:
        """Handle keys while choices are shown. A digit chooses one. `#` shows the next choices or,
        in an auction, the next contract height."""
        bids = auction(state.choices)
        shown = 1 if bids else len(screen.page(state, view))
        if key == "#":
            place = state.place + shown
            return state._replace(place=place if place < len(bids or state.choices) else 0), None
        offered = dict(numbered(state) if bids else numbered(state)[:shown])
        if key.isdigit() and int(key) in offered:
            return settle(offered[int(key)], state, view, at_once=True)
        return state, None

    def screen(self, state: KeypadState, view: TableView) -> tuple[str, ...]:
        head = (
            screen.question(state.ask, view) if state.ask is not None else screen.say("which", view)
        )
        if not auction(state.choices):
            return head, " ".join(screen.page(state, view))
        bids = [
            f"{key}{screen.short_of(move, view).replace(' ', '')}" for key, move in numbered(state)
        ]
        higher = auction(state.choices)[state.place + 1 :]
        return screen.paged(head, [*bids, "#>"] if higher else bids)

    def spoken(self, state: KeypadState, view: TableView) -> list[str]:
        from boardctl.console.keypad import spoken as aloud

        if state.ask is not None:
            return [aloud.question(state.ask, view)]
        return [spoken.say("which", view.language)]

    def is_stale(self, state: KeypadState, view: TableView) -> bool:
        return state.ask is not None and state.ask not in view.prompt.asks


class PreviewEntry(Mode):
    """The mode that previews the points of a hand."""

    name = "preview"
    submits_typed = True

    def press(self, state: KeypadState, view: TableView, key: str) -> Answer:
        """Handle keys while a preview is shown. `#` or the player's seat key pegs the hand. If
        another surface has changed the hand's points, the preview is shown once more."""
        move = state.move
        assert move is not None
        if key == "#" or (move.seat is not None and key == "ABCD"[move.seat - 1 : move.seat]):
            worth = _worth(state, view)
            if worth is not None and worth != state.points:
                return state._replace(points=worth), None
            return correction.submit_for(state, view, move)
        return state, None

    def screen(self, state: KeypadState, view: TableView) -> tuple[str, ...]:
        seat = state.move.seat if state.move is not None else None
        return screen.say("preview", view, seat=seat, points=state.points), screen.say("pegs", view)

    def spoken(self, state: KeypadState, view: TableView) -> list[str]:
        from boardctl.console.keypad import spoken as aloud

        move = state.move
        assert move is not None
        held = spoken.cards(view.hide_cards(move).cards, view.language)
        if move.seat is None and held and not aloud.not_taken(state, view):
            return [spoken.say("press", view.language, what=held)]
        fields = {"seat": move.seat, "points": state.points, "cards": held}
        code = "preview" if held else "preview-bare"
        if aloud.not_taken(state, view):
            return [spoken.say("entered", view.language, cards=held)] if held else []
        return [spoken.say(code, view.language, view.seats, **fields)]

    def cleared(self, state: KeypadState, view: TableView) -> KeypadState:
        return _open(state.ask) if state.ask is not None and state.cards else REST

    def is_stale(self, state: KeypadState, view: TableView) -> bool:
        return _worth(state, view) != state.points


class Question(PreviewEntry):
    """The mode for the referee's question about the suits in a hand."""

    name = "question"
    submits_typed = False
    is_listed = True

    def press(self, state: KeypadState, view: TableView, key: str) -> Answer:
        """Handle keys while a question is shown. A digit chooses its answer. `#` and `0` choose the
        first answer, which does not claim any additional points. `A` turns the page if there are
        more answers than digits."""
        if key == "#":
            return super().press(state, view, key)
        if key == "A" and len(state.choices) > ANSWERS + 1:
            place = state.place + ANSWERS
            return state._replace(place=place if place + 1 < len(state.choices) else 0), None
        if (chosen := answer(state, key)) is not None:
            return correction.submit_for(state, view, chosen)
        return state, None

    def screen(self, state: KeypadState, view: TableView) -> tuple[str, ...]:
        """Return lines that show the move that `#` would peg, and the other answers."""
        first = state.place + 1
        shown = []
        for n, move in enumerate(state.choices[first : first + ANSWERS], 1):
            short = _claim(move.words, view)
            shown.append(f"{n}{'=' * short[:1].isdigit()}{short}")
        if len(state.choices) > ANSWERS + 1:
            shown.append("A>")
        seat = state.choices[0].seat
        return screen.paged(screen.say("preview-or", view, seat=seat, points=state.points), shown)

    def cleared(self, state: KeypadState, view: TableView) -> KeypadState:
        if state.target is not None and not (state.ask is not None and state.cards):
            return REST._replace(mode="retype", target=state.target)
        return super().cleared(state, view)


class TakeBack(Mode):
    """The mode that asks whether to take back the last move."""

    name = "back"
    only_hash = True

    def press(self, state: KeypadState, view: TableView, key: str) -> Answer:
        if key != "#":
            return REST, None
        if not _is_last(state, view):
            return refuse(IllegalMove("overtaken")), None
        return submit(view.undoing or Move("undo"))

    def screen(self, state: KeypadState, view: TableView) -> tuple[str, ...]:
        """Return lines that show the move to take back: a correction, or the last move made by a
        person."""
        undo = view.undoing
        if undo is not None and undo.verb != "undo":
            return screen.say("back-correction", view), screen.say("yes", view)
        count = undo.numbers[0] if undo is not None and undo.numbers else 1
        if count == 1 and view.last_points:
            return screen.say("back-points", view, points=view.last_points), screen.say("yes", view)
        last = screen.described(view.deal[-count].move, view) if count <= len(view.deal) else ""
        return screen.beside(screen.say("back", view, line=last), screen.say("yes", view))

    def spoken(self, state: KeypadState, view: TableView) -> list[str]:
        from boardctl.console.keypad import spoken as aloud

        undo = view.undoing
        if undo is not None and undo.verb != "undo":
            return [spoken.say("back-correction", view.language), *aloud.choices(state, view)]
        count = undo.numbers[0] if undo is not None and undo.numbers else 1
        line = ""
        if count <= len(view.deal):
            line = spoken.move(view.hide_cards(view.deal[-count].move), view.seats, view.language)
        return [spoken.say("back", view.language, line=line), *aloud.choices(state, view)]

    def revised(self, state: KeypadState, view: TableView) -> KeypadState:
        """End the entry unless the move to take back is still the last one. The message remains
        until the next key or move."""
        if _is_last(state, view):
            return state
        return KeypadState(mode="refused", refused=IllegalMove("overtaken"))


def _worth(state: KeypadState, view: TableView) -> int | None:
    """Return the points of a preview's move, or None if it would be rejected."""
    assert state.move is not None
    try:
        return _earned(correction.attempt_for(state, view, state.move))
    except IllegalMove:
        return None


def _is_last(state: KeypadState, view: TableView) -> bool:
    """Return whether the move to be taken back is still the last one."""
    return bool(view.deal) and view.deal[-1].identity == state.target


def _card_due(ask: Ask, view: TableView, key: str) -> Answer:
    """Enter the play card by card. A rank plays a card for the player whose turn it is, and `D`
    says go. A choice offered before the card, such as a meld, is opened with `#`, or skipped by
    playing a card."""
    if key == "D":
        go = next((a.move for a in view.asks if a.code == "go"), None)
        return submit(go or Move("go", ask.seat))
    if key in RANKS and ask.ranks:
        return submit(ask.move._replace(cards=(Card(RANKS[key]),)))
    if key in RANKS:
        return MODES["cards"].press(_open(ask), view, key)
    return REST, None


def _take(ask: Ask, view: TableView) -> Answer:
    """Handle `#` while the display offers an entry (an `Ask`). Submit its move at once if nothing
    needs to be typed. Otherwise open its entry.
    """
    if ask.kind == "confirm":
        return settle(ask.move, REST._replace(ask=ask), view, at_once=True)
    if ask.kind == "choice":
        return REST._replace(mode="choice", ask=ask, choices=ask.choices), None
    return _open(ask), None


def _open(ask: Ask) -> KeypadState:
    mode = "number" if ask.kind == "number" else "cards"
    return KeypadState(mode=mode, ask=ask, seat=ask.seat)


def _offers(state: KeypadState, mine: tuple[Ask, ...], view: TableView) -> Answer:
    """Handle a seat key followed by `#`: offer that player's possible entries. Numbers are omitted
    because they can follow the seat key directly."""
    asks = tuple(ask for ask in mine if ask in view.asks) or mine
    if not asks:
        return state, None
    choices = _choices(asks)
    if len(asks) == 1 or asks[0].kind == "cards" or not choices:
        return _take(asks[0], view)
    return REST._replace(mode="choice", seat=state.seat, choices=choices), None


def _choices(asks: tuple[Ask, ...]) -> tuple[Move, ...]:
    """Return the choices from entries that need no typing."""
    return tuple(
        move
        for ask in asks
        if ask.kind in ("confirm", "choice")
        for move in ask.choices or (ask.move,)
    )


def _points(seat: int, number: int, mine: tuple[Ask, ...], view: TableView) -> Answer:
    """Handle a number after a seat key. Use the first of its meanings that the referee accepts. If
    the referee accepts none, return the refusal of the first one."""
    points = Move("peg", seat, numbers=(number * view.prompt.scale,))
    numbers = [ask for ask in mine if ask.kind == "number"]
    numbered = [ask.move._replace(numbers=(number * ask.scale,)) for ask in numbers]
    later = [move for move, ask in zip(numbered, numbers, strict=True) if ask.after_points]
    most = {move: ask.most for move, ask in zip(numbered, numbers, strict=True)}
    moves = [*(move for move in numbered if move not in later), points, *later]
    refused = None
    for move in moves:
        try:
            view.attempt(move)
            _check_most(move, most.get(move))
        except IllegalMove as error:
            refused = refused or error
        else:
            return submit(move)
    assert refused is not None
    return refuse(refused), None


def _check_most(move: Move, most: int | None) -> None:
    """Raise IllegalMove if a number is far too high."""
    if most is not None and move.numbers[0] > most:
        raise IllegalMove("number-too-high", said=move.numbers[0], most=most)


def _next_cards(ask: Ask, view: TableView) -> Ask:
    """Return the same seat's next `Ask` for cards. After the last one, begin again with the
    first."""
    mine = [other for other in view.asks if other.kind == "cards" and other.seat == ask.seat]
    return mine[(mine.index(ask) + 1) % len(mine)] if ask in mine else ask


def _more(state: KeypadState, view: TableView) -> Answer:
    ask = state.ask
    assert ask is not None
    if len(state.cards) < ask.most:
        return state, None
    at_once = ask.most == 1
    return settle(ask.move._replace(cards=state.cards), state, view, at_once=at_once)


def settle(move: Move, state: KeypadState, view: TableView, at_once: bool = False) -> Answer:
    """Handle a complete move: preview it before it is pegged, unless it is submitted immediately.
    If the referee needs more details (its rejection lists the possible words as `choices`), first
    ask for them."""
    try:
        played = view.attempt(move)
    except IllegalMove as error:
        choices = error.fields.get("choices")
        if choices is None:
            return refuse(error)._replace(mode="rest" if at_once else "refused"), None
        moves = tuple(move._replace(words=(*move.words, *words)) for words in choices)
        points = _earned(view.attempt(moves[0]))
        return state._replace(mode="question", move=moves[0], choices=moves, points=points), None
    if at_once:
        return submit(move)
    return state._replace(mode="preview", move=move, points=_earned(played)), None


def _earned(played: Played[object]) -> int:
    return sum(award.points for award in played.awards)


def _claim(answer: tuple[str, ...], view: TableView) -> str:
    """Say in a word or two what a hand's suits contribute."""
    known = text.sentences()
    if f"word.{'+'.join(answer)}" in known:
        return text.say(Message("word", "+".join(answer)), text.Reader(view.language))
    claims = [word for word in answer if f"chip.{word}" in known]
    return "+".join(text.say(Message("word", word), text.Reader(view.language)) for word in claims)


def _over(view: TableView) -> str:
    from boardctl.console.keypad import spoken as aloud

    if not view.scores:
        return spoken.say("unseated", view.language)
    return spoken.sentence(aloud.score(view), view.language)
