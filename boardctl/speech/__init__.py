"""The board speaks and listens: its voice, its sounds, and moves said aloud.

`voice` says what happens, `listening` takes a phrase while a key is held, and `recogniser`
recognises it in a separate process (`hearing`, `rescoring`).
"""
