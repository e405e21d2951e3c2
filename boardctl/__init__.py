"""boardctl: a cribbage board without pegs. `docs/architecture.md` is the plan of the house."""

__version__ = "0.1.0"
