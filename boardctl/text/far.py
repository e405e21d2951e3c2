"""Sentences of a game between two houses."""

from __future__ import annotations

from typing import Final

SENTENCES: Final = {
    "refusal.far-stopped": "This game has stopped; both houses keep their records.",
    "refusal.far-cards": "Both houses deal the cards, so this is not entered here.",
    "refusal.far-asked": "The other house is asked whether it agrees.",
    "refusal.far-held": "Kept: it follows as soon as the other house has chosen.",
    "refusal.far-turn": "The other house is to play.",
    "refusal.far-waits": "The two houses are dealing; try again in a moment.",
    "refusal.far-theirs": "Only the other house plays this seat.",
    "refusal.far-opened": "The cards are dealt: nothing before that can be taken back.",
    "refusal.far-no-broker": "Playing with another house needs a broker: enter its address in "
    "[far] or [mqtt] of the configuration.",
    "refusal.far-missing": "Playing with another house needs the extra [far]: install boardctl "
    "with it.",
    "refusal.far-unreadable": "What is kept of the games with other houses cannot be read.",
    "refusal.far-six-words": "An invitation has six words, not {count}.",
    "refusal.far-no-word": "“{word}” is none of the words of an invitation.",
    "refusal.far-other-words": "These six words do not belong together; one of them is another.",
    "refusal.far-busy": "A game with another house is going on; end it first.",
    "refusal.far-no-house": "This house is not known any more.",
    "refusal.far-no-game": "{game} is not played with another house; possible are {allowed}.",
    "page.far": "Play with another house",
    "page.far-invite": "Invite another house",
    "page.far-accept": "Accept an invitation",
    "page.far-words": "Six words, or the link",
    "page.far-name": "Your name",
    "page.far-read": "Read these words out on the telephone, or send the link.",
    "page.far-numbers": "The same as numbers: {numbers}",
    "page.far-link": "The invitation as a link",
    "page.far-cancel": "Do not wait any longer",
    "page.far-waiting": "Waiting for the other house",
    "page.far-here": "{name} is there",
    "page.far-gone": "{name} is not there now",
    "page.far-ago": "{name} was there {minutes} minutes ago",
    "page.far-yours": "Your house is to play",
    "page.far-theirs": "{name} is to play",
    "page.far-dealing": "The two houses are dealing",
    "page.far-asks": "{name} asks: {line}",
    "page.far-undo": "take back the last move",
    "page.far-agree": "Agree",
    "page.far-refuse": "Refuse",
    "page.far-stand": "Let it stand",
    "page.far-again": "Play again with {name}",
    "page.far-end": "End the game with {name}",
    "page.far-known": "Houses you know",
    "page.far-invited": "{name} wants to play",
    "page.far-join": "Join the game",
    "page.far-with": "A game with {name}",
    "page.far-no-broker": "No connection between the houses; it is tried again.",
    "far.rejected": "The referee rejects what {name} has said ({line}); the game has stopped, and "
    "both houses keep their records.",
    "far.false": "What {name}’s board has sent does not follow the deal that was agreed ({code}); "
    "the game has stopped, and both houses keep their records.",
    "far.told": "{name}’s board has stopped the game ({why}); both houses keep their records.",
    "far.evening": "With {name}",
}
"""`far.` with a code: why a game has stopped, and what the evening is called."""
