"""Formats of other programs: dumps, tables, OpenSCENARIO and MCAP out, dumps and highD in."""
