"""The referee of Bezique and its variants: points, and the end of a deal or game.

A `GameSpec` configures a `BeziqueGame`. Bezique, two-handed Pinochle and each of the great Beziques
are instances of `BeziqueGame`. Sources: docs/rules/bezique.md 5 and 6, docs/rules/pinochle.md 1,
docs/rules/board-mapping.md, docs/notation.md ("Bezique and Pinochle", "Points and the lines that
earn them").
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from boardctl.games import (
    MANY,
    Ask,
    Award,
    IllegalMove,
    Kind,
    Line,
    Margin,
    Move,
    Note,
    Outcome,
    Played,
    Prompt,
    Scoreboard,
    Setup,
    Situation,
    Telling,
    Verb,
    put,
)
from boardctl.games.bezique import deal as dealing
from boardctl.games.bezique import declare, melds
from boardctl.games.bezique.deal import Deal, Earned
from boardctl.games.bezique.game_spec import BRISQUE, COURTS, GameSpec
from boardctl.games.bezique.state import State, brisques, over, settle, settlement_note, target
from boardctl.games.cards import Card, Rank, Suit
from boardctl.games.common import referee
from boardctl.games.common.referee import Referee, ScoreSheet, between_deals, who_deals
from boardctl.games.common.trick_deal import (
    accepted,
    ask_card_of,
    ask_choice,
    ask_count,
    ask_trump,
    stands,
)

VERBS: Final = (
    Verb("hand", cards=(1, MANY), secret=True, kind=Kind.HAND),
    Verb("turnup", seated=False, cards=(1, 1), kind=Kind.TURNED),
    Verb("trump", seated=False, suit=True, kind=Kind.TRUMP),
    Verb("play", cards=(1, 1), words=("seven",), kind=Kind.PLAY),
    Verb("draw", cards=(1, 1), secret=True, kind=Kind.HAND),
    Verb("meld", cards=(2, 5), kind=Kind.MELD),
    Verb("seven", cards=(0, 1), words=("exchange",), kind=Kind.MELD),
    Verb("count", numbers=(1, 1), kind=Kind.POINTS),
    Verb("peg", numbers=(1, 1), kind=Kind.POINTS),
    Verb("out", kind=Kind.CLAIM),
)


STEPS: Final[Mapping[str, Callable[[Deal, Move], Earned]]] = {
    "hand": dealing.hand,
    "turnup": dealing.turn_up,
    "trump": dealing.turn_up,
    "draw": dealing.draw,
    "meld": declare.meld,
    "seven": declare.seven,
    "play": declare.play,
}
"""The functions that play a line of cards, by verb. They return the deal and the points earned."""

GOAL: Final = 100
"""The hole of the goal line. One trip round the board is one game (board-mapping)."""
UNIT: Final = 100
CAPACITY: Final = 121
"""The number of holes in a game without a target. Each hole is then worth a hundred points."""


class BeziqueGame(Referee[State, Deal]):
    """Bezique, or the variant that the `GameSpec` describes."""

    seats = (2,)

    def __init__(self, spec: GameSpec) -> None:
        self.spec = spec
        self.name = spec.name
        self.pack = spec.pack
        self.ranks = spec.plain
        self.copies = spec.copies
        self.source = spec.source
        # Lines for sevens and the turned-up card are valid only in games that use them. In the
        # great Beziques, a player may lay down more cards at once, up to a whole hand for carte
        # blanche.
        great = not spec.turned
        most = max(spec.hand, 2 * len(spec.beziques))
        called = any(rule.name == "end" for rule in spec.rules)

        def of_this_game(verb: Verb) -> Verb:
            if great and verb.name == "meld":
                return verb._replace(cards=(1, most))
            return verb._replace(words=()) if great and verb.name == "play" else verb

        self.verbs = tuple(
            of_this_game(verb)
            for verb in VERBS
            if (verb.name != "seven" or spec.seven)
            and (verb.name != "turnup" or spec.turned)
            and (verb.name != "out" or called)
        )
        rules = (rule.option for rule in spec.rules)
        self.options = (*rules, referee.NEXT_GAME_DEALER)
        self.tables = spec.tables

    def begin(self, setup: Setup) -> State:
        options = self.spec.rule_options(setup.options)
        sheet = referee.open_score_sheet(setup)
        return State(sheet, options=options, goal=options.target)

    def _no_trump(self, state: State) -> Suit | None:
        """Return the trump suit of the previous game if it cannot be trumps again, or None."""
        previous = state.sheet.setup.previous
        if previous is None or not state.options.no_repeat_trump:
            return None
        return next((suit for suit in Suit if suit.letter == previous.trump), None)

    def cut_strength(self, state: State, rank: Rank) -> int:
        return -self.spec.plain.index(rank)

    def is_fresh(self, state: State) -> bool:
        """Return whether a deal was announced but nothing has been entered for it. If points were
        entered without a `deal` line, `deal` may still follow."""
        deal = state.deal
        return deal is not None and deal.fresh and not deal.unsaid

    def new_deal(self, state: State) -> Deal:
        dealer = state.sheet.dealer
        pone = 1 if dealer is None else state.setup.after(dealer)
        return Deal(
            spec=self.spec,
            sizes=(self.spec.hand, self.spec.hand),
            options=state.options,
            turn=pone,
            stock=self.spec.stock,
            no_trump=self._no_trump(state),
        )

    def _start(self, state: State, move: Move) -> Played[State]:
        sheet = referee.start(state.sheet, move, state.goal)
        return Played(replace(state, sheet=sheet))

    def _dealer(self, state: State, move: Move) -> Played[State]:
        """Apply `dealer N`. If a deal was opened by points and not by `deal`, the points remain."""
        played, deal = super()._dealer(state, move), state.deal
        if deal is None:
            return played
        leads = state.setup.after(move.numbers[0])
        return Played(replace(played.state, deal=replace(deal, turn=leads)))

    def may_follow_end(self, state: State, move: Move) -> bool:
        """Return whether a line may follow the end of the game: a seven played to the last trick
        may still be declared."""
        late = move.verb == "seven" and state.deal is None
        allowed = late and stands(lambda: self._card(state, move))
        return allowed or super().may_follow_end(state, move)

    def check_deal(self, state: State) -> Played[State]:
        """Check that the next deal may begin. A deal with melds but no trick points does not
        prevent this, unless the melds took a player to the target."""
        deal, goal = state.deal, state.goal
        if deal is not None:
            if deal.by_cards or not (deal.by_points or deal.pegged):
                raise IllegalMove("deal-unfinished")
            reached = goal is not None and max(state.sheet.scores) >= goal
            if deal.counted or reached:
                raise IllegalMove("count-missing", seat=1 if deal.counts[0] is None else 2)
        return Played(replace(state, goal=target(state), last=None))

    def _deal(self, state: State, move: Move) -> Played[State]:
        """Apply `deal`. If points have already opened the deal, they remain."""
        deal = state.deal
        if deal is None or not deal.unsaid or deal.counted:
            return super()._deal(state, move)
        if state.sheet.dealer is None:
            raise IllegalMove("dealer-unknown")
        return Played(replace(state, deal=replace(deal, unsaid=False)))

    def _card(self, state: State, move: Move) -> Played[State]:
        """Apply a line that enters cards."""
        deal = state.deal or (state.last if move.verb == "seven" else None)
        if deal is None or deal.unsaid:
            raise IllegalMove("no-deal", verb=move.verb)
        after, awards = STEPS[move.verb](deal, move)
        return self._earn(state, after, awards)

    _hand = _turnup = _trump = _play = _draw = _meld = _seven = _card

    def _points(self, state: State, move: Move) -> Played[State]:
        """Apply `peg` or `count`. The line opens a deal if `deal` was not entered."""
        (points,) = move.numbers
        if state.deal is None:
            sheet = state.sheet
            if sheet.dealer is None:
                sheet = sheet._replace(deals=sheet.deals + 1)
            else:
                sheet = referee.deal(sheet)
            state = replace(state, sheet=sheet, goal=target(state), base=sheet.scores, last=None)
            state = replace(state, deal=replace(self.new_deal(state), unsaid=True))
        deal = state.deal
        assert deal is not None
        options = state.options
        if move.verb == "peg":
            worth = melds.declarations(self.spec, options)
            if points not in worth:
                raise IllegalMove("impossible-points", points=points, allowed=worth)
            return self._earn(
                state, replace(deal, pegged=True), [Award(move.player, points, "told")]
            )
        deal, earned = dealing.counted(deal, move.player, points)
        brisques_only = options.rubicon is not None and options.rubicon.brisques
        awards = [Award(move.player, earned, self.spec.trick_reason)]
        if brisques_only or not earned:
            awards = []
        return self._earn(state, deal, awards)

    _peg = _count = _points

    def _out(self, state: State, move: Move) -> Played[State]:
        """Apply `N out`: player N claims to have reached the target with the tricks taken so far.
        If the claim is right, the points of these tricks are scored and the player wins. A wrong
        claim loses the game, unless an option lets the game continue (docs/rules/pinochle.md 1.10).
        """
        seat = move.player
        if not state.options.call_out or state.goal is None:
            raise IllegalMove("no-calling-out")
        deal = self.current_deal(state, "out")
        if deal.by_points or deal.unsaid:
            raise IllegalMove("tricks-not-told", what="out")
        taken = dealing.tricks_worth(deal, seat)
        points = state.sheet.scores[seat - 1] + taken
        if points >= state.goal:
            scored = replace(deal, won=put(deal.won, seat, 0))
            return self._earn(state, scored, [Award(seat, taken, self.spec.trick_reason)])
        note = Note("called-out-wrongly", {"seat": seat, "points": points, "target": state.goal})
        if not state.options.wrong_out_loses:
            return Played(state, notes=(note,))
        return Played(self._resign(state, move).state, notes=(note,))

    def _earn(self, state: State, deal: Deal, awards: Iterable[Award]) -> Played[State]:
        """Return the state after a line, with the new deal and the points earned. At the end of a
        one-deal game, the settlement and any brisques that count are added."""
        scored = tuple(awards)
        notes: tuple[Note, ...] = ()
        if state.options.rubicon is not None and deal.over:
            taken = brisques(deal)
            ended = settle(state.options.rubicon, referee.earn(state.sheet, scored).scores, taken)
            if ended.counted:
                reason = self.spec.trick_reason
                scored += tuple(
                    Award(seat, BRISQUE * count, reason)
                    for seat, count in enumerate(taken, 1)
                    if count
                )
            notes = (settlement_note(ended),)
        going, last = (None, deal) if deal.over else (deal, None)
        return Played(self.scored(replace(state, deal=going, last=last), scored), scored, notes)

    def margins(self, state: State) -> dict[Margin, float]:
        return {"double": state.options.double_below}

    def decided(self, state: State) -> Outcome:
        """Return the outcome. The player with more points wins, and a tie may be a draw (6.5)."""
        scores = state.scores
        if over(state) and scores[0] != scores[1]:
            return referee.won(scores, scores.index(max(scores)) + 1, self.margins(state))
        drawn = over(state) and state.options.tie == "draw" and state.deal is None
        return referee.undecided(scores, "draw" if drawn else "unfinished")

    def situation(self, state: State) -> Situation:
        dealer, deal = state.sheet.dealer, state.deal or state.last
        trump = None if deal is None or deal.trump is None else deal.trump.letter
        if self.outcome(state).state != "unfinished":
            return Situation("over", dealer=dealer, trump=trump)
        if deal is None or deal.over:
            return Situation("cut" if dealer is None else "deal", dealer=dealer)
        if self.spec.turned and not deal.turned and not deal.by_points:
            return Situation("turnup", dealer=dealer)
        if deal.by_points:
            return Situation("play", dealer=dealer, trump=trump)
        if deal.may_declare:
            return Situation("meld", turn=deal.turn, dealer=dealer, trump=trump)
        phase = "last-tricks" if deal.last_tricks else "play"
        return Situation(phase, turn=deal.turn, dealer=dealer, trump=trump)

    def holes(self, state: State) -> tuple[int, int]:
        score = target(state)
        return (UNIT, CAPACITY) if score is None else (score // GOAL, GOAL)

    def lines(self, state: State) -> tuple[Line, ...]:
        """Return the lines across the board, such as the rubicon line."""
        rubicon, (unit, _) = state.options.rubicon, self.holes(state)
        return super().lines(state) if rubicon is None else (Line("rubicon", rubicon.line // unit),)

    def scoreboard(self, state: State) -> Scoreboard:
        """Return the scoreboard, without a target if the game is a single deal."""
        board = super().scoreboard(state)
        return board if state.goal is not None else board._replace(target=0)

    def readouts(self, state: State) -> tuple[Note, ...]:
        """Return the readouts: trumps, the player to lead, the remaining tricks and the brisques
        taken."""
        deal = state.deal
        if state.options.rubicon is not None and state.last is not None:
            return (settlement_note(settle(state.options.rubicon, state.scores, (0, 0))),)
        if deal is None:
            return ()
        notes: list[Note] = []
        if deal.trump is not None:
            notes.append(Note("trump", {"suit": deal.trump.symbol}))
        if deal.by_points:
            return tuple(notes)
        if deal.lead is None and (deal.turned or not self.spec.turned):
            notes.append(Note("lead", {"seat": deal.turn}))
        notes.append(Note("tricks-left", {"tricks": self.spec.tricks[2] - deal.tricks}))
        if deal.tricks and self.spec.trick_points:
            first, second = deal.won
            notes.append(Note(self.spec.trick_reason, {"first": first, "second": second}))
        return tuple(notes)

    def prompt(self, state: State) -> Prompt:
        """Return all possible entries. The functions that apply the lines also check them."""
        deal = state.deal
        asks: list[Ask] = []
        if state.last is not None and not state.last.unsaid:
            asks += _seven_asks(state.last)
        if self.outcome(state).state != "unfinished":
            return Prompt(tuple(asks))
        if deal is None:
            asks = [*_between(self.spec, state.sheet), *asks]
        else:
            if not deal.unsaid and not deal.by_points:
                asks += _cards(deal)
            asks += _by_points(deal)
            if not deal.by_cards and (deal.by_points or deal.pegged) and not deal.counted:
                reached = state.goal is not None and max(state.sheet.scores) >= state.goal
                asks += () if reached else between_deals(state.sheet)[:1]
        return Prompt(tuple(asks), pegs=(1, 2), scale=10)


def _between(spec: GameSpec, sheet: ScoreSheet) -> Iterator[Ask]:
    """Yield the entries between deals: the dealer or the cut, then the deal or the winner's
    choice."""
    asked = between_deals(sheet, spec.pack, spec.copies)
    yield from asked[:1] if sheet.deals else asked
    if sheet.dealer is not None and (not sheet.deals or sheet.deals_again):
        yield who_deals(sheet)


def _cards(deal: Deal) -> Iterator[Ask]:
    """Yield the next entries for a table that enters cards."""
    if deal.spec.turned and not deal.turned:
        yield from _card_of(deal, "turnup", Move("turnup"), dealing.turn_up)
        yield ask_trump()
    called = deal.options.call_out and deal.tricks and deal.lead is None
    out = (Move("out", deal.turn),) if called else ()
    if deal.may_declare:
        yield from ask_choice("meld", _declarable(deal, deal.turn) + out, telling="hands")
    else:
        yield from ask_choice("out", out, telling="hands")
    try:
        drawn = dealing.drawn(deal)  # the same draws precede every card
    except IllegalMove:
        pass
    else:
        yield from _card_of(drawn, "play", Move("play", deal.turn), dealing.ways_to_play)
    if deal.by_cards:
        yield from _blanche_drawn(deal, "cards")
    yield from _blanche(deal)
    if deal.drawn < 2 and not deal.over:
        seat = deal.turn if deal.drawn == 0 else 3 - deal.turn
        yield Ask("draw", "cards", Move("draw", seat), "cards", 1, 1, cards=dealing.drawable(deal))
    if not deal.tricks and deal.lead is None:
        yield from _hands(deal)
    yield from _seven_asks(deal)


def _card_of(
    deal: Deal, code: str, move: Move, step: Callable[[Deal, Move], object], most: int = 1
) -> Iterator[Ask]:
    """Yield an entry for a line, with the cards that the referee would accept."""
    return ask_card_of(code, move, deal.spec.pack, lambda line: step(deal, line), most)


def _hands(deal: Deal) -> Iterator[Ask]:
    """Yield the entries for dealt cards, one for each copy that may be in the hand."""
    for seat in (1, 2):
        places = min(deal.unseen(reading, seat) for reading in deal.hands[seat - 1])
        if not places:
            continue
        for asked in _card_of(deal, "hand", Move("hand", seat), dealing.hand, places):
            assert asked.cards is not None
            cards = (card for card in asked.cards for _ in range(deal.unlocated(seat, card)))
            yield asked._replace(cards=tuple(cards))


def _declarable(deal: Deal, seat: int) -> tuple[Move, ...]:
    """Return a player's possible declarations: the seven of trumps, then the melds."""
    return (*_sevens(deal, seat), *declare.offered(deal, seat))


