"""OLED, LCD and voice on virtual wires: the text that a person reads and hears."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from boardctl import text
from boardctl.drivers import espeak, lcd, oled
from boardctl.drivers.ports import PortError
from boardctl.drivers.virtual import VirtualWires
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.drivers.virtual.i2c import Lcd, Oled
from boardctl.drivers.virtual.lines import VirtualProcess
from tests import parts

MISAKI = Path("/usr/share/fonts/truetype/misaki/misaki_gothic.ttf")

# luma.oled calls Pillow in a way that Pillow 14 no longer supports
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated")
pytest.importorskip("luma.oled", reason="the optional extra `oled`")
pytest.importorskip("RPLCD", reason="the optional extra `lcd`")


@pytest.mark.parametrize("controller", ["ssd1306", "sh1106"])
def test_the_pixels_on_the_glass_are_the_picture(controller: str) -> None:
    wires = VirtualWires(VirtualClock())
    options = oled.Options(controller=controller)  # type: ignore[arg-type]  # both are allowed
    (display,) = oled.open_ports(options, wires)
    assert isinstance(display, oled.Oled)
    for lines in (("Ann      8", "Bob 5♥ J♠"), ("Starter?", "")):
        display.show(lines)
        picture = display.picture(lines)
        wanted = {
            (x, y)
            for y in range(oled.HEIGHT)
            for x in range(oled.WIDTH)
            if picture.getpixel((x, y))
        }
        shift = 2 if controller == "sh1106" else 0  # 132 columns of memory, the middle visible
        assert wanted
        assert {(x - shift, y) for x, y in wires.oled.lit() if x >= shift} == {
            (x, y) for x, y in wanted if x < oled.WIDTH - shift
        }
        assert wires.oled.is_on
    display.close()


def test_sixteen_characters_of_any_kind_fit() -> None:
    wires = VirtualWires(VirtualClock())
    (display,) = oled.open_ports(oled.Options(), wires)
    display.show(("W" * 16, "のりこ ♠♥♦♣ é’…"))
    assert any(x >= 120 for x, _ in wires.oled.lit())
    assert oled.in_code_page("5♥é の") == "5\x03\x82 ?"


def test_the_text_on_the_lcd_is_the_text() -> None:
    wires = VirtualWires(VirtualClock())
    (display,) = lcd.open_ports(lcd.Options(), wires)
    display.show(("Ann: 8", "# pegs  * again"))
    assert wires.lcd.lines() == ("Ann: 8          ", "# pegs  * again ")
    assert wires.lcd.is_on
    written = wires.glass.writes
    display.show(("Ann: 9", "# pegs  * again"))
    assert wires.lcd.lines()[0] == "Ann: 9          "
    assert wires.glass.writes - written == 2 * 8, "a place and a character"
    written = wires.glass.writes
    display.show(("Ann: 9", "# pegs  * again"))
    assert wires.glass.writes == written
    display.close()


def test_an_oled_that_stays_away_is_no_new_object_at_every_try(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Python's exit handlers used to keep each object, a third of a megabyte, so that a board
    without its display ran out of memory within a day."""
    kept: list[object] = []
    monkeypatch.setattr("atexit.register", kept.append)
    wires = VirtualWires(VirtualClock())
    (display,) = oled.open_ports(oled.Options(), wires)
    wires.glass.away.add(0x3C)
    for _ in range(20):
        with pytest.raises(PortError):
            display.show(("Ann: 8",))
    assert len(kept) <= 1
    wires.glass.away.clear()
    display.show(("Ann: 8",))
    assert wires.oled.is_on
    assert wires.oled.lit()


def test_an_oled_that_stops_answering_is_told_and_set_up_anew() -> None:
    wires = VirtualWires(VirtualClock())
    (display,) = oled.open_ports(oled.Options(), wires)
    display.show(("Ann: 8",))
    wires.glass.away.add(0x3C)
    with pytest.raises(PortError, match="the OLED does not answer"):
        display.show(("Ann: 9",))
    wires.oled = wires.glass.devices[0x3C] = Oled()  # it has lost power
    wires.glass.away.clear()
    display.show(("Ann: 9",))
    assert wires.oled.is_on
    assert wires.oled.lit()


