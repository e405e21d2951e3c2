"""Reasons why a journal cannot be opened, read or written; each follows the name of a file or
folder."""

from __future__ import annotations

from typing import Final

SENTENCES: Final = {
    "session.evening": "An evening",
    "session.began": "%A %d %B %Y, %H:%M",
    "session.won": "games won: {names}",
    "journal.failed": "{reason}",
    "journal.exists": "already exists; a backup never replaces a file",
    "journal.exists-repair": "already exists; nothing was written",
    "journal.no-file": "there is no such file",
    "journal.none": "there is no journal here",
    "journal.none-yet": "there is no journal here yet",
    "journal.not-a-file": "is not a file",
    "journal.not-a-file-move": "is not a file; move it away, or choose another folder with --data",
    "journal.not-a-folder": "is not a folder; choose another with --data",
    "journal.not-ours": "is not a boardctl journal",
    "journal.damaged": "is damaged ({fault})",
    "journal.only-log": "is missing, although its log is there",
    "journal.unwritable": "cannot be written ({reason})",
    "journal.taken": "another boardctl is using this data",
    "journal.another": "is not the journal with which the board started",
    "journal.running": "boardctl is running on this data",
    "journal.running-stop": "boardctl is running on this data: stop it first",
    "journal.unreadable": "it cannot be read",
    "journal.busy": "another program is reading it right now",
    "journal.forbidden": "may not be read by this user",
    "journal.with-cure": "{what}; {cure}",
    "journal.cure-repair": "start the board again, or run `boardctl journal repair`: everything "
    "readable is kept",
    "journal.cure-update": "install a newer boardctl",
    "journal.cure-move": "move it away, and start the board again",
    "journal.cure-again": "try again in a minute",
    "journal.cure-rights": "make the board's user its owner again",
    "journal.cure-disk": "check the disk for errors",
    "journal.newer": "has journal version {version}; this boardctl reads version {readable}",
    "journal.carries-too-much": "the lines carried over into the evening at line {first} are "
    "longer than any that a board writes",
    "fault.impossible": "its lines have an invalid number ({number})",
    "fault.no-text": "the lines carried over into the evening at line {line} are not text",
    "fault.bad-line": "the evening at line {line} has a malformed line",
    "fault.too-long": "the evening at line {line} is too long to read again",
    "fault.carries-too-much": "the evening at line {line} carries over more than a board would",
    "fault.log": "its log is damaged",
    "fault.no-session": "a session has no lines, or lines have no session",
    "fault.missing-between": "lines are missing between {line} and {last}",
    "fault.missing-after": "lines are missing after {line}",
    "fault.missing": "lines {line} to {last} are missing",
    "fault.no-evening": "line {line} belongs to no evening",
    "fault.bad-row": "line {number} is malformed",
    "fault.bad-evening": "evening {number} is malformed",
    "fault.order-row": "line {number} is out of order",
    "fault.order-evening": "evening {number} is out of order",
    "fault.carried-rejected": "a line carried over into line {line} (“{written}”) is rejected: "
    "{reason}",
    "fault.rejected": "line {line} (“{written}”) is rejected: {reason}",
    "fault.rejected-secret": "line {line} (“{written}”) is rejected",
    "fault.size": "it has {bytes} bytes",
    "fault.schema-not-utf-8": "its schema is not UTF-8",
    "fault.empty": "it is an empty database",
    "fault.header": "it does not have a journal’s header",
    "fault.file": "the file is damaged: {fault}",
    "fault.error": "{reason}",
    "fault.left-out-long": "{lines} lines were omitted because their evenings are too long to read "
    "again",
    "fault.left-out-gap": "{lines} lines after a gap were omitted",
    "fault.saved": "{reason}: {lines} lines of {evenings} evenings were saved in a new journal",
    "fault.saved-kept": "{reason}: {lines} lines of {evenings} evenings were saved in a new "
    "journal; the damaged file is kept as {kept}",
    "fault.end-lost": "{path}: saved lines {line} to {last} are missing because the end of the "
    "journal’s log was lost; the board continues without them",
    "journal.too-long": "the evening at line {first} is longer than a board can read",
}
