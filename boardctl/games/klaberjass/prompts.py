"""The prompts of Klaberjass: every line that may be entered next, the most common first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from boardctl.games import Ask, IllegalMove, Move, Prompt
from boardctl.games.cards import CARDS, UNSEEN, Card, Suit
from boardctl.games.common.jass import PACK
from boardctl.games.klaberjass import deal as cards
from boardctl.games.klaberjass import declarations, display, settlement
from boardctl.games.klaberjass.deal import Deal
from boardctl.games.klaberjass.declarations import Custom
from boardctl.games.table_rules import ScoreSheet

_ORDER = tuple(card for card in CARDS if card in PACK)
_SEATS = (1, 2)


def after_game(late_bella: int | None) -> Prompt:
    """What may still be entered when the game is over."""
    return Prompt() if late_bella is None else Prompt((_bella(late_bella),))


def prompt(
    sheet: ScoreSheet,
    deal: Deal | None,
    custom: Custom,
    *,
    told: tuple[int | None, ...],
    late_bella: int | None,
    call_bella: bool,
) -> Prompt:
    """All lines that are due. `told` are points of the deal entered by `peg`; `late_bella` is the
    seat that may still call the bella of the last play; `call_bella` is whether the table calls
    bella at all."""
    if told != (None, None):
        due = 1 if told[0] is None else 2
        return Prompt((Ask("no-points", "confirm", Move("peg", due, numbers=(0,))),), (due,))
    if deal is None:
        asks = tuple(_between(sheet))
        if late_bella is not None and call_bella:
            asks += (_bella(late_bella),)
        return Prompt(asks, _SEATS)
    steps = _bidding if deal.maker is None else _playing if deal.led else _declaring
    asks = tuple(steps(deal, custom))
    if deal.led and call_bella and deal.bella is None and deal.bella_played:
        asks += (_bella(deal.plays[-1][0]),)
    if sheet.setup.options["bottom_card"] == "shown" and not deal.declarations.going:
        asks += tuple(_bottom(deal))
    return Prompt(asks, () if deal.begun else _SEATS)


def _bella(seat: int) -> Ask:
    return Ask("bella", "confirm", Move("bella", seat))


def _between(sheet: ScoreSheet) -> Iterator[Ask]:
    if sheet.dealer is not None:
        yield Ask("deal", "confirm", Move("deal"))
        return
    cut = dict(sheet.cuts)
    free = tuple(card for card in _ORDER if card not in cut.values())
    for seat in sheet.cutters or _SEATS:
        if seat not in cut:
            yield Ask("cut", "cards", Move("cut", seat), least=1, most=1, ranks=True, cards=free)
    choices = tuple(Move("dealer", numbers=(seat,)) for seat in _SEATS)
    yield Ask("dealer", "choice", Move("dealer"), choices=choices)


def _bidding(deal: Deal, custom: Custom) -> Iterator[Ask]:
    if deal.turned is None and not deal.second_round:
        yield from _turnup(deal)
    seat = display.turn(deal)
    said: Iterable[str] = ("take", "pass")
    if deal.suit is None:
        said = ("pass", *(suit.letter for suit in Suit), "take")
    if deal.second_round:
        said = ("pass", *(suit.letter for suit in Suit if suit != deal.suit))
    bids = tuple(Move("bid", seat, words=(word,)) for word in said)
    turned = deal.turned or (deal.suit.letter if deal.suit is not None else None)
    code = "bid" if deal.second_round else "take"
    yield Ask(code, "choice", Move("bid", seat), choices=bids, fields={"turned": turned})
    if deal.suit is None:
        yield _suit()
    if deal.turned is None and deal.second_round:
        yield from _turnup(deal)
    yield from _hands(deal)


def _turnup(deal: Deal) -> Iterator[Ask]:
    """The turned-up card; if entered late, it must agree with the bidding."""
    free = tuple(card for card in _ORDER if _stands(lambda c: cards.turn_up(deal, c), card))
    if free:
        yield Ask("turnup", "cards", Move("turnup"), telling="cards", least=1, most=1, cards=free)


def _bottom(deal: Deal) -> Iterator[Ask]:
    """The stock's last card, once trumps are fixed and before the lead."""
    if deal.maker is None or deal.led or deal.counted or deal.bottom is not None:
        return
    free = tuple(card for card in _ORDER if _stands(lambda c: cards.show_bottom(deal, c), card))
    yield Ask("bottom", "cards", Move("bottom"), telling="cards", least=1, most=1, cards=free)


def _suit() -> Ask:
    suits = tuple(Move("trump", words=(suit.letter,)) for suit in Suit)
    return Ask("trump", "choice", Move("trump"), telling="hands", choices=suits)


def _hands(deal: Deal) -> Iterator[Ask]:
    """Dealt cards that have not been entered, the elder's first."""
    for seat in (deal.elder, deal.younger):
        room = min(deal.size - deal.told[seat - 1], deal.unseen(seat))
        seen = deal.known(1) | deal.known(2) | deal.out
        free = tuple(card for card in _ORDER if card not in seen)
        if room > 0:
            yield Ask(
                "hand",
                "cards",
                Move("hand", seat),
                telling="cards",
                least=1,
                most=room,
                cards=free,
                fields={"room": room},
            )


