"""Five-card cribbage for two, the older game: 61 points, three for last, one series (rules 8,
seed 000). Its referee lives in the house of cribbage."""

from boardctl.games.cribbage.rules import Cribbage

GAME = Cribbage(five=True)
