"""`python -m boardctl` is `boardctl`."""

from boardctl.cli import main

main()