def _melds_asked(deal: Deal) -> bool:
    """Return whether to ask both players for melds. This requires that neither cards nor counts
    were entered."""
    cards = deal.by_cards or deal.unsaid
    return not cards and (deal.turned or not deal.spec.turned) and not deal.counted


def _sevens(deal: Deal, seat: int) -> tuple[Move, ...]:
    """Return the possible declarations of the trump seven, as an exchange or as a shown card."""
    if deal.spec.seven is None:
        return ()
    moves = (Move("seven", seat, words=("exchange",)), Move("seven", seat))
    return accepted(moves, lambda move: declare.seven(deal, move))


def _blanche(deal: Deal) -> Iterator[Ask]:
    """Yield the entries for a carte blanche, which is the whole hand. Hands that are known to
    contain a court card are excluded."""
    if "carte-blanche" not in deal.options.values:
        return
    plain, size = _no_courts(deal), deal.spec.hand
    for seat in (1, 2):
        move = Move("meld", seat)
        first = deal.hands[seat - 1][0]
        mine = tuple(first.known_cards)
        whole = move._replace(cards=mine or plain[:size])
        if not accepted((whole,), lambda line: declare.show_blanche(deal, line)):
            continue
        if len(mine) == size:
            yield Ask("carte-blanche", "confirm", whole, telling="cards")
        elif not mine:
            cards = tuple(card for card in plain for _ in range(deal.unlocated(seat, card)))
            yield Ask("carte-blanche", "cards", move, "cards", size, size, cards=cards)


