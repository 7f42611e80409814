"""Bytes to values and back: the recorder format of every CARLA release, as tables.

Knows no file, no recording and no window; only the standard library and numpy are imported here.
"""
