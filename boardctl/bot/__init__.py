"""A computer player that sees only its own cards, winning chances, and game analysis."""
