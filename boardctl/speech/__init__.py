"""Speaking and listening: the board's voice, its sounds, and spoken moves.

`voice` describes events in words. `listening` records a phrase while a key is held, and
`recogniser` recognizes the phrase in a separate process (`hearing`, `rescoring`).
"""
