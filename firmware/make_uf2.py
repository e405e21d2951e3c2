"""Make a file for a Pico's drive (UF2) from a program for its flash.

    make_uf2.py boardctl.bin boardctl.uf2

Run by the Makefile. The same program gives the same bytes. UF2 is described at
github.com/microsoft/uf2. Sections 2.8.1 and 2.8.4 of the RP2040 Datasheet have the requirements of
the RP2040's ROM for such files and for the first 256 bytes of its flash.
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path
from typing import Final

FLASH: Final = 0x1000_0000
FAMILY: Final = 0xE48B_FF56
"""The family of the RP2040, by which its ROM recognizes a file."""
BLOCK: Final = 256
BOOT: Final = 252
"""The number of bytes in the first block; the last four are their CRC."""
_START: Final = (0x0A32_4655, 0x9E5D_5157)
_END: Final = 0x0AB1_6F30
_FAMILY_GIVEN: Final = 0x2000
_POLYNOMIAL: Final = 0x04C1_1DB7


def crc(data: bytes) -> int:
    """Return the CRC-32 that the ROM computes: highest bit first, starting with ones, not
    inverted."""
    value = 0xFFFF_FFFF
    for byte in data:
        value ^= byte << 24
        for _ in range(8):
            value = value << 1 ^ (_POLYNOMIAL if value >> 31 else 0)
            value &= 0xFFFF_FFFF
    return value


def with_crc(program: bytes) -> bytes:
    """Return the program in whole blocks, with the CRC of its first block in place.

    Raises:
        ValueError: if the place of the CRC is not free.
    """
    if any(program[BOOT:BLOCK]):
        raise ValueError(f"the first block has more than {BOOT} bytes")
    boot = program[:BOOT].ljust(BOOT, b"\0")
    rest = program[BLOCK:]
    rest += bytes(-len(rest) % BLOCK)
    return boot + struct.pack("<I", crc(boot)) + rest


def uf2(program: bytes) -> bytes:
    """Return the file: a block of 512 bytes for every 256 of the program."""
    image = with_crc(program)
    many = len(image) // BLOCK
    return b"".join(
        struct.pack(
            "<8I476sI",
            *(*_START, _FAMILY_GIVEN, FLASH + n * BLOCK, BLOCK, n, many, FAMILY),
            image[n * BLOCK : (n + 1) * BLOCK],
            _END,
        )
        for n in range(many)
    )


if __name__ == "__main__":
    source, target = map(Path, sys.argv[1:])
    target.write_bytes(uf2(source.read_bytes()))
