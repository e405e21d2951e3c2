"""The reader of cards in photographs, an optional part of the program (`install boardctl with its
extra [camera]`).

`boardctl see` runs it in a separate short-lived process. The daemon never imports it, because
OpenCV and numpy need too much memory for a small board. docs/notes/camera.md describes the method,
the training and the accuracy of the reader.
"""
