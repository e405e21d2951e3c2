"""Code shared by several games.

`referee` plays the lines that mean the same in every game; `race` extends it for games won the
moment a side reaches the target, `told_deals` for games scored by the deal. `known_cards` merges
several entries of the same cards, `suits` asks for suits that matter, `to_31` plays games that
count to 31, `jass` holds the cards of Klaberjass and Belote, and `prompts` the common prompts.
"""