def test_an_lcd_that_stops_answering_is_told_and_set_up_anew() -> None:
    wires = VirtualWires(VirtualClock())
    (display,) = lcd.open_ports(lcd.Options(), wires)
    display.show(("Ann: 8",))
    wires.glass.away.add(0x27)
    with pytest.raises(PortError, match="the LCD does not answer"):
        display.show(("Ann: 9",))
    wires.lcd = wires.glass.devices[0x27] = Lcd()
    wires.glass.away.clear()
    display.show(("Ann: 9",))
    assert wires.lcd.lines() == ("Ann: 9".ljust(16), " " * 16)


class Said(VirtualWires):
    """Programs that end on demand."""

    def __init__(self, clock: VirtualClock) -> None:
        super().__init__(clock)
        self.ended = threading.Semaphore(0)
        self.began = threading.Semaphore(0)

    def start(self, program: tuple[str, ...]) -> VirtualProcess:
        wires = self

        class Speaking(VirtualProcess):
            def wait(self, timeout: float | None = None) -> int:
                wires.ended.acquire()
                return 0

            def terminate(self) -> None:
                wires.ended.release()

        super().start(program)
        self.began.release()
        return Speaking()


def test_a_sentence_waits_for_the_one_before_it_and_close_is_silence() -> None:
    wires = Said(VirtualClock())
    (voice,) = espeak.open_ports(espeak.Options(), wires)
    voice.say("fifteen two")
    voice.say("-- and a pair is four")
    voice.say("and nobs is five")
    wires.began.acquire()
    assert [program[-1] for program in wires.spoken] == ["fifteen two"]
    wires.ended.release()
    wires.began.acquire()
    assert [program[-1] for program in wires.spoken] == ["fifteen two", "-- and a pair is four"]
    voice.close()
    assert len(wires.spoken) == 2, "what was not begun is not said"
    assert all(program[:3] == ("espeak-ng", "-v", "en") for program in wires.spoken)
    assert all(program[-2] == "--" for program in wires.spoken)


def test_a_voice_that_can_not_speak_says_so_in_writing() -> None:
    class Mute(VirtualWires):
        def start(self, program: tuple[str, ...]) -> VirtualProcess:
            raise FileNotFoundError(2, "No such file or directory")

    clock = VirtualClock()
    (voice,) = espeak.open_ports(espeak.Options(), Mute(clock))
    found: list[str | None] = []
    voice.reported.connect(found.append)
    voice.say("go")
    while clock.idle:
        threading.Event().wait(0.001)
    clock.run(0)
    assert found == ["espeak-ng does not start (No such file or directory)"]
    voice.close()


def test_every_japanese_line_can_be_written_in_the_small_font() -> None:
    parts.need("misaki")
    font = oled.Options(font=str(MISAKI), size=8)
    wires = VirtualWires(VirtualClock())
    (display,) = oled.open_ports(font, wires)
    assert "ja" in display.languages
    known = TTFont(MISAKI).getBestCmap()
    japanese = text.catalogue("ja").gettext
    for code, template in text.sentences().items():
        if code.startswith(("keypad.", "ask.", "readout.", "word.", "pairing.")):
            missing = {char for char in japanese(template) if ord(char) not in known}
            assert not missing, f"{code}: {missing}"
    display.show(("ディーラーは?", "ア" * 16))
    assert max(x for x, _ in wires.oled.lit()) >= 120, "sixteen kana fill the line"


