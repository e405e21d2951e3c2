"""An SSD1306 or SH1106 OLED of 128 by 64 pixels on I2C, driven with luma.oled.

The display shows two lines, each with sixteen characters. Each character is eight pixels wide and
stretched to a height of 24, so it is readable across a table. The font is the original PC font
(code page 437, which includes the suit symbols) or any TrueType font. Every text is preceded by an
initialization of some thirty bytes, because the display may have been unplugged since the last
text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from boardctl.drivers.ports import Display, I2cBus, PortError, Wires, need, trouble
from boardctl.options import Between

WIDTH: Final = 128
HEIGHT: Final = 64
CELL: Final = 8
"""The width of a character in pixels, and its height before stretching."""
TALL: Final = 24
_SUITS: Final = {"♥": "\x03", "♦": "\x04", "♣": "\x05", "♠": "\x06", "’": "'", "…": "."}


PARTS: Final = ("display",)
"""The configuration tables that may name this driver."""
INTERFACE: Final = "i2c"


@dataclass(frozen=True)
class Options:
    """`[display]` with `driver = "oled"`: the controller, the bus (1 is the bus of pins 3 and 5)
    and the address. Languages that code page 437 does not cover also need a TrueType font file and
    its size in pixels. Debian's `fonts-misaki` contains a font with kana and kanji that is legible
    at size 8, with sixteen characters per line."""

    controller: Literal["ssd1306", "sh1106"] = "ssd1306"
    bus: int = 1
    address: int = 0x3C
    font: str = ""
    size: Annotated[int, Between(8, 16)] = CELL * 2 - 2


def in_code_page(text: str) -> str:
    """Return the text as code page 437 glyph numbers, with `?` for missing characters."""
    glyphs = []
    for char in text:
        if char in _SUITS:
            glyphs.append(_SUITS[char])
        else:
            glyphs.append(chr(char.encode("cp437", "replace")[0]))
    return "".join(glyphs)


class _Line:
    """A display's interface in luma's terms. It stores the initialization bytes, which `begin`
    sends, and passes on later bytes."""

    def __init__(self, line: Any, off: int) -> None:
        """Args:
        off: the command that switches the display off. It is omitted, because a new display is
            already off, and a lit display would blink.
        """
        self._line = line
        self._off = off
        self._first: list[tuple[int, ...]] = []
        self.is_ready = False
        """Whether the initialization has been stored, so that further bytes go to the display
        itself."""

    def begin(self) -> None:
        for command in self._first:
            self._line.command(*command)

    def command(self, *command: int) -> None:
        if self.is_ready:
            self._line.command(*command)
        else:
            self._first.append(command[1:] if command[0] == self._off else command)

    def data(self, data: Any) -> None:
        if self.is_ready:
            self._line.data(data)

    def cleanup(self) -> None:
        self._line.cleanup()


class Oled(Display):
    """Two lines on an OLED."""

    def __init__(self, options: Options, bus: I2cBus) -> None:
        self._options = options
        self._bus = bus
        self._device: tuple[_Line, Any] | None = None
        if options.font:
            self.languages = ("en", "ja")

    def _open(self) -> tuple[_Line, Any]:
        """Return the display and its interface without writing to the display. luma keeps every
        display object until the program ends, so only one object is created."""
        from luma.core.const import common
        from luma.core.interface.serial import i2c
        from luma.oled import device

        kind = {"ssd1306": device.ssd1306, "sh1106": device.sh1106}[self._options.controller]
        line = _Line(i2c(bus=self._bus, address=self._options.address), common.DISPLAYOFF)
        opened = kind(line)
        opened.persist = True  # the text stays visible when the program ends
        line.is_ready = True
        return line, opened

    def show(self, lines: tuple[str, ...]) -> None:
        self._show(self.picture(lines))

    def show_link(self, link: str, lines: tuple[str, ...]) -> None:
        self._show(self.code_picture(link, lines) or self.picture(lines))

    def _show(self, picture: Any) -> None:
        from luma.core.error import Error

        try:
            if self._device is None:
                self._device = self._open()
            line, device = self._device
            line.begin()
            device.display(picture)
        except (OSError, Error) as error:
            raise PortError("display", trouble("no-oled", reason=error)) from error

    def picture(self, lines: tuple[str, ...]) -> Any:
        """Return the lines as an image with one bit per pixel."""
        from PIL import Image, ImageDraw

        whole = Image.new("1", (WIDTH, HEIGHT))
        for number, line in enumerate(lines[: self.rows]):
            row = Image.new("1", (WIDTH, CELL))
            draw = ImageDraw.Draw(row)
            if self._options.font:
                row = row.resize((WIDTH, TALL))
                draw = ImageDraw.Draw(row)
                draw.text((0, 0), line, fill=1, font=self._truetype())
            else:
                from luma.core.legacy import text
                from luma.core.legacy.font import CP437_FONT

                text(draw, (0, 0), in_code_page(line[: self.columns]), fill=1, font=CP437_FONT)
                row = row.resize((WIDTH, TALL))
            whole.paste(row, (0, (HEIGHT - self.rows * TALL) // 2 + number * TALL))
        return whole

    def code_picture(self, link: str, lines: tuple[str, ...]) -> Any:
        """Return a picture with a QR code in the left half and the words of the lines in the right
        half, or None if the link is too long. The code's light modules are lit and two pixels
        wide."""
        import segno
        from luma.core.legacy import text
        from luma.core.legacy.font import CP437_FONT
        from PIL import Image, ImageDraw

        rows = [bytes(row) for row in segno.make(link, error="l", micro=False).matrix]
        size = 2 * len(rows)
        if size + 4 > HEIGHT:
            return None
        whole = Image.new("1", (WIDTH, HEIGHT))
        draw = ImageDraw.Draw(whole)
        draw.rectangle((0, 0, HEIGHT - 1, HEIGHT - 1), fill=1)
        edge = (HEIGHT - size) // 2
        for y, row in enumerate(rows):
            for x, dark in enumerate(row):
                if dark:
                    left, top = edge + 2 * x, edge + 2 * y
                    draw.rectangle((left, top, left + 1, top + 1), fill=0)
        half = (WIDTH - HEIGHT) // CELL - 1
        words = [word for line in lines for word in line.split()]
        cut = [word[at : at + half] for word in words for at in range(0, len(word), half)]
        for number, word in enumerate(cut[: HEIGHT // (2 * CELL)]):
            where = (HEIGHT + CELL, number * 2 * CELL + CELL // 2)
            text(draw, where, in_code_page(word), fill=1, font=CP437_FONT)
        return whole

    def _truetype(self) -> Any:
        from PIL import ImageFont

        return ImageFont.truetype(self._options.font, self._options.size)

    def close(self) -> None:
        self._device = None
        self._bus.close()


def open_ports(options: Options, wires: Wires) -> tuple[Display, ...]:
    """Open the display. Raises PortError if there is no such bus or luma.oled is missing."""
    need("luma.oled", "display", "oled")  # report this now, not at the first text
    return (Oled(options, wires.i2c(options.bus)),)
