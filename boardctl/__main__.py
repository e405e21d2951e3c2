"""`boardctl`, and `python -m boardctl`."""

from __future__ import annotations

import signal


def main() -> None:
    """Run the program. Until the command line handles Ctrl-C, that key ends the program
    silently."""
    heard = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if heard:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from boardctl.commands import main

    if heard:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    main()


if __name__ == "__main__":
    main()
