"""The record of an evening: moves folded into positions, and the views over them.

Pure.
"""
