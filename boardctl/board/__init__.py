"""The physical board: where its holes are, where a score is shown, and which LEDs are lit."""
