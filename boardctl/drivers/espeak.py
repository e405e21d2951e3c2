"""A voice using espeak-ng, and sounds using ALSA's aplay.

The program for each sentence is run from a separate thread, so the game never waits for the voice.
espeak-ng cannot read kanji, so `kakasi` converts Japanese to kana first.
"""

from __future__ import annotations

import re
import tempfile
import threading
from collections import deque
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Final, Literal

from boardctl.drivers.ports import SPEED, SPEEDS, Process, Speaker, Wires
from boardctl.options import Between

PARTS: Final = ("voice",)
"""The configuration tables that may name this driver."""
_WAITING: Final = 4
"""The maximum number of sentences that wait for the current one. Beyond it, the oldest are
dropped."""
_KANA: Final = ("kakasi", "-JH", "-i", "utf8", "-o", "utf8")
READINGS: Final = {
    "間違っ": "まちがっ", "撮っ": "とっ",
    "言っ": "いっ", "打っ": "うっ", "入っ": "はいっ", "勝っ": "かっ", "持っ": "もっ",
    "取っ": "とっ", "写っ": "うつっ", "断っ": "ことわっ", "待っ": "まっ", "座っ": "すわっ",
    "配っ": "くばっ", "行っ": "いっ", "失っ": "うしなっ", "誤っ": "あやまっ", "違っ": "ちがっ",
    "送っ": "おくっ", "追っ": "おっ", "残っ": "のこっ", "帰っ": "かえっ", "作っ": "つくっ",
    "合っ": "あっ", "使っ": "つかっ", "知っ": "しっ", "立っ": "たっ", "決まっ": "きまっ",
    "始まっ": "はじまっ", "終わっ": "おわっ", "変わっ": "かわっ", "替わっ": "かわっ",
    "重なっ": "かさなっ", "多かっ": "おおかっ",
}  # fmt: skip
"""The readings of verbs before た and て, which kakasi omits: it turns 言って into て."""
WORDS: Final = {
    "長押し": "ながおし", "捨て札": "すてふだ", "大勝ち": "おおがち", "遊び方": "あそびかた",
    "重なら": "かさなら", "ゲーム中": "ゲームちゅう", "ゲーム分": "ゲームぶん",
    "勝分": "しょうぶん", "の分": "のぶん", "組の": "くみの", "組に": "くみに", "の後": "のあと",
    "までの間": "までのあいだ", "間をあけ": "あいだをあけ", "合わせ済み": "あわせずみ",
    "入力済み": "にゅうりょくずみ", "損を": "そんを", "損の": "そんの",
    "以上行を": "いじょうぎょうを", "は止まり": "はとまり", "を止め": "をとめ",
    "得点が入り": "とくてんがはいり", "に入る": "にはいる", "を付けず": "をつけず",
}  # fmt: skip
"""Catalogue words that kakasi misreads; for example, it reads 長押し as ちょうおし. A comparison
with UniDic's readings of the catalogue (fugashi with unidic-lite) found these words."""
COUNTED: Final = {"対": "たい", "列": "れつ", "組": "くみ"}
"""The readings of these characters after a digit."""
_KNOWN: Final = re.compile("|".join((*WORDS, *READINGS)))
_COUNTED: Final = re.compile(rf"(?<=\d)[{''.join(COUNTED)}]")
_MEETING: Final = re.compile(r"(?<![\u4e00-\u9fff])会(?=[をのにはが])")
"""The word かい, which is part of no other word."""


def read_words(text: str) -> str:
    """Return Japanese text with the words in `READINGS`, `WORDS` and `COUNTED` replaced by kana."""
    text = _KNOWN.sub(lambda found: WORDS.get(found[0]) or READINGS[found[0]], text)
    text = _COUNTED.sub(lambda found: COUNTED[found[0]], text)
    return _MEETING.sub("かい", text)


def _only(option: str, output: str) -> tuple[str, ...]:
    """Return a program's option that selects an output, or no option for the system's default
    output."""
    return () if output == "default" else (option, output)


@dataclass(frozen=True)
class Options:
    """`[voice]` with `driver = "espeak"`: espeak-ng's name for the voice, words per minute, volume,
    the initial level of speech (the keypad's menu changes it), and whether sounds are played.
    `output` is the ALSA name of the sound card. With `listen = "key"`, moves may be spoken into the
    ALSA device `microphone` while a key is held (`talk` under `[keys]`)."""

    voice: str = "en"
    speed: Annotated[int, Between(SPEEDS[0], SPEEDS[-1])] = SPEED
    loudness: Annotated[int, Between(0, 200)] = 100
    level: Literal["counts", "questions", "everything"] = "questions"
    sounds: bool = True
    output: str = "default"
    listen: Literal["off", "key"] = "off"
    microphone: str = "default"


