"""Sentences for games between two houses."""

from __future__ import annotations

from typing import Final

SENTENCES: Final = {
    "refusal.far-stopped": "This game has stopped; both houses keep their records.",
    "refusal.far-cards": "The two houses deal the cards together, so this cannot be entered here.",
    "refusal.far-asked": "The other house has been asked whether it agrees.",
    "refusal.far-asked-once": (
        "The other house has already been asked about this line; ask again after the next line."
    ),
    "refusal.far-other-question": "The other house’s request has changed or ended; read it again.",
    "refusal.far-unheard": "{name}’s board has not received the last messages yet; try again when "
    "it is connected.",
    "refusal.far-long": "This game has reached its maximum number of lines; begin another.",
    "refusal.far-asks": "The other house asked first: agree or refuse.",
    "refusal.far-held": "Saved. Your choice will be entered once the earlier players have chosen.",
    "refusal.far-draw": "A card must be drawn first.",
    "refusal.far-turn": "It is {seat}’s turn.",
    "refusal.far-waits": "The two houses are dealing; try again in a moment.",
    "refusal.far-phone": "Before their turn, players can discard only on their own phones.",
    "refusal.far-theirs": "Only the other house plays this seat.",
    "refusal.far-opened": "The cards have been dealt, so no earlier move can be taken back.",
    "refusal.far-no-broker": "Playing with another house needs a broker: choose one in the set-up "
    "(Table, then “Set up”).",
    "refusal.far-tab-broker": "Playing with another house needs a broker: open the link of an "
    "invitation, or enter a broker’s address in the set-up.",
    "refusal.far-config": "Set this board’s broker in [far] or [mqtt] of its configuration.",
    "refusal.far-broker-address": "“{value}” is not a broker’s address for browsers. Browsers "
    "reach a broker only with encryption, at an address such as "
    "wss://guest:password@broker.example:8884.",
    "refusal.far-other-broker": "The houses in your list use the broker {here}; remove them from "
    "the list before you use {there}.",
    "refusal.far-missing": "Playing with another house needs the extra [far]: install boardctl "
    "with this extra.",
    "refusal.far-unsafe": "This board’s libsodium is too old for a game with another house "
    "(CVE-2025-69277): update PyNaCl to 1.6.2 or later.",
    "refusal.far-opens": "Entered. It counts once {name}’s board has opened the deal.",
    "refusal.far-unreadable": "The saved games with other houses cannot be read.",
    "refusal.far-six-words": "An invitation has six words, not {count}.",
    "refusal.far-no-word": "“{word}” is not one of the invitation words.",
    "refusal.far-other-words": "These six words do not belong together; one of them is wrong.",
    "refusal.far-busy": "A game with another house is in progress; first set it aside under “Play "
    "with another house”.",
    "refusal.far-again": "{name} is being asked for another game.",
    "refusal.far-begins": "Another game with {name} begins.",
    "refusal.far-goes-on": "The game with {name} continues.",
    "refusal.far-waiting": "This board is already waiting for another house; cancel that first.",
    "refusal.far-own-words": "These words are this board’s own invitation: the other house must "
    "enter them.",
    "refusal.far-used": "These words have already been used here; ask for new ones.",
    "refusal.far-no-house": "This board no longer knows that house.",
    "refusal.far-looking": "This board is watching {name}’s game; begin another evening to play.",
    "refusal.far-nothing-on": "No game with another house is on the table.",
    "refusal.far-behind": "This board has only an older copy of its record of {name}’s house, so "
    "the two houses can no longer play together. Invite each other again; an unfinished game "
    "cannot be continued.",
    "refusal.far-has-left": "{name} has removed this house; a new invitation is needed to play "
    "again.",
    "refusal.far-no-game": "{game} cannot be played with another house. Supported games: "
    "{allowed}.",
    "refusal.far-for-two": "With another house, {game} is for two players: leave out the partner.",
    "page.far-onlookers": "Onlookers",
    "page.far-show": "Invite an onlooker",
    "page.far-look": "Watch {name}’s game",
    "page.far-looking": "You are watching {name}’s game",
    "page.far-forget": "Stop watching",
    "page.far-over": "ended",
    "page.far-backup": "A backup contains the games, but not the encryption keys for other "
    "houses. On another SD card, invite each other again; an unfinished game with another house "
    "is lost.",
    "page.far": "Play with another house",
    "page.far-invite": "Invite another house",
    "page.far-to": "To a game of {game}",
    "page.far-accept": "Accept an invitation",
    "page.far-words": "Six words, or the link",
    "page.far-name": "Your name",
    "page.far-partner": "Your partner (for four)",
    "page.far-four": "With partners, four people play: two in each house.",
    "page.far-read": "Read these words out over the telephone, or send the link.",
    "page.far-numbers": "The words as numbers: {numbers}",
    "page.far-link": "The invitation as a link",
    "page.far-tab-link": "The invitation as a link, for someone without a board",
    "page.far-cancel": "Stop waiting",
    "page.far-waiting": "Waiting for the other house",
    "page.far-late": "These words were withdrawn or used by another house; ask for new ones.",
    "page.far-unanswered": "No board answers to these words. Compare them with the other house. "
    "If they are right, they have been used or have expired: ask for new ones.",
    "page.far-offered": "Waiting for {name}’s answer",
    "page.far-withdraw": "Withdraw the invitation",
    "page.far-here": "{name} is connected",
    "page.far-gone": "{name} is not connected now",
    "page.far-aside": "{name}’s board has set this game aside",
    "page.far-unopened": "Waiting for {name}’s board to open the deal; the deal does not count "
    "until then.",
    "page.far-update-here": "{name}’s board uses a newer way of dealing: update this board to "
    "play together.",
    "page.far-update-there": "{name}’s board uses an older way of dealing, in which cards could "
    "be chosen; update that board before you play together.",
    "page.far-left": "The game with {name} is set aside",
    "page.far-away": "{name} has been away for {time}",
    "page.far-left-now": "{name} has just left",
    "page.far-by-link": "Another house invites you to play together. Enter your name and accept.",
    "page.far-accept-now": "Accept",
    "page.far-need-name": "Enter your name first.",
    "page.far-share": "Share the invitation",
    "page.far-copy": "Copy the invitation",
    "page.far-code": "The other house joins with a code",
    "page.far-code-how": "This board is the broker for both houses. At the other board, open “Set "
    "up”, choose a public or club broker, and enter this code as the broker’s address.",
    "page.far-copy-code": "Copy the code",
    "page.far-copied": "Copied. Paste it into a message.",
    "page.far-not-copied": "This browser does not allow copying. Read the words out instead.",
    "page.far-yours": "It is your house’s turn",
    "page.far-you": "It is your turn",
    "page.far-theirs": "It is {name}’s turn",
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
    "page.far-removes": "An unfinished game with {name} will be lost, and you will need a new "
    "invitation to play again.",
    "page.far-on": "Continue the game with {name}",
    "page.far-end": "Set the game with {name} aside",
    "page.far-known": "Houses you know",
    "page.far-invited": "{name} wants to play {game}",
    "page.far-join": "Join the game",
    "page.far-with": "A game with {name}",
    "page.far-no-broker": "The houses are not connected; the board keeps trying.",
    "far.rejected": (
        "The referee rejected {name}’s entry ({line}). The game has stopped; both houses "
        "keep their records."
    ),
    "far.scores": "After “{line}” the score is {theirs} on {name}’s board and {ours} on this one: "
    "the two boards run versions of boardctl that score differently. The game has stopped, and "
    "both houses keep their records. Update both boards before the next game.",
    "far.scores-told": "{name}’s board has a different score: the two boards run versions of "
    "boardctl that score differently. The game has stopped, and both houses keep their records. "
    "Update both boards before the next game.",
    "far.false": "{name}’s board sent something that does not fit the agreed deal ({code}). The "
    "game has stopped; both houses keep their records.",
    "far.told": "{name}’s board has stopped the game ({why}); both houses keep their records.",
    "far.outdated": "The game with {name} was begun by an earlier version of boardctl, whose way "
    "of dealing is no longer used. The game stays unfinished; begin another game.",
    "far.accepted-1": "Waiting for the",
    "far.accepted-2": "other house …",
    "far.answer": "Hold #, 8, 4",
    "far.join": "Hold #, 8, 4, #",
    "far.somebody": "Somebody",
    "far.evening": "With {name}",
    "far.looking": "At {name}’s",
}
"""`far.` with a code: the reason why a game has stopped, and the name of the evening."""
