"""Code shared by several games.

`referee` plays the lines that mean the same in every game. Below it, one engine for one kind of
play: `to_31` and `race` for games that count to 31 and that the first to a target wins;
`by_deal` for games scored by the deal, `auction` for who takes it and for what, `trick_deal` for
what is known about the cards of a trick-taking deal, which may be played and what is asked next,
and `jass` for those in which a suit is taken at the turn of a card. `known_cards` is the deal of a
game to 31 and merges several entries of the same cards, `suits` asks for suits that matter.
"""
