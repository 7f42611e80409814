"""What the numbers in highD's files may be: the limits that keep every later step within what floats hold."""

LARGEST = 1e7
"""The largest length (m), speed (m/s), acceleration (m/s²), id or number of a frame.

A recording of highD is 420 m long and has about 30,000 frames; coordinates of a country's grid stay below it, too.
"""

LEAST_RATE = 0.01
MOST_RATE = 10_000.0
"""Frames a second; highD has 25."""
