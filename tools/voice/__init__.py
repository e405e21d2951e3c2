"""How well the board hears: everyday phrases and talk that is not meant for it, by many voices."""