@dataclass(eq=False)
class _Item:
    """A sentence or a sound (`path`) that is waiting or being played."""

    text: str = ""
    language: str = "en"
    path: str = ""
    passing: bool = False
    dropped: bool = False
    process: Process | None = None


class Espeak(Speaker):
    """A voice that speaks sentences from a queue, in order."""

    def __init__(self, options: Options, wires: Wires) -> None:
        self._options = options
        self.level = options.level
        self.sounds = options.sounds
        self.speed = options.speed
        self.microphone = options.microphone if options.listen == "key" else None
        self._wires = wires
        self._items: deque[_Item] = deque()
        self._playing: _Item | None = None
        self._changed = threading.Condition()
        self._closed = False
        self._failing: dict[str, str] = {}
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._thread = threading.Thread(target=self._run, name="voice", daemon=True)
        self._thread.start()

    def say(self, text: str, language: str = "en", *, passing: bool = False) -> None:
        self._put(_Item(text, language, passing=passing))

    def play(self, name: str, wav: bytes) -> None:
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="boardctl-sounds-")
        path = Path(self._folder.name, f"{name}.wav")
        if not path.exists():
            path.write_bytes(wav)
        self._put(_Item(path=str(path)))

    def hush(self) -> None:
        with self._changed:
            self._items.clear()
            self._drop(self._playing)

    def _put(self, item: _Item) -> None:
        with self._changed:
            kept = [one for one in self._items if not one.passing]
            asked = [one for one in self._items if one.passing]
            self._items = deque(kept[1 - _WAITING :] if len(kept) >= _WAITING else kept)
            playing = self._playing
            if playing is not None and playing.passing and not playing.dropped:
                self._drop(playing)
                asked = asked or [_Item(playing.text, playing.language, passing=True)]
            self._items.append(item)
            if not item.passing:
                self._items += asked
            self._changed.notify()

    def _drop(self, item: _Item | None) -> None:
        """End the current sentence or sound. The caller must hold the lock."""
        if item is not None:
            item.dropped = True
            if item.process is not None:
                item.process.terminate()

    def _run(self) -> None:
        while (item := self._next()) is not None:
            program = self.command(item)
            try:
                process = self._wires.start(program)
                with self._changed:
                    item.process = process
                    if item.dropped:
                        process.terminate()
                status = process.wait()
            except OSError as error:
                self._failing[program[0]] = f"{program[0]} does not start ({error.strerror})"
            else:
                self._failing.pop(program[0], None)
                if status and not item.dropped:
                    self._failing[program[0]] = f"{program[0]} ended with status {status}"
            self._report_soon("; ".join(self._failing.values()) or None)

    def _next(self) -> _Item | None:
        """Wait for the next item. Return None once the voice is closed."""
        with self._changed:
            self._playing = None
            while not self._items and not self._closed:
                self._changed.wait()
            if self._closed:
                return None
            self._playing = self._items.popleft()
            return self._playing

    def command(self, item: _Item) -> tuple[str, ...]:
        """Return the command line that plays an item."""
        output = self._options.output
        if item.path:
            return ("aplay", "-q", *_only("-D", output), item.path)
        o, text, voice = self._options, item.text, self._options.voice
        if item.language != "en":
            voice = item.language
            text = self._kana(text) if voice == "ja" else text
        how = ("-v", voice, "-s", str(self.speed), "-a", str(o.loudness))
        return ("espeak-ng", *_only("-d", output), *how, "--", text)

    def _kana(self, text: str) -> str:
        """Return Japanese text in kana, or unchanged if no program for this is installed."""
        text = read_words(text)
        try:
            return self._wires.filtered(_KANA, text) or text
        except OSError:
            return text

    def _report_soon(self, reason: str | None) -> None:
        if not self._closed:
            self._wires.clock.call_soon_threadsafe(partial(self._report, reason))

    def _report(self, reason: str | None) -> None:
        self.report(reason)

    def close(self) -> None:
        """Stop speaking, even in mid-sentence."""
        if not self._closed:
            with self._changed:
                self._closed = True
                self._items.clear()
                self._drop(self._playing)
                self._changed.notify()
            self._thread.join()
            if self._folder is not None:
                self._folder.cleanup()


def open_ports(options: Options, wires: Wires) -> tuple[Speaker, ...]:
    """Open the voice. If espeak-ng is missing, the first sentence reports it."""
    return (Espeak(options, wires),)
