"""The referee of Klaberjass for two players.

`rules` plays the phases and lists the possible entries. `deal` holds the knowledge about the cards
and their sequences. `state` scores a deal.
"""

from boardctl.games.klaberjass.rules import Klaberjass

GAME = Klaberjass()
