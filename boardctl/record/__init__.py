"""The record of an evening: positions computed from its moves, and views of them. Pure."""
