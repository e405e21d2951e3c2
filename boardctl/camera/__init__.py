"""Photograph -> cards: an optional part (`install boardctl with its extra [camera]`).

`boardctl see` runs it in a process of its own that ends; the daemon never imports it, because
OpenCV and numpy need more memory than a small board has to spare. How it works, how it was trained
and what it can be trusted with: docs/camera.md.
"""
