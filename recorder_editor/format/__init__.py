"""The recorder format of every CARLA release as tables; bytes to values and back.

Imports only the standard library and numpy; knows no files, recordings or windows.
"""
