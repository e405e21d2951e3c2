"""The physical board: its holes, the hole of each score, and the lit LEDs."""
