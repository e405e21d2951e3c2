"""The parts of one table between keys and lights: keypad, table controller, lights and voice.

`console.keypad` is the pure state machine of the keys. `table_controller` connects it to a table, a
strip and a display.
"""
