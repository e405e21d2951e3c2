"""The record of an evening: moves folded into positions, and views of them. Pure."""