def test_a_link_is_a_code_that_a_phone_reads_with_its_words_beside_it() -> None:
    cv2 = pytest.importorskip("cv2", reason="the optional extra `camera` reads the code")
    import numpy as np

    wires = VirtualWires(VirtualClock())
    (display,) = oled.open_ports(oled.Options(), wires)
    assert isinstance(display, oled.Oled)
    for link in ("WIFI:T:nopass;S:cribbage-123;;", "http://192.168.178.23:8121/#pin=012345"):
        picture = display.code_picture(link, ("Join the Wi-Fi", "cribbage-123"))
        left = np.array(picture.convert("L"))[:, : oled.HEIGHT]
        seen, _, _ = cv2.QRCodeDetector().detectAndDecode(
            cv2.resize(left, None, fx=6, fy=6, interpolation=0)
        )
        assert seen == link
        display.show_link(link, ("Join the Wi-Fi", "cribbage-123"))
        lit = wires.oled.lit()
        assert {(x, y) for x, y in lit if x < oled.HEIGHT} == {
            (x, y) for y in range(oled.HEIGHT) for x in range(oled.HEIGHT) if left[y, x]
        }
        assert any(x > oled.HEIGHT for x, _ in lit), "words"
    assert display.code_picture("http://" + "a" * 100, ("a",)) is None
    display.show_link("http://" + "a" * 100, ("too long", ""))


def test_a_voice_may_have_a_sound_card_of_its_own() -> None:
    for output, speaks, plays in (
        ("default", ("espeak-ng", "-v"), ("aplay", "-q")),
        ("plughw:CARD=Device", ("espeak-ng", "-d"), ("aplay", "-q", "-D", "plughw:CARD=Device")),
    ):
        wires = Said(VirtualClock())
        (voice,) = espeak.open_ports(espeak.Options(output=output), wires)
        voice.say("Deal?")
        wires.began.acquire()
        voice.play("turn", b"RIFF")
        wires.ended.release()
        wires.began.acquire()
        first, second = wires.spoken
        assert first[:2] == speaks
        assert second[:-1] == plays
        assert (output in first) == (output != "default")
        voice.close()


def test_a_question_gives_way_to_news_and_a_key_silences_everything() -> None:
    wires = Said(VirtualClock())
    (voice,) = espeak.open_ports(espeak.Options(), wires)
    voice.say("Deal?", passing=True)
    wires.began.acquire()
    voice.say("Bob pegs 2")  # ends the question in the middle
    wires.began.acquire()
    voice.say("Ann plays?", passing=True)
    voice.say("Bob plays?", passing=True)
    voice.play("turn", b"RIFF")
    wires.ended.release()
    wires.began.acquire()
    assert [program[0] for program in wires.spoken] == ["espeak-ng", "espeak-ng", "aplay"]
    assert [program[-1] for program in wires.spoken[:2]] == ["Deal?", "Bob pegs 2"]
    voice.say("queued")
    voice.hush()
    voice.say("after the key")
    wires.began.acquire()
    assert wires.spoken[-1][-1] == "after the key"
    for n in range(9):
        voice.say(f"sentence {n}")
    for _ in range(4):
        wires.ended.release()
        wires.began.acquire()
    assert [program[-1] for program in wires.spoken[-4:]] == [f"sentence {n}" for n in range(5, 9)]
    voice.close()


def test_a_question_that_was_cut_off_is_asked_again_behind_what_cut_it_off() -> None:
    """The computer's move used to interrupt the question at its first word, so that nobody heard
    the expected entry."""
    wires = Said(VirtualClock())
    (voice,) = espeak.open_ports(espeak.Options(), wires)
    voice.say("Which cards does Ann discard?", passing=True)
    wires.began.acquire()
    voice.play("turn", b"RIFF")
    voice.say("The board discards 2 cards")
    for _ in range(3):
        wires.began.acquire()
        wires.ended.release()
    assert [program[-1] for program in wires.spoken[2:]] == [
        "The board discards 2 cards",
        "Which cards does Ann discard?",
    ]
    voice.close()


def test_japanese_reaches_the_voice_in_kana() -> None:
    class Kana(Said):
        def filtered(self, program: tuple[str, ...], text: str) -> str:
            assert program[0] == "kakasi"
            return text.replace("手札", "てふだ")

    wires = Kana(VirtualClock())
    (voice,) = espeak.open_ports(espeak.Options(voice="en-us"), wires)
    voice.say("手札は？", "ja")
    wires.began.acquire()
    assert wires.spoken[-1][1:3] == ("-v", "ja")
    assert wires.spoken[-1][-1] == "てふだは？"
    voice.close()
