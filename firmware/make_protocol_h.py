"""Print `protocol.h`, from the numbers of the serial link and of the current budget in `boardctl`.

Run by `make protocol`; a test compares what it prints with the file.
"""

from __future__ import annotations

import inspect
import re
import sys
from textwrap import wrap

from boardctl.drivers import serial_protocol
from boardctl.drivers.budget import Options as Power

HEAD = """\
/* The numbers of the link between host and board; protocol.md tells what they mean. Made by
 * `make protocol` from boardctl/drivers/serial_protocol.py and budget.py. */
#ifndef PROTOCOL_H
#define PROTOCOL_H
"""


def comment(words: str) -> list[str]:
    """Words as a comment in C."""
    lines = wrap(words, 94)
    return ["/* " + "\n * ".join(lines) + " */"]


def numbers() -> list[str]:
    """The numbers of the link, line by line, with their comments."""
    source = inspect.getsource(serial_protocol)
    block = source[source.index("\nPROTOCOL_VERSION") : source.index("# End of the numbers.")]
    out: list[str] = []
    words: list[str] = []
    for line in block.rstrip().splitlines():
        if line.startswith("# "):
            words.append(line[2:])
            continue
        if words:
            out += comment(" ".join(words))
            words = []
        number = re.fullmatch(r"(\w+): Final = (\w+)", line)
        out.append(f"#define {number[1]} {number[2]}" if number else line)
    return out


def currents(power: Power) -> list[str]:
    """What an LED draws, and the budget that is built in unless another is named."""
    named = {
        "RED_MA": power.red,
        "GREEN_MA": power.green,
        "BLUE_MA": power.blue,
        "DARK_MA": power.idle,
        "DEFAULT_BUDGET_MA": power.milliamps,
    }
    if any(value != int(value) for value in named.values()):
        raise ValueError(f"the firmware counts in whole milliamperes: {named}")
    return [
        "",
        *comment(
            "A WS2812B's current in milliamperes: each colour at full, and dark; and what "
            "the strip may draw where the build names no BUDGET_MA."
        ),
        *(f"#define {name} {int(value)}" for name, value in named.items()),
    ]


def header() -> str:
    """The whole file."""
    return "\n".join((HEAD.rstrip(), *numbers(), *currents(Power()), "", "#endif", ""))


if __name__ == "__main__":
    sys.stdout.write(header())
