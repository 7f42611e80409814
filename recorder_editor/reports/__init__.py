"""CARLA's own three text reports, statistics, and the comparison of two recordings.

The reports are byte for byte as the server of a release prints them (format reference, section 7). Each is a generator
of bytes, so that memory is bounded. `collisions` and `blocked` return the same as data.
"""
