"""Hints in words: a nudge, the move, the reason, and a comparison of the two best options."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from boardctl import text
from boardctl.games import Award, Move
from boardctl.games.cards import Card, parse_card, pictured
from boardctl.text import moves
from boardctl.text.counting import briefly

SENTENCES: Final = {
    "page.hint": "Hint",
    "page.hint-show": "Show me the move",
    "page.hint-thinks": "A moment …",
    "page.hints-given": "Hints: {hints}",
    "hint.own-crib": "Think of your crib: cards that score together also count for you there.",
    "hint.their-crib": "Think of your opponent’s crib: do not give away cards that score together.",
    "hint.count-first": (
        "The end is near, and you count before the dealer. How many points do you need to win?"
    ),
    "hint.count-last": "The end is near, and your opponent counts first. Where can you get points "
    "before that?",
    "hint.keep-run": "Look for a run, and for other cards that combine with it.",
    "hint.keep-pairs": "Look for a pair, and for other cards that combine with it.",
    "hint.keep-fifteens": "Look for cards that make fifteen together.",
    "hint.keep-low": "Few of these cards score together. Low cards are good in the play.",
    "hint.one-card": "Only one of your cards can be played.",
    "hint.score": "One of your cards scores now. Which one?",
    "hint.not-every-point": "One card scores, but think of your opponent’s reply.",
    "hint.alike": "The cards that you can play all have the same rank, so any of them will do.",
    "hint.lead-any": "What can your opponent do after your first card, and how would you answer?",
    "hint.lead": "After which card can your opponent not make fifteen at once?",
    "hint.last-card": "It is not far to 31. Who will play the last card?",
    "hint.traps": "Many cards are worth ten: take care with 5, 10 and 21, and with ranks next to "
    "that of the last card.",
    "hint.go": "Can you play any of your cards without passing 31?",
    "hint.count": "Count the fifteens first, then the pairs.",
    "hint.count-more": "Count the fifteens first, then the pairs. There is also another "
    "combination.",
    "hint.count-nothing": "Look for fifteens, pairs and runs. A hand can also be worth nothing.",
    "hint.only-line": "You have only one possible move.",
    "hint.earn": "One of your moves scores at once. Which one?",
    "hint.habit-bid": "How many trumps would you have, and are the best ones among them?",
    "hint.habit-play": "Which card costs you least?",
    "hint.habit-discard": "Which cards can you do without?",
    "hint.habit": "What costs you least?",
    "hint.search-bid": "What would you make if everybody passed?",
    "hint.search-play": "Which cards can the other players still hold?",
    "hint.search": "Which cards can the other players hold?",
    "hint.do-discard": "Put {cards} in the crib.",
    "hint.do-play": "Play {cards}.",
    "hint.do-go": "Say go.",
    "hint.do-count": "It is worth {points}: {reasons}.",
    "hint.do-nothing": "It is worth nothing.",
    "hint.why-hand": "It leaves more points in your hand.",
    "hint.why-crib": "It makes the crib better for you.",
    "hint.why-play": "The cards that you keep are better in the play.",
    "hint.why-late": "This close to the end, counting first matters more than scoring more.",
    "hint.why-even": "The next best choice is almost as good.",
    "hint.why-points": "It scores now.",
    "hint.why-safer": "Your opponent’s reply to it earns less.",
    "hint.why-low-lead": "No single card makes fifteen with it.",
    "hint.why-later": "It leaves you better cards for later.",
    "hint.why-only": "Nothing else is possible.",
    "hint.why-alike": "No other rank can be played.",
    "hint.why-go": "You can play none of your cards without passing 31.",
    "hint.why-earns": "It earns {points} at once.",
    "hint.why-habit-bid": "Three cards of a suit, including one of the best, are enough for a bid.",
    "hint.why-habit-pass": "A bid needs three cards of a suit, including its jack, nine or ace.",
    "hint.why-habit-points": "Bid up to the points of the melds, aces and long trumps in your "
    "best suit.",
    "hint.why-habit-trump": "In this suit your melds and trumps are worth most.",
    "hint.why-habit-play": "It is the playable card that you need least.",
    "hint.why-habit-discard": "They are the cards that you need least.",
    "hint.why-habit": "It gives your opponent no immediate points.",
    "hint.why-searched": "It was best on average over random deals that fit what you have seen.",
    "hint.why-weighed": "It gains the most, after subtracting the value of the melds that it "
    "breaks.",
    "hint.why-fewest": "Every other card would give your opponent at least as many points at once.",
    "hint.of-throw": "{cards}: hand {hand} and crib {crib} on average; you win {win} games in 100.",
    "hint.of-throw-hand": "{cards}: the hand counts {hand} on average.",
    "hint.of-card": "{cards}: {points} now, {reply} on average for your opponent’s next card; you "
    "win {win} games in 100.",
    "hint.of-card-points": "{cards}: {points} now.",
    "hint.of-line": "{cards}: {more} points against the best other side in this deal; you win "
    "{win} games in 100.",
    "hint.of-throw-worth": "{cards}: hand {hand} and crib {crib} on average; {worth}.",
    "hint.of-card-worth": "{cards}: {points} now, {reply} on average for your opponent’s next "
    "card; {worth}.",
    "hint.worth-games": "you gain {worth} games on average",
    "hint.worth-tournament": "you score {worth} tournament points on average",
    "hint.worth-match": "you win {worth} matches in 100",
    "refusal.hints-off": "Hints are switched off on this board (`[hints]` in its configuration).",
    "refusal.hints-match": "Hints are not available in a match.",
    "refusal.hints-muggins": "With muggins, everybody counts alone, so there are no hints for "
    "counting.",
    "refusal.hint-no-seat": "First choose whose phone this is, because a hint is for one player.",
    "refusal.hint-seen": "Here, everybody would see and hear your hint: ask on your own phone.",
    "refusal.hint-not-due": "Hints are for your own decisions; you have no decision to make now.",
    "refusal.hint-unknown": "The board does not know your cards: enter your hand first.",
    "refusal.hint-failed": "The hint took too long; ask again.",
}


def hint(
    found: Mapping[str, Any],
    best: Move,
    awards: tuple[Award, ...],
    names: Sequence[str] = (),
    language: str = "en",
    spell: Callable[[tuple[Card, ...], str], str] = lambda cards, language: pictured(cards),
) -> dict[str, Any]:
    """Return a hint in the form shown on the page: nudge, move, line, cards, and a list of
    sentences in `why`.

    Args:
        found: the hint as data (`bot.hints.Hint.as_data`).
        best: the move that it recommends.
        awards: the points of the hand, if it must be counted.
        names: the players by seat.
        language: `en` or `ja`.
        spell: turns cards into words of a language.
    """
    say = text.saying("hint", language, names)
    option, other = found["best"], found["other"]
    if found["kind"] == "count":
        points = sum(award.points for award in awards)
        reasons = briefly(awards, language) or moves.reasons(awards, names, language)
        move = say("do-count", points=points, reasons=reasons) if points else say("do-nothing")
        why: list[str] = []
    else:
        known = f"hint.do-{best.verb}" in text.sentences()
        spoken = say(f"do-{best.verb}", cards=spell(best.cards, language)) if known else ""
        move = spoken or moves.describe(best, names, language, spell)
        why = [say(f"why-{found['why']}", points=option.get("points", 0))]
        if other is not None:
            for one in (option, other):
                held = spell(tuple(map(parse_card, one["cards"])), language)
                played_for = found.get("objective", "")
                why += filter(None, [_compared(one, found["kind"], held, played_for, say)])
    return {
        "kind": found["kind"],
        "nudge": say(found["nudge"]),
        "move": move,
        "line": option["line"],
        "cards": option["cards"],
        "why": why,
    }


def _compared(option: Mapping[str, Any], kind: str, cards: str, objective: str, say: Any) -> str:
    """Describe one of the two best options with its figures. Return an empty string if there are
    none."""
    numbers: dict[str, Any] = {
        "cards": cards,
        "points": option.get("points"),
    }
    for name in ("hand", "crib", "reply"):
        if name in option:
            numbers[name] = f"{option[name]:.1f}"
    if "win" in option:
        numbers["win"] = f"{100 * option['win']:.1f}"
    if "worth" in option:
        worth = 100 * option["worth"] if objective == "match" else option["worth"]
        digits = f"{worth:.1f}" if objective == "match" else f"{worth:.2f}"
        numbers["worth"] = say(f"worth-{objective}", worth=digits)
        return str(say(f"of-{'throw' if kind == 'throw' else 'card'}-worth", **numbers))
    if kind == "line" and cards and "more" in option:
        numbers["more"] = f"{option['more']:+.1f}"
        return str(say("of-line", **numbers))
    if kind == "throw":
        return str(say("of-throw" if "win" in option else "of-throw-hand", **numbers))
    if kind == "play":
        return str(say("of-card" if "win" in option else "of-card-points", **numbers))
    return ""
