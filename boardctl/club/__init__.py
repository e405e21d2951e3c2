"""Club night: many boards, one evening. Draws, results, standings, sheets, and the hub that
collects what the boards send. Never imported by a board: a table plays without any of this.

`evening` holds the rules, `store` keeps them in a file, `sheet` prints, `hub` listens to a broker
and `page` shows it, `broker` writes a broker's configuration.
"""