def _blanche_drawn(deal: Deal, telling: Telling) -> Iterator[Ask]:
    """Yield the entries for a card that continues a carte blanche."""
    for seat in (1, 2):
        if deal.blanche[seat - 1]:
            drawn = ask_card_of(
                "carte-blanche",
                Move("meld", seat),
                _no_courts(deal),
                lambda line: declare.show_blanche(deal, line),
            )
            yield from (asked._replace(telling=telling) for asked in drawn)


def _no_courts(deal: Deal) -> tuple[Card, ...]:
    return tuple(card for card in deal.spec.pack if card.rank not in COURTS)


def _seven_asks(deal: Deal) -> Iterator[Ask]:
    """Yield the entries for the trump seven, for players who are not offered it together with their
    melds."""
    if _melds_asked(deal):
        return
    for seat in (deal.turn, 3 - deal.turn):
        if not (deal.may_declare and seat == deal.turn):
            yield from ask_choice("seven", _sevens(deal, seat), telling="hands")


def _by_points(deal: Deal) -> Iterator[Ask]:
    """Yield the next entries for a table that enters only points: trick points and declarations."""
    cards = not deal.by_cards and not deal.unsaid
    if _melds_asked(deal):
        for seat in (deal.turn, 3 - deal.turn):
            yield from ask_choice("meld", _declarable(deal, seat), telling="hands")
    if not deal.by_cards:
        yield from _blanche_drawn(deal, "hands")
        yield from _counts(deal)
    if deal.options.cut_bonus is not None and deal.fresh:
        pone, lifted = deal.turn, deal.options.cut_bonus
        earned = zip((3 - pone, pone), lifted, strict=True)
        moves = (Move("peg", seat, numbers=(points,)) for seat, points in earned)
        yield from ask_choice("cut-bonus", moves)
    if cards and deal.trump is None and not deal.spec.turned:
        trumps = ask_trump(suit for suit in Suit if suit != deal.no_trump)
        yield trumps._replace(after_points=True)  # the first marriage sets trumps
    worth = melds.declarations(deal.spec, deal.options)
    for seat in (1, 2):
        moves = (Move("peg", seat, numbers=(points,)) for points in worth)
        yield from ask_choice("declare", moves)


def _counts(deal: Deal) -> Iterator[Ask]:
    """Yield the entries for trick points: a number for one player, then the rest for the other. If
    only the last trick scores, ask who won it."""
    bare = not deal.spec.trick_points
    code = "last-trick" if bare else "count"
    for seat in (1, 2):
        move, other = Move("count", seat), deal.counts[2 - seat]
        if deal.counts[seat - 1] is not None:
            continue
        possible = dealing.countable(deal, seat)
        if other is not None:
            for points in possible:
                yield Ask(code, "confirm", move._replace(numbers=(points,)))
        elif not bare:
            yield ask_count(move, possible, deal.spec.granule)._replace(after_points=True)
        elif seat == 1:
            won = tuple(Move("count", winner, numbers=(possible[-1],)) for winner in (1, 2))
            yield Ask(code, "choice", Move("count"), choices=won, after_points=True)
