"""The checks of `boardctl doctor` for the broker client."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.util import find_spec

from boardctl.app.doctor import Finding
from boardctl.mqtt import Options
from boardctl.text import Sentence


def findings(options: Options) -> Iterator[Finding]:
    """Check the package and the files that a connection needs, if one is configured."""
    if not options.enabled:
        return
    wanted = [options.password_file, options.ca]
    closed = [name for name in wanted if name and not os.access(name, os.R_OK)]
    if find_spec("aiomqtt") is None:
        yield Finding("mqtt", "bad", _say("no-module"), _say("do-extra", extra="mqtt"))
    elif closed:
        yield Finding("mqtt", "bad", _say("closed", files=", ".join(closed)), _say("do-open"))
    else:
        yield Finding("mqtt", "good", f"{options.host}:{options.port}")


def _say(code: str, /, **fields: object) -> Sentence:
    return Sentence("doctor", code, **fields)
