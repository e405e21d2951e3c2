"""Code shared by several games.

`referee` plays the lines that all games share. The other modules are engines for one kind of play.
`to_31`, `race` and `race_points` are for games that count to 31 and end at a target. `by_deal` is
for games that are scored once per deal. `auction` is for bidding. `trick_deal` tracks the known
cards of a trick-taking deal and determines the legal plays. `jass` is for games in which a
turned-up card proposes trumps. `known_cards` represents the deal of a game to 31, and merges
several entries of the same cards. `suits` asks for missing suits that matter.
"""
