"""A player that sees only its own cards, its chance of winning, and the analysis of games."""
