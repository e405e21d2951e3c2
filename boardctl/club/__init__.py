"""Club evenings with many boards: draws, results, standings, sheets, and the hub.

A board never imports this package. `evening` contains the rules, `store` the database, and `sheet`
the printing. `hub` collects results from a broker, `page` shows them, and `broker` writes a
broker's configuration.
"""
