"""The physical board: its holes, the place of each score, and the lit LEDs."""
