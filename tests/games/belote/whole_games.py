"""A second referee for whole games of Belote with two and four players, and of Coinche.

Source: docs/rules/belote.md. It shares no code with the product. A card is a pair of rank and suit.
The records of `records-belote-games.jsonl` (four players) and `records-belote-two.jsonl` are from
it:

    python -m tests.games.belote.whole_games > tests/vectors/records-belote-games.jsonl
    python -m tests.games.belote.two_hands > tests/vectors/records-belote-two.jsonl
"""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any, Final

from tests.games.written import Card, Sheet, spelt, write

RECORDS: Final = 60
SEED: Final = 20261129
SUITS: Final = "SHDC"
NONE: Final = "no-trump"
ALL: Final = "all-trump"
CAPOT: Final = 250

Piece = tuple[int, tuple[Any, ...], tuple[Card, ...]]
"""A declaration: its points, its place among declarations, its cards."""

OPTIONS: Final = {
    "declarations": ("on", "on", "off"),
    "declaration_tie": ("earlier", "none"),
    "square_order": ("trick", "natural"),
    "shared_cards": ("allowed", "forbidden"),
    "contract_counts": ("all", "cards_belote", "cards", "cards_declarations"),
    "tie": ("litige", "inside", "lost"),
    "failed_declarations": ("opponents", "kept"),
    "failed_belote": ("kept", "opponents"),
    "capot": ("252", "250", "off"),
    "undertrump": ("must", "free"),
    "passed_out": ("next_dealer", "same_dealer"),
    "round": ("off", "nearest_10"),
    "game_tie": ("extra_deal", "draw"),
}
TWO_HANDS: Final = {
    "seven_exchange": ("on", "on", "off"),
    "deal_rotation": ("alternate", "winner_deals"),
}
COINCHE: Final = {
    "double_counts": ("bid_only", "all"),
    "failed_tricks": ("162", "taken", "160"),
    "surcoinche": ("4", "3"),
    "must_exceed": ("on", "off"),
    "trump_calls": ("all", "all", "suits"),
    "no_trump_ace": ("11", "19"),
    "capot_bid": ("250", "500"),
    "doubled_defence": ("nothing", "keeps"),
    "coinche_turn": ("turn", "any"),
}


def trumps_order(suit: str, call: str) -> bool:
    """Return whether a suit ranks and counts as trumps do (1.2, 1.5)."""
    return call in (suit, ALL)


def height(card: Card, call: str) -> int:
    return ("78QKTA9J" if trumps_order(card[1], call) else "789JQKTA").index(card[0])


def worth(card: Card, call: str, ace: int) -> int:
    rank = card[0]
    if trumps_order(card[1], call):
        return {"J": 20, "9": 14, "A": 11, "T": 10, "K": 4, "Q": 3}.get(rank, 0)
    if rank == "A":
        return ace if call == NONE else 11
    return {"T": 10, "K": 4, "Q": 3, "J": 2}.get(rank, 0)


