"""The record of an evening, the positions computed from its moves, and views of these positions.
All functions are pure."""
