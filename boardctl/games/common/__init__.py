"""What several games share.

`referee` plays the lines that mean the same in every game; `race` adds what games have that are won
at the moment a side reaches the target, `told_deals` what games have that are scored by the deal.
`known_cards` reads several tellings of the same cards, `suits` asks for suits that matter, `to_31`
plays games that count to 31, and `prompts` asks what is asked everywhere.
"""
