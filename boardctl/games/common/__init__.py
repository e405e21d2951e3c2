"""What several games share: `referee` (the lines that mean the same in every game), `known_cards`
(several tellings of the same cards) and `to_31` (the play of games that count to 31)."""
