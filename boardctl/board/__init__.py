"""The board as an object: where its holes are, where a score stands, and what is lit."""
