"""Sentences of a game between two houses."""

from __future__ import annotations

from typing import Final

SENTENCES: Final = {
    "refusal.far-stopped": "This game has stopped; both houses keep their records.",
    "refusal.far-cards": "Both houses deal the cards, so this is not entered here.",
    "refusal.far-asked": "The other house is asked whether it agrees.",
    "refusal.far-asked-once": "The other house was asked at this line already; it can be asked "
    "again after the next line.",
    "refusal.far-other-question": "The other house asks something else now, or nothing: read it "
    "again.",
    "refusal.far-unheard": "{name}’s board has not heard the last messages yet; try again when it "
    "is there.",
    "refusal.far-long": "This game has as many lines as two houses keep; begin another.",
    "refusal.far-asks": "The other house has asked first: agree or refuse.",
    "refusal.far-held": "Kept: it is entered as soon as the players before have chosen.",
    "refusal.far-draw": "A card is drawn first.",
    "refusal.far-turn": "It is {seat}’s turn.",
    "refusal.far-waits": "The two houses are dealing; try again in a moment.",
    "refusal.far-phone": "Before their turn, players discard only on their own phone.",
    "refusal.far-theirs": "Only the other house plays this seat.",
    "refusal.far-opened": "The cards are dealt: nothing before that can be taken back.",
    "refusal.far-no-broker": "Playing with another house needs a broker: enter its address in "
    "[far] or [mqtt] of the configuration.",
    "refusal.far-missing": "Playing with another house needs the extra [far]: install boardctl "
    "with it.",
    "refusal.far-unsafe": "The libsodium of this board is too old to deal with another house "
    "(CVE-2025-69277): update PyNaCl to 1.6.2 or later.",
    "refusal.far-opens": "Entered: it counts as soon as {name}’s board has opened the deal.",
    "refusal.far-unreadable": "What is kept of the games with other houses cannot be read.",
    "refusal.far-six-words": "An invitation has six words, not {count}.",
    "refusal.far-no-word": "“{word}” is none of the words of an invitation.",
    "refusal.far-other-words": "These six words do not belong together; one of them is wrong.",
    "refusal.far-busy": "A game with another house is going on; first set it aside under "
    "“Play with another house”.",
    "refusal.far-again": "{name} is asked for another game.",
    "refusal.far-begins": "Another game with {name} begins.",
    "refusal.far-goes-on": "The game with {name} goes on.",
    "refusal.far-waiting": "This board waits for another house already; end that first.",
    "refusal.far-own-words": "These words are this board’s own invitation: the other house must "
    "enter them.",
    "refusal.far-used": "These words were used here before; ask for new ones.",
    "refusal.far-no-house": "This house is not known any more.",
    "refusal.far-looking": "This board is watching {name}’s game; begin another evening to play.",
    "refusal.far-nothing-on": "No game with another house is on the table.",
    "refusal.far-behind": "What this board keeps of {name}’s house is an older copy, so neither "
    "can go on with it. Invite each other again; a game that was going on cannot be finished.",
    "refusal.far-has-left": "{name} has left; play again after a new invitation.",
    "refusal.far-no-game": "{game} is not played with another house; possible are {allowed}.",
    "refusal.far-for-two": "{game} is played with another house by two: leave out the partner.",
    "page.far-onlookers": "Onlookers",
    "page.far-show": "Invite an onlooker",
    "page.far-look": "Watch {name}’s game",
    "page.far-looking": "You are watching {name}’s game",
    "page.far-forget": "Stop watching",
    "page.far-over": "ended",
    "page.far-backup": "A backup holds the games, not the keys to other houses: on another card, "
    "invite each other again; a game with them that is going on is lost.",
    "page.far": "Play with another house",
    "page.far-invite": "Invite another house",
    "page.far-to": "To a game of {game}",
    "page.far-accept": "Accept an invitation",
    "page.far-words": "Six words, or the link",
    "page.far-name": "Your name",
    "page.far-partner": "Your partner (for four)",
    "page.far-four": "With a partner, four play: two in each house.",
    "page.far-read": "Read these words out on the telephone, or send the link.",
    "page.far-numbers": "The same as numbers: {numbers}",
    "page.far-link": "The invitation as a link",
    "page.far-cancel": "Stop waiting",
    "page.far-waiting": "Waiting for the other house",
    "page.far-late": "These words were used by another house, or taken back; ask for new ones.",
    "page.far-unanswered": "No board answers to these words. Compare them with the other house; if "
    "they are right they were used, or are too old: ask for new ones.",
    "page.far-offered": "Waiting for {name}’s answer",
    "page.far-withdraw": "Withdraw the invitation",
    "page.far-here": "{name} is there",
    "page.far-gone": "{name} is not there now",
    "page.far-aside": "{name}’s board has set this game aside",
    "page.far-unopened": "Waiting for {name}’s board to open the deal; nothing of it counts until "
    "then.",
    "page.far-update-here": "{name}’s board deals by a newer version: update this board to play "
    "together.",
    "page.far-update-there": "{name}’s board deals by an older version, in which cards could be "
    "chosen: that board must be updated before you play together.",
    "page.far-left": "The game with {name} is set aside",
    "page.far-ago": "{name} was last there {ago}",
    "page.far-yours": "Your house is to play",
    "page.far-you": "You are to play",
    "page.far-theirs": "{name} is to play",
    "page.far-dealing": "The two houses are dealing",
    "page.far-asks": "{name} asks: {line}",
    "page.far-declined": "{name} does not agree: {line}",
    "page.far-undo": "take back the last move",
    "page.far-undo-lines": "take back the last {count} lines",
    "page.far-agree": "Agree",
    "page.far-refuse": "Refuse",
    "page.far-stand": "Let it stand",
    "page.far-draw": "Draw",
    "page.far-again": "Play again with {name}",
    "page.far-play": "Play {game} with {name}",
    "page.far-who": "Somebody else plays",
    "page.far-remove": "Remove {name}",
    "page.far-keep": "Keep {name}",
    "page.far-removes": "A game with {name} that is not over is lost, and you can only play again "
    "after a new invitation.",
    "page.far-on": "Go on with the game with {name}",
    "page.far-end": "Set the game with {name} aside",
    "page.far-known": "Houses you know",
    "page.far-invited": "{name} wants to play {game}",
    "page.far-join": "Join the game",
    "page.far-with": "A game with {name}",
    "page.far-no-broker": "There is no connection between the houses; the board keeps trying.",
    "far.rejected": "The referee rejects what {name} has said ({line}); the game has stopped, and "
    "both houses keep their records.",
    "far.scores": "After “{line}” {name}’s board has the score {theirs}, and this one {ours}: the "
    "two have different versions of boardctl, of which one counts otherwise. The game has stopped, "
    "and both houses keep their records; update both boards before the next one.",
    "far.scores-told": "{name}’s board has another score than this one: the two have different "
    "versions of boardctl, of which one counts otherwise. The game has stopped, and both houses "
    "keep their records; update both boards before the next one.",
    "far.false": "What {name}’s board has sent does not follow the deal that was agreed ({code}); "
    "the game has stopped, and both houses keep their records.",
    "far.told": "{name}’s board has stopped the game ({why}); both houses keep their records.",
    "far.outdated": "The game with {name} was begun by an earlier version, whose deal is not "
    "played any more. It stays unfinished; begin another game.",
    "far.accepted-1": "Waiting for the",
    "far.accepted-2": "other house …",
    "far.answer": "Hold #, 8, 4",
    "far.join": "Hold #, 8, 4, #",
    "far.somebody": "Somebody",
    "far.evening": "With {name}",
    "far.looking": "At {name}’s",
}
"""`far.` with a code: why a game has stopped, and what the evening is called."""
