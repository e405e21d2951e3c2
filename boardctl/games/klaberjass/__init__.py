"""The referee of Klaberjass for two players.

`rules` plays the phases and lists the possible entries. `deal` tracks the cards and sequences of a
deal. `state` scores a deal.
"""

from boardctl.games.klaberjass.rules import Klaberjass

GAME = Klaberjass()
