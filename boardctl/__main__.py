"""`python -m boardctl` is `boardctl`."""

from boardctl.commands import main

main()
