"""A game between two houses: a board here, a board there, and cards that nobody dealt.

`group` is the arithmetic of locks on cards, `deal` the deal of one pack by two houses, both pure
(docs/far.md). They need PyNaCl (extra `far`); nothing here is imported until a house plays.
"""
