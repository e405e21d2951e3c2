"""Errors in a configuration or layout file. Each is preceded by the name of the file or key."""

from __future__ import annotations

from typing import Final

SENTENCES: Final = {
    "allowed.at-least": "{kind} of at least {least}",
    "allowed.between": "{kind} from {least} to {most}",
    "allowed.boolean": "true or false",
    "allowed.integer": "an integer",
    "allowed.list": "a list",
    "allowed.number": "a number",
    "allowed.numbers": "a list of {count} numbers",
    "allowed.one-of": "one of {values}",
    "allowed.string": "a string",
    "allowed.table": "a table",
    "allowed.text": "some text",
    "allowed.name": "a name without # and without spaces at either end",
    "allowed.hole": "a hole from 2 to {most}",
    "allowed.run": "at least one [[run]] table",
    "allowed.led": "at least one LED",
    "allowed.group-size": "a group size after the /",
    "failure.expected": "expected {expected}, got {value}",
    "failure.missing": "it is missing: expected {expected}",
    "failure.unknown-key": "unknown key {key}; allowed are {allowed}",
    "failure.unknown-key-near": "unknown key {key} (did you mean {near}?); allowed are {allowed}",
    "failure.old-name": "it is the old name of {new}: use only one",
    "failure.unreadable": "cannot be read ({reason})",
    "failure.toml": "invalid TOML at line {line}, column {column}: expected KEY = VALUE or [TABLE]",
    "failure.toml-end": "invalid TOML: the file ends before its last value does",
    "failure.toml-deep": "invalid TOML: nested too deeply",
    "failure.toml-not-utf-8": "invalid TOML: byte {byte} is not UTF-8",
    "failure.no-driver": "there is no driver {name}; the drivers are {allowed}",
    "failure.repeated-name": "{name} is repeated; every player needs a different name",
    "failure.seats": "{game_name} is for {players} players, got {count}",
    "failure.too-few-names": "expected at least {seats} names for {seats} seats, got {count}",
    "failure.too-few-tracks": "{sides} sides do not fit on the {tracks} tracks of {layout}",
    "failure.one-board": "[leds] and [keys] use the same {driver}: describe it in [leds], and "
    "name only its driver in [keys]",
    "failure.both-drivers": "[leds] and [keys] must each name a driver",
    "failure.time-of-day": "“{value}” is not a time of day; write it as 22:30",
    "failure.night-ends": "give both the beginning and the end of the night",
    "failure.page-name": "“{value}” in names is neither a host name such as board.local nor an "
    "address such as https://board.example",
    "failure.broker-address": "“{value}” is not a broker’s address for browsers. Browsers "
    "reach a broker only with encryption, at an address such as "
    "wss://guest:password@broker.example:8884",
    "failure.board-name": "“{value}” cannot be the name of a board: use 1 to 32 letters, digits, "
    "- or _",
    "failure.four-pins": "rows and columns need four pins each",
    "failure.eight-pins": "rows and columns need eight different pins",
    "failure.no-key": "{keys} is not a key; the keys are {allowed}",
    "failure.board-milliamps": "milliamps must be 0 to {most}, not {value}",
    "failure.too-many-buttons": "expected at most {most} buttons, got {count}",
    "failure.off-header": "there is no GPIO{pin} on the Pi’s header; write BCM numbers from 0 to "
    "27, not the pins’ numbers on the header (GPIO5 is pin 29)",
    "failure.same-pin": "each button needs a different pin",
    "failure.supply": "expected milliamps from {least} to {most}, got {value}",
    "failure.no-layout": "there is no such layout: use {allowed}, or the path of a file ending in "
    ".toml",
    "failure.run-incomplete": "it is missing: {wanted} say where the LEDs are",
    "failure.run-both": "it cannot be combined with {wanted}",
    "failure.not-a-pitch": "expected the pitch of a strip in millimetres ({pitches}), got "
    "{value}; for single pixels joined by wire, set wired = true",
    "failure.bent-strip": "a strip cannot be bent into an arc; for single pixels, set wired = true",
    "failure.dark-leds": "write dark LEDs as - or -*NUMBER, not {value}",
    "failure.lit-twice": "LEDs {one} and {other_led} both light {name}; every lamp has only one "
    "LED",
    "failure.no-led": "no LED lights {name}",
    "failure.no-such-lamp": "LED {index} lights {name}, which a board of {tracks} tracks does not "
    "have",
    "failure.too-near": "{one} and {two} are {apart} mm apart; at least {least} mm is needed",
    "failure.dark-led": "the dark LED {index}",
    "failure.window-outside": "the window [{window}] is not inside the board",
    "failure.lamp-outside": "{name} at {x}, {y} is not inside the board of {width} × {height} mm",
    "failure.lamp-in-window": "{name} is in the window [{window}]",
    "failure.lamp-on-hole": "{name} is on the mounting hole at {x}, {y}",
    "failure.sides": "it has {tracks} tracks, which is too few for {sides} sides",
}
