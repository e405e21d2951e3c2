"""Output of the commands, and their error messages about a command, a part or a file."""

from __future__ import annotations

from typing import Final

SENTENCES: Final = {
    "command.simulated": "*** NOTHING IS CONFIGURED: THIS IS A SIMULATED BOARD, no real LED will "
    "light ***",
    "command.board-at": "the board is at {url}   (press Ctrl-C to stop)",
    "command.port-in-use": "port {port} is in use by another program; the page uses port {free} "
    "instead",
    "command.invited": "phones: {address}   PIN {pin}   (one phone, three minutes)",
    "command.did-you-mean": "{said}. Did you mean “{near}”?",
    "command.at-line": "line {number}: {said}",
    "command.not-utf-8": "the input is not UTF-8",
    "command.standard-input": "standard input",
    "command.none": "none",
    "command.likely": "the opponent holds {ranks}: {share} %",
    "command.wins": "wins {win} ± {half} %",
    "command.expects-games": "gains {worth} ± {half} games",
    "command.expects-tournament": "{worth} ± {half} tournament points",
    "command.expects-match": "wins {worth} ± {half} percent of matches",
    "command.average-hand": "hand {points}",
    "command.average-crib": "crib {points}",
    "command.average-play": "play {points}",
    "command.pin": "PIN {pin}  {name}",
    "command.gains-points": "{points} ± {half} points",
    "command.leads-by": "{points} points in this deal",
    "command.seat-of-file": "--seat chooses a player in a notation file, but “{given}” is not a "
    "file.",
    "command.which-seat": "Several players decide now: choose one with --seat {seats}.",
    "command.no-decision": "The file must end just before a decision that can be judged: the "
    "player has at least two choices, and the player’s hand is known.",
    "command.pegs": "pegs {points}",
    "command.service-data": "the service's board, in {path}:",
    "command.backed-up": "{file}: {lines} lines",
    "command.deal-left-out": "the unfinished last deal of game {games} is left out, because it "
    "contains cards that only one player may see",
    "command.restored": "{lines} lines",
    "command.restored-kept": "{lines} lines; the old journal is kept as {kept}",
    "command.doubtful": "{lines} lines are kept; the game continues without them",
    "command.doubtful-kept": "these lines are kept; the game continues without them",
    "command.all-well": "all is well",
    "command.extent": "{evenings} evenings, {lines} lines",
    "command.not-damaged": "is not damaged; nothing was changed",
    "command.card-installed": "installed; `boardctl card restart` starts the new version, and a "
    "version that fails is rolled back automatically",
    "command.head-throw": "throw",
    "command.head-keep": "keep",
    "command.head-hand": "hand",
    "command.head-crib": "crib",
    "command.head-worth": "worth",
    "command.head-evenings": "evenings",
    "command.head-games": "games",
    "command.head-won": "won",
    "command.head-points": "points",
    "command.head-net": "net",
    "command.head-cards": "12+ cards",
    "command.game": "{name}: {seats} players",
    "command.game-sourced": "{name}: {seats} players; {source}",
    "command.not-a-port": "“{value}” is not a port; a port is a number from 1 to 65535",
    "command.club-at": "the club is at {url}   (press Ctrl-C to stop)",
    "command.service-installed": "The board is running and will start with the machine. See "
    "`systemctl status boardctl`.",
    "command.service-reaches": "In addition to the home network, the service may reach: "
    "{addresses}.",
    "command.service-near": (
        "The service may reach only the home network, because no broker outside it is configured."
    ),
    "command.service-removed": "The service has been removed. The games are still in "
    "/var/lib/boardctl.",
    "command.leds-take": "the LEDs draw at most {most} of {milliamps} mA",
    "command.link": "link version {version}, {baud} baud",
    "command.layout": "{name}: {title}, {width} × {height} mm, {tracks} tracks, {leds} LEDs "
    "({lamps} lit) in {pieces} pieces of strip",
    "command.host-missing": "--host is missing: give the name that boards use for this machine",
    "command.broker-reload": "mosquitto reads the file on SIGHUP: systemctl reload mosquitto, or "
    "kill -HUP",
    "command.rating": "{value} ±{half}  {games} games  {name}",
    "command.skill-kept": "new: {new}; skipped: {left} (already stored, or not from a member of "
    "this club)",
    "command.no-member": "{name} is not a member of this club",
    "command.transferred": "{name} is now a member of {club}",
    "command.delete-person": "Delete {name}? This cannot be undone",
    "command.forgotten": "{name} is now {pseudonym}",
    "command.wrote": "wrote {file}",
    "command.suit-learned": "{name}: {suit} learned, still missing: {left}",
    "command.pack-learned": "{name}: {count} cards learned",
    "command.code": "code {value}",
    "command.secret": "secret {value}",
    "command.far-has-secrets": "The --far file contains both secrets; do not give another secret.",
    "command.tell-secret": "Give CODE and SECRET, or --far FILE.",
    "command.secret-matches": "The secret matches the code.",
    "command.cards-follow": "The secret matches the code, and the cards match the secret.",
    "command.far-deal": "deal {number}: {cards}",
    "command.far-broken-off": "deal {number}: not finished",
    "command.far-follow": (
        "{count} deals: every pack was shuffled by both houses, and every card is in its "
        "recorded position."
    ),
    "command.far-packs": "{count} deals: every pack follows from the secrets of both houses. A "
    "file of version 1.0 has no moves, so the game was not checked.",
    "command.far-nothing": "The file contains no deal, so nothing was checked.",
    "command.far-ends": "The file contains the end of the game.",
    "command.far-cut": "The file stops before the end of the game: the game was not finished, or "
    "the rest of the file is missing.",
    "command.far-score": "The score after the last line: {scores}.",
    "command.refused": "{move}  REFUSED: {said}",
    "command.replayed-won": "game won by side {place}{margin_shown}, {scores}",
    "command.replayed-draw": "game drawn{margin_shown}, {scores}",
    "command.replayed-unfinished": "game unfinished{margin_shown}, {scores}",
    "command.map": "1-4 the holes of each track, every fifth as o; S start, G game hole; w games "
    "won; * other lamps; # display and keypad",
    "command.replayed-abandoned": "game abandoned{margin_shown}, {scores}",
    "command.replayed-session": "evening{session}: games {games}, won {won}",
    "command.judging-game": "judging game {number} of {count}",
    "command.reading-line": "reading line {number} of {count}",
    "command.restoring": "reading: {percent} %",
    "command.kicad-checks": "KiCad is checking panel {number} of {count}",
    "refusal.setup-unwritten": "{path} cannot be written ({reason}): run `sudo boardctl setup`",
    "part.hub": "the hub",
    "part.store": "the club’s store",
    "part.sheet": "a sheet",
    "part.drawings": "a .dxf or .pdf",
    "part.svg": "a .svg",
    "part.dxf": "a .dxf",
    "part.pdf": "a .pdf",
    "part.far-check": "checking a game between two houses",
    "part.photographs": "reading photographs",
    "part.postgresql": "a store on PostgreSQL",
    "part.leds": "the part leds",
    "part.keys": "the part keys",
    "part.display": "the part display",
    "failure.package": "{part} needs the Python package {package}, which is not installed: install "
    "boardctl with its extra [{extra}]",
    "failure.port": "{reason}",
    "failure.file": "{reason}",
    "failure.at-line": "line {number}: {said}",
    "failure.six-cards": "expected six cards to throw from, got {count}",
    "failure.suit-matters": "the suit of {card} matters here; write the suit too, as in 5H",
    "failure.whose-crib": "whose crib is it? use --dealer if it is yours, --pone if it is the "
    "opponent’s",
    "failure.crib-size": "a crib has four cards, got {count}",
    "failure.hand-size": "a hand has four cards, or three in five-card cribbage, got {count}",
    "failure.suits-open": "{kinds} depend on suits that {cards} does not specify; write the suits "
    "too, as in 5H",
    "failure.not-a-card": "“{word}” is not a card; a card is a rank A 2 3 4 5 6 7 8 9 T J Q K and "
    "a suit SHDC, as in 5H or TD",
    "failure.card-repeated": "{card} is repeated; a pack contains it only once",
    "failure.rank-repeated": "{rank} is given five times; a pack contains only four",
    "failure.drawn-one-game": "--as {form} takes one game: boardctl export 3 --as {form}",
    "failure.no-such-game": "there is no game {number}; the journal contains games 1 to {count}",
    "failure.no-games": "there is no game {number}; the journal contains no games yet",
    "failure.repair-recovers": "`boardctl journal repair` recovers everything readable",
    "failure.not-a-key": "line {line}: “{word}” is not a key; the keys are {allowed}",
    "failure.not-seconds": "line {line}: “{word}” is not a time; write it as 1s or 0.5s",
    "failure.no-pico-drive": "{place} is not a Pico’s drive: it has no INFO_UF2.TXT",
    "failure.not-plugged": "there is no {port}: is the board plugged in?",
    "failure.no-bootsel": "there is no drive {label}: hold BOOTSEL while you plug in the Pico. If "
    "drives are not mounted automatically, run sudo mount -o uid=$USER /dev/disk/by-label/{label} "
    "/mnt and give /mnt",
    "failure.not-opened": "{what} cannot be opened: {reason}",
    "failure.not-written": "{what} cannot be written: {reason}",
    "failure.no-firmware": "{file} is not firmware: expected a .hex or a .uf2",
    "failure.apt-install": "some programs are not installed: sudo apt install {packages}",
    "failure.firmware-unwritten": "the firmware was not written; see the error above",
    "failure.firmware-ready-made": (
        "prebuilt firmware has a fixed limit of {milliamps} mA; to lower it, set "
        "`milliamps` in [leds]"
    ),
    "failure.no-firmware-source": "{folder} contains no firmware: download the source of boardctl "
    "and pass its firmware/ with --firmware",
    "failure.no-such-rules": "there is no game “{name}”; the games are {allowed}",
    "failure.extension": "the extension must be one of {allowed}",
    "failure.unwritable": "cannot be written ({reason})",
    "failure.unwritable-sudo": "cannot be written ({reason}): use sudo",
    "failure.unremovable-sudo": "cannot be removed ({reason}): use sudo",
    "failure.not-utf-8": "byte {byte} is not UTF-8",
    "failure.line-not-utf-8": "cannot be read: byte {byte} of line {number} is not "
    "UTF-8; save it as UTF-8, or as UTF-16 with a byte order mark",
    "failure.line-not-text": "cannot be read: byte {byte} of line {number} is 0, which no text "
    "contains; save it as UTF-8, or as UTF-16 with a byte order mark",
    "failure.teach-photos": "--teach takes only photos",
    "failure.report-cards": "--report needs the photo’s cards, such as --right “5H 5S JD 4C”, and "
    "--right needs --report",
    "failure.reports-alone": "--reports takes no photo, and no other option except --data",
    "failure.no-reports": "no phone has saved a report there",
    "failure.suit-one-photo": "--suit takes one photo, got {count}",
    "failure.camera-no-photo": "--camera takes the photo; do not also give a file",
    "failure.one-photo": "expected one photo, got {count}",
    "failure.no-cards": "it shows no cards",
    "failure.other-suit": "it shows {shown}, not {wanted}",
    "failure.suit-incomplete": "it shows {found} of {wanted} cards",
    "failure.suit-incomplete-lay": "it shows {found} of {wanted} cards; lay the {missing} "
    "straight, with gaps between the cards",
    "failure.secret-differs": "the secret does not belong to the code that was shown before the "
    "game",
    "failure.not-dealt": "deal {deal}: `{line}` was not dealt; the secret gives {cards}",
    "failure.deal-false": "the deal fails the check: {code} ({details})",
    "failure.far-unsafe": "the libsodium of this computer is too old (CVE-2025-69277): update "
    "PyNaCl to 1.6.2 or later",
    "failure.far-line": "line {number} is not from a game between two houses",
    "failure.no-secret": "a secret consists of {digits} digits, 0 to 9 and a to f",
    "failure.not-a-stream": "cannot be read: it is neither a file nor a pipe",
    "failure.too-large": "cannot be read: it is larger than {most} bytes",
    "failure.no-writer": "cannot be read: no program is writing to it",
    "failure.long-line": "cannot be read: line {number} is longer than {most} characters",
    "failure.too-long": "cannot be read: it is longer than {most} characters",
    "failure.nothing-configured": "nothing is configured: run `boardctl setup` first",
    "failure.no-card-image": "this machine was not started from the project’s card image",
    "failure.card-silent": "the card’s helper does not answer ({reason})",
    "failure.card-no-answer": "the card’s helper gave no answer",
    "failure.card": "{reason}",
    "failure.not-installed": "{program} is not installed",
    "failure.program-failed": "`{program}` failed: {reason}",
    "failure.hidden-home": "the service cannot see home folders; put the file elsewhere, such as "
    "{place}",
    "failure.not-absolute": "the service starts in another folder; write the full path",
    "failure.no-config": "there is no such file: run `boardctl setup` first",
    "failure.not-root": "only root may install or remove a service: use sudo",
    "failure.no-service": "there is no such file: the service is not installed",
    "failure.pi-not-configured": "this Raspberry Pi has no configuration: run `boardctl setup`, or "
    "`boardctl run --sim` to try a simulated board",
    "failure.broker-host": "“{value}” cannot be the broker’s machine: give its name (at most 64 "
    "letters, digits, - and dots) or its address",
    "failure.broker-exists": "already contains a mosquitto.conf; nothing was written",
    "failure.no-listener": "there is no listener",
    "failure.unknown-board": "“{name}” is not a known name; nothing was changed",
    "failure.not-a-store": "is not a club’s store that this boardctl can read",
    "failure.store-url": "expected a path or the URL of a database",
    "failure.store-kind": "a store is sqlite:///… or postgresql://…",
    "failure.store-newer": "was written by a newer boardctl ({reason})",
    "failure.not-a-file": "is not a file",
    "failure.broker-code": "expected a broker’s code: USER:PASSWORD:FINGERPRINT@HOST:PORT",
    "failure.no-answer": "does not answer ({reason})",
    "failure.other-broker": "is not the broker that showed this code; nothing was sent",
    "failure.png-terminal": "a picture cannot be shown in a terminal: boardctl export {game} --as "
    "png > game.png",
    "failure.service-data": "belongs to the board's service; run this command with sudo",
    "failure.no-board-runs": "no board with a page is running on it; use --data for another "
    "directory",
    "failure.key-damaged": "is damaged; restart the board",
    "failure.no-board": "the program that answers there is not a board",
    "failure.no-kicad": "KiCad must check and plot the circuit board: sudo apt install kicad",
    "failure.kicad-failed": "KiCad did not plot the board: {reason}",
    "failure.kicad-finds": "KiCad finds {errors} errors and {unrouted} missing connections on this "
    "board; the first: {reason}",
    "failure.budget-too-large": "{value} is too much: the largest supported supply and fuse "
    "({amperes} A) carry {most}; lower the budget",
    "failure.wire-too-thick": "{value} needs {area} mm² wire, which is too thick",
    "failure.no-room-pi": "there is no room for a Pi in the tray",
    "failure.no-room-ridge": "there is no room for a ridge at the end of street {street}: its "
    "strip ({width} × {length} mm) must be at least {clear} mm from hole {name}",
    "failure.keypad-panel": "if the circuit board is cut in two, the first LED is not on the "
    "keypad’s panel",
    "failure.circuit-too-large": (
        "a circuit board of {width} × {height} mm is larger than the {most_width} × "
        "{most_height} mm that most fabricators can make, and its LEDs leave no gap where "
        "it could be cut in two"
    ),
    "failure.no-room-part": "there is no room on a circuit board for {part_name}",
    "failure.no-way": "there is no route on two layers from {one} to {two}",
    "failure.no-room-via": "no room for a via at LED {reference}",
    "failure.plane-cut": "the traces cut the GND plane, with no way around them at {x} mm, {y} mm",
    "failure.photo-bytes": "it is {size} MB; a photo may be at most {most} MB",
    "failure.photo-pixels": "it has {size} megapixels; a {format} may have at most {most}",
    "failure.photo-small": "it is {width}×{height} pixels; cards need at least {least} on each "
    "side",
    "failure.photo-damaged": "it is damaged: its {format} data cannot be decoded",
    "failure.photo-dark": "it is too dark to read; take it again with more light",
    "failure.photo-truncated": "it is truncated: it ends before the picture does",
    "failure.photo-empty": "it is empty; photos must be JPEG, PNG or WebP",
    "failure.no-photo": "it is not a photo; photos must be JPEG, PNG or WebP",
    "failure.photo-format": "it is a {format}; photos must be JPEG, PNG or WebP",
    "failure.photo-rows": "it shows {count} cards (rows of {rows}); a photo for teaching must show "
    "whole suits of thirteen cards, each from ace to king",
    "failure.photos-incomplete": "the photos show {count} cards; a pack has 52: spades, hearts, "
    "diamonds and clubs, ace to king, each card once",
    "failure.pack-damaged": "the pack {pack} is damaged; teach it again",
    "failure.pack-ranks": "with --suit, “{value}” must list the ranks of one suit in the order A, "
    "2 to 9, T, J, Q, K",
    "failure.pack-name": "“{value}” cannot be the name of a pack; use at most 31 letters, digits, "
    "spaces and hyphens",
    "failure.no-camera": "there is no such camera; allowed are {pi} and V4L2 devices",
    "failure.no-picture": "it gives no picture",
    "failure.no-picture-why": "it gives no picture: {reason}",
    "failure.no-picamera": "the Pi’s camera needs Debian’s python3-picamera2",
}
