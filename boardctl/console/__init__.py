"""The parts of a table that connect keys with lights: keypad, table controller, lights and voice.

`console.keypad` is the keys' state machine, which is pure. `table_controller` connects it to a
table, a strip and a display.
"""
