"""Edits of paths over a range of frames: moved, turned, placed, mirrored, smoothed, shifted sideways, held."""
