"""Everything between a key and a light at one table: keypad, table controller, lights, voice.

`console.keypad` is the pure state machine of the keys; `table_controller` connects it to a table, a
strip and a display.
"""
