"""Code shared by several games.

`referee` plays the lines common to all games. Each other module is an engine for one kind of play:
`to_31` and `race` for games that count to 31 and end at a target; `by_deal` for games scored by the
deal; `auction` for bidding; `trick_deal` for the known cards and legal plays of a trick-taking
deal; and `jass` for games in which a turned card proposes trumps. `known_cards` is the deal of a
game to 31 and merges several entries of the same cards; `suits` asks for suits that matter.
"""