def _declaring(deal: Deal, custom: Custom) -> Iterator[Ask]:
    """Prompts from the bidding to the first lead."""
    if not deal.counted:
        yield from _talk(deal, custom)
        if not deal.declarations.going and deal.trump is not None:
            yield from _card(deal)
    if not deal.declarations.going:
        for seat in (deal.elder, deal.younger):
            allowed = settlement.counts(deal, seat) if deal.counts[seat - 1] is None else ()
            if allowed:
                yield _count(seat, allowed)
    if deal.counted:
        yield from _held_bella(deal)
        return
    for seat in (deal.elder, deal.younger):
        yield from _melds(deal, seat, custom)
    if not deal.declarations.going:
        yield from _held_bella(deal)
        for seat in _SEATS:
            if _stands(lambda s: cards.exchange(deal, s), seat):
                yield Ask("exchange", "confirm", Move("exchange", seat), telling="hands")
    if deal.scored:
        return
    if deal.trump is None and deal.suit is None:
        yield _suit()
    if deal.turned is None and deal.swapper is None:
        yield from _turnup(deal)
    yield from _hands(deal)


def _count(seat: int, allowed: tuple[int, ...]) -> Ask:
    least, most = allowed[0], allowed[-1]
    return Ask(
        "count",
        "number",
        Move("count", seat),
        least=least,
        most=most,
        barred=tuple(n for n in range(least, most) if n not in allowed),
    )


def _held_bella(deal: Deal) -> Iterator[Ask]:
    for seat in (deal.elder, deal.younger):
        if cards.may_hold_bella(deal, seat):
            yield _bella(seat)


def _talk(deal: Deal, custom: Custom) -> Iterator[Ask]:
    """The next announcement about sequences (5.5)."""
    elder, younger = deal.elder, deal.younger
    stage = deal.declarations.stage
    choices: tuple[Move, ...] = ()
    if stage == "open":
        if (
            declarations.whole(deal, elder)
            and declarations.whole(deal, younger)
            and deal.trump is not None
        ):
            yield Ask("sequences", "confirm", Move("declare"), telling="cards")
        values = {run.value for run in declarations.candidates(deal, elder, custom)}
        words = ("none", *(word for word in ("20", "50") if int(word) in values))
        choices = tuple(Move("declare", elder, words=(word,)) for word in words)
        code, seat = "declare", elder
    elif stage in ("declared", "top"):
        words = ("good", "not-good", "equal") if deal.declarations.value else ("good", "not-good")
        moves = tuple(Move("reply", younger, words=(word,)) for word in words)
        choices = tuple(
            move
            for move in moves
            if _stands(lambda m: declarations.reply(deal, younger, m.words[0], custom), move)
        )
        code, seat = "reply", younger
    elif stage == "equal":
        ranks = declarations.tops(deal, custom)
        choices = tuple(Move("top", elder, (Card(rank),)) for rank in ranks)
        code, seat = "top", elder
    elif stage == "tied":
        choices = tuple(
            Move("trump", s)
            for s in (elder, younger)
            if declarations.may_claim_trump(deal, s, custom)
        )
        code, seat = "trump-sequence", elder
    if choices:
        fields = {"points": deal.declarations.value, "seat": seat}
        yield Ask(
            code,
            "choice",
            Move(choices[0].verb, None if stage == "tied" else seat),
            telling="cards",
            choices=choices,
            fields=fields,
        )


def _melds(deal: Deal, seat: int, custom: Custom) -> Iterator[Ask]:
    """The sequences that a player may show: by their cards if the hand is known, otherwise as three
    or four face-down cards."""
    if declarations.whole(deal, seat):
        told = [run.cards for run in declarations.candidates(deal, seat, custom)]
    else:
        told = [(UNSEEN,) * 3, (UNSEEN,) * 4]
    moves = tuple(Move("meld", seat, shown) for shown in told)
    choices = tuple(m for m in moves if _stands(lambda m: declarations.show(deal, m, custom), m))
    if choices:
        yield Ask("meld", "choice", Move("meld", seat), choices=choices)


def _playing(deal: Deal, custom: Custom) -> Iterator[Ask]:
    if deal.counted:
        for seat in _SEATS:
            if deal.counts[seat - 1] is None:
                yield _count(seat, settlement.counts(deal, seat))
        return
    yield from _card(deal)


def _card(deal: Deal) -> Iterator[Ask]:
    """The next card: the legal plays."""
    seat = deal.turn
    hand = deal.left(seat)
    allowed = tuple(
        card
        for card in _ORDER
        if card in hand and _stands(lambda c: cards.play(deal, seat, c), card)
    )
    yield Ask("play", "cards", Move("play", seat), telling="cards", least=1, most=1, cards=allowed)


def _stands(step: Callable[..., Deal], said: object) -> bool:
    """Whether the referee would accept the step."""
    try:
        step(said)
    except IllegalMove:
        return False
    return True