class Game:
    """One game, dealt and played at random to its end."""

    def __init__(self, chance: Random, *, coinche: bool, seats: int = 4) -> None:
        self.chance = chance
        self.coinche = coinche
        self.seats = seats
        self.tricks = 8 if seats == 4 else 9
        self.options = {name: chance.choice(some) for name, some in OPTIONS.items()}
        if coinche:
            self.options |= {"bidding": "coinche"}
            self.options |= {name: chance.choice(some) for name, some in COINCHE.items()}
        if seats == 2:
            self.options |= {name: chance.choice(some) for name, some in TWO_HANDS.items()}
        self.target = chance.choice((500, 501))
        self.dealer = chance.randint(1, seats)
        self.sheet = Sheet()
        self.sheet.begin("belote", seats, self.options | {"target": str(self.target)}, self.dealer)
        self.scores = [0, 0]
        self.waiting = 0
        self.winner: int | None = None
        self.hands: dict[int, list[Card]] = {}
        self.call = ""
        self.taker = 0
        self.bid = 0
        self.times = 1
        self.next_dealer = 0
        self.ended = False
        while not self.ended:
            self.deal()

    # The auction

    def deal(self) -> None:
        pack = [(rank, suit) for rank in "789TJQKA" for suit in SUITS]
        self.chance.shuffle(pack)
        self.sheet.say("deal")
        size = 6 if self.seats == 2 else 8 if self.coinche else 5
        around = range(1, self.seats + 1)
        self.hands = {seat: [pack.pop() for _ in range(size)] for seat in around}
        for seat in around:
            self.sheet.say(f"{seat} hand {spelt(self.hands[seat])}")
        self.taker = self.bid = 0
        self.times = 1
        if self.coinche:
            self.auction()
        else:
            turned = pack.pop()
            self.sheet.say(f"turnup {turned[0]}{turned[1]}")
            self.taking(turned)
        if not self.taker:
            if self.options["passed_out"] == "next_dealer":
                self.dealer = self.after(self.dealer)
            return
        self.late: tuple[Card, ...] = ()
        if not self.coinche:
            if self.seats == 4:
                self.hands[self.taker].append(turned)
            for seat in around:
                short = self.seats == 4 and seat == self.taker
                more = [pack.pop() for _ in range(2 if short else 3)]
                self.hands[seat] += more
                self.sheet.say(f"{seat} hand {spelt(more)}")
        if self.seats == 2:
            self.late = (turned,)
            if self.chance.random() < 0.6:
                self.exchange(turned)
                self.late = ()
        self.play()
        self.dealer = self.next_dealer or self.after(self.dealer)

    def after(self, seat: int) -> int:
        return seat % self.seats + 1

    def exchange(self, turned: Card) -> None:
        """Exchange the seven of trumps for the turned-up card, or try to (5.1)."""
        seven = ("7", self.call)
        for seat in (1, 2):
            allowed = self.options["seven_exchange"] == "on" and turned[1] == self.call
            if not allowed or seven not in self.hands[seat]:
                if self.chance.random() < 0.05:
                    self.sheet.deny(f"{seat} exchange")
            elif self.chance.random() < 0.8:
                self.sheet.say(f"{seat} exchange")
                self.hands[seat].remove(seven)
                self.hands[seat].append(turned)
                return

    def taking(self, turned: Card) -> None:
        """Bid for the turned card in two rounds (3.1)."""
        for round_ in (1, 2):
            for turn in range(1, self.seats + 1):
                seat = (self.dealer + turn - 1) % self.seats + 1
                if round_ == 1:
                    calls = [turned[1]]
                else:
                    calls = [suit for suit in SUITS if suit != turned[1]]
                call = max(calls, key=lambda suit: self.strength(seat, suit))
                if self.strength(seat, call) < self.chance.randint(24, 50):
                    self.sheet.say(f"{seat} bid pass")
                    continue
                self.sheet.say(f"{seat} bid {'take' if round_ == 1 else call}")
                self.taker, self.call = seat, call
                return

    def strength(self, seat: int, call: str) -> int:
        return sum(worth(card, call, 11) for card in self.hands[seat])

    def auction(self) -> None:
        """Bid as in Coinche (3.3 to 3.5)."""
        chance, sheet = self.chance, self.sheet
        turn, passes = self.dealer % 4 + 1, 0
        calls = [*SUITS, NONE, ALL] if self.options["trump_calls"] == "all" else [*SUITS]
        free = self.options["coinche_turn"] == "any"
        while passes < (3 if self.taker else 4):
            against = [seat for seat in range(1, 5) if self.taker and (seat - self.taker) % 2]
            with_it = [seat for seat in range(1, 5) if self.taker and not (seat - self.taker) % 2]
            allowed = against if self.times == 1 else with_it
            if not free:
                allowed = [seat for seat in allowed if seat == turn]
            if allowed and chance.random() < 0.08:
                speaker = chance.choice(allowed)
                if self.times > 1:
                    sheet.say(f"{speaker} surcoinche")
                    self.times = int(self.options["surcoinche"])
                    return
                sheet.say(f"{speaker} coinche")
                self.times = 2
                turn, passes = speaker % 4 + 1, 0
                continue
            if self.times > 1 and chance.random() < 0.05:
                sheet.deny(f"{turn} bid capot S")
            worths = {call: self.strength(turn, call) for call in calls}
            if ALL in worths:
                worths[ALL] = worths[ALL] * 162 // 258
                worths[NONE] = worths[NONE] * 162 // 130
                if chance.random() < 0.5:
                    worths = {one: worths[one] + 12 for one in (NONE, ALL)}
            call = max(worths, key=lambda one: worths[one] + chance.randint(0, 15))
            least = max(80, self.bid + 10)
            wants = worths[call] > chance.randint(35, 60) + (least - 80) // 2
            if self.times == 1 and self.bid < CAPOT and wants:
                high = chance.choice((0, 0, 0, 10, 20, 60))
                self.bid = least + high if least + high <= 160 else CAPOT
                if chance.random() < 0.03:
                    self.bid = CAPOT
                self.taker, self.call, passes = turn, call, 0
                sheet.say(f"{turn} bid {'capot' if self.bid == CAPOT else self.bid} {call}")
            else:
                sheet.say(f"{turn} bid pass")
                passes += 1
            turn = turn % 4 + 1

    # The play

    def allowed(self, seat: int, trick: list[tuple[int, Card]]) -> list[Card]:
        """Return the cards that a seat may play (6.2 to 6.8)."""
        hand, call = self.hands[seat], self.call
        if not trick:
            return hand
        led = trick[0][1][1]
        winner, top = self.leading(trick)
        suited = [card for card in hand if card[1] == led]
        if suited:
            if not trumps_order(led, call):
                return suited
            higher = [
                card for card in suited if top[1] != led or height(card, call) > height(top, call)
            ]
            return higher or suited
        trumps = [card for card in hand if card[1] == call]
        if not trumps or (winner - seat) % 2 == 0:
            return hand
        higher = [c for c in trumps if top[1] != call or height(c, call) > height(top, call)]
        return higher or (trumps if self.options["undertrump"] == "must" else hand)

    def leading(self, trick: list[tuple[int, Card]]) -> tuple[int, Card]:
        """Return the seat and card that win a trick so far."""
        led = trick[0][1][1]
        ruffs = [one for one in trick if one[1][1] == self.call]
        some = ruffs or [one for one in trick if one[1][1] == led]
        return max(some, key=lambda one: height(one[1], self.call))

    def play(self) -> None:
        declared = self.declared()
        belote = [0, 0]
        if self.options["declarations"] == "on":
            self.sheet.say("declare")
        if self.late:  # declarations count for the hands before the exchange, belote after it
            self.exchange(*self.late)
        for seat, hand in self.hands.items():
            for suit in SUITS:
                if trumps_order(suit, self.call) and {("K", suit), ("Q", suit)} <= {*hand}:
                    belote[(seat + 1) % 2] += 20
        taken, won = [0, 0], [0, 0]
        lead = self.after(self.dealer)
        for number in range(self.tricks):
            trick: list[tuple[int, Card]] = []
            for turn in range(self.seats):
                seat = (lead + turn - 1) % self.seats + 1
                fits = self.allowed(seat, trick)
                barred = [card for card in self.hands[seat] if card not in fits]
                if barred and self.chance.random() < 0.05:
                    self.sheet.deny(f"{seat} play {spelt(barred[:1])}")
                card = self.chance.choice(fits)
                self.hands[seat].remove(card)
                trick.append((seat, card))
                line = f"{seat} play {spelt([card])}"
                if number < self.tricks - 1 or turn < self.seats - 1:
                    self.sheet.say(line)
            lead = self.leading(trick)[0]
            side = (lead + 1) % 2
            won[side] += 1
            ace = int(self.options.get("no_trump_ace", "11"))
            taken[side] += sum(worth(card, self.call, ace) for _, card in trick)
        last = {"252": 100, "250": 98, "off": 10}[self.options["capot"]]
        last = last if self.tricks in won else 10
        taken[side] += last
        mine = (self.taker + 1) % 2
        settle = self.coinched if self.coinche else self.turned
        scored = settle(mine, taken, won, declared, belote)
        if self.options["round"] == "nearest_10":
            scored = [(points + 5) // 10 * 10 for points in scored]
        self.sheet.say(line, {1: scored[0], 2: scored[1]})
        self.scores = [a + b for a, b in zip(self.scores, scored, strict=True)]
        self.next_dealer = 0
        if self.options.get("deal_rotation") == "winner_deals" and scored[0] != scored[1]:
            self.next_dealer = 1 if scored[0] > scored[1] else 2
        if max(self.scores) >= self.target:
            if self.scores[0] != self.scores[1]:
                self.winner = 1 if self.scores[0] > self.scores[1] else 2
                self.ended = True
            elif self.options["game_tie"] == "draw":
                self.ended = True

    # Declarations (4)

    def pieces(self, seat: int) -> list[Piece]:
        hand = self.hands[seat]
        squares: list[Piece] = []
        values = {"J": 200, "9": 150, "A": 100, "T": 100, "K": 100, "Q": 100}
        order = "J9ATKQ" if self.options["square_order"] == "trick" else "J9AKQT"
        if self.call == NONE:
            values = {"A": 200, "T": 150, "K": 100, "Q": 100, "J": 100}
            order = "ATKQJ"
        for rank, points in values.items():
            if sum(card[0] == rank for card in hand) == 4:
                cards = tuple((rank, suit) for suit in SUITS)
                squares.append((points, (1, -order.index(rank), 0, 0), cards))
        runs: list[Piece] = []
        sequence = "789TJQKA"
        for suit in SUITS:
            for low in range(8):
                for high in range(low + 3, 9):
                    cards = tuple((rank, suit) for rank in sequence[low:high])
                    if all(card in hand for card in cards):
                        points = {3: 20, 4: 50}.get(high - low, 100)
                        runs.append((points, (0, points, high, suit == self.call), cards))
        whole = [run for run in runs if not any({*run[2]} < {*other[2]} for other in runs)]
        if self.options["shared_cards"] == "allowed":
            return squares + whole
        best: list[Piece] = []
        for size in (1, 2):
            for some in combinations(squares + runs, size):
                laid = [card for piece in some for card in piece[2]]
                if len(laid) == len(set(laid)) and rating(some) > rating(best):
                    best = [*some]
        return best

    def declared(self) -> list[int]:
        """Return the points of declarations by side (4.3, 4.4)."""
        none = [0, 0]
        if self.options["declarations"] == "off":
            return none
        by_seat = {seat: self.pieces(seat) for seat in self.hands}
        ranks = [piece[1] for pieces in by_seat.values() for piece in pieces]
        if not ranks:
            return none
        best = max(ranks)
        around = range(1, self.seats + 1)
        order = [(self.dealer + turn - 1) % self.seats + 1 for turn in around]
        owners = [seat for seat in order if best in [piece[1] for piece in by_seat[seat]]]
        sides = {(seat + 1) % 2 for seat in owners}
        if len(sides) == 2 and self.options["declaration_tie"] == "none":
            return none
        side = (owners[0] + 1) % 2
        for seat, pieces in by_seat.items():
            if (seat + 1) % 2 == side:
                none[side] += sum(piece[0] for piece in pieces)
        return none

    # Settlement (7 and 8)

    def counted(self, side: int, taken: list[int], declared: list[int], belote: list[int]) -> int:
        """Return the points of a side that decide the contract."""
        counts = self.options["contract_counts"]
        points = taken[side]
        if counts in ("all", "cards_belote"):
            points += belote[side]
        if counts in ("all", "cards_declarations"):
            points += declared[side]
        return points

    def turned(
        self, mine: int, taken: list[int], won: list[int], declared: list[int], belote: list[int]
    ) -> list[int]:
        theirs = 1 - mine
        attack = self.counted(mine, taken, declared, belote)
        defence = self.counted(theirs, taken, declared, belote)
        scored = [taken[s] + declared[s] + belote[s] for s in (0, 1)]
        tie = attack == defence and won[mine] not in (0, self.tricks)
        if tie and self.options["tie"] != "inside":
            if self.options["tie"] == "litige":
                self.waiting += taken[mine] + declared[mine]
            scored[mine] = belote[mine]
            return scored
        if (attack > defence and won[mine]) or won[mine] == self.tricks:
            scored[mine] += self.waiting
        else:
            kept = declared[mine] if self.options["failed_declarations"] == "kept" else 0
            scored[mine] = kept + belote[mine]
            scored[theirs] = sum(taken) + sum(declared) - kept + belote[theirs]
            self.lose_belote(scored, mine, belote)
            scored[theirs] += self.waiting
        self.waiting = 0
        return scored

    def lose_belote(self, scored: list[int], side: int, belote: list[int]) -> None:
        """Apply `failed_belote`."""
        if self.options["failed_belote"] == "opponents" and scored[side] == belote[side]:
            scored[1 - side] += scored[side]
            scored[side] = 0

    def coinched(
        self, mine: int, taken: list[int], won: list[int], declared: list[int], belote: list[int]
    ) -> list[int]:
        options, bid, times, theirs = self.options, self.bid, self.times, 1 - mine
        attack = self.counted(mine, taken, declared, belote)
        defence = self.counted(theirs, taken, declared, belote)
        made = attack >= bid and (attack > defence or options["must_exceed"] == "off")
        if bid == CAPOT or won[mine] in (0, 8):
            made = won[mine] == 8
        whole = {NONE: 130, ALL: 258}.get(self.call, 162)
        if self.call == NONE and options["no_trump_ace"] == "19":
            whole = 162
        lost = whole
        if options["failed_tricks"] == "taken" and (bid == CAPOT or won[theirs] == 8):
            lost = whole + 90
        if options["failed_tricks"] == "160":
            lost = {130: 130, 258: 250, 162: 160}[whole]
        flat = bid == CAPOT and options["capot_bid"] == "500"
        every = options["double_counts"] == "all"
        winner, loser = (mine, theirs) if made else (theirs, mine)
        scored = [0, 0]
        if made and (times == 1 or options["doubled_defence"] == "keeps"):
            scored[theirs] = taken[theirs] + declared[theirs] + belote[theirs]
            tricks = taken[mine] * times if every else taken[mine]
            tricks += bid * times
            if flat:
                tricks = 500 * times
            scored[mine] = tricks + declared[mine] + belote[mine]
            return scored
        tricks = lost
        if made and options["failed_tricks"] != "160":
            tricks = sum(taken)
        tricks = (tricks + bid) * times if every else tricks + bid * times
        if flat:
            tricks = 500 * times
        kept = declared[loser] if options["failed_declarations"] == "kept" else 0
        scored[winner] = tricks + sum(declared) - kept + belote[winner]
        scored[loser] = kept + belote[loser]
        self.lose_belote(scored, loser, belote)
        return scored


def rating(pieces: tuple[Piece, ...] | list[Piece]) -> tuple[Any, ...]:
    """Return the total of declarations, then their best place (4.5)."""
    return sum(piece[0] for piece in pieces), max((piece[1] for piece in pieces), default=())


def records(many: int = RECORDS, seed: int = SEED) -> list[dict[str, Any]]:
    """Return the records: every fourth with a card turned, the others of Coinche."""
    chance = Random(seed)
    rows = []
    for number in range(1, many + 1):
        game = Game(chance, coinche=number % 4 != 0)
        source = "docs/rules/belote.md, by tests/games/belote/whole_games.py"
        rows.append(game.sheet.row(f"belote-game-{number}", source, game.scores, game.winner))
    return rows


if __name__ == "__main__":
    write(records())
