"""Edits of where actors go: moved, turned, placed, mirrored, smoothed, shifted sideways, over any range of frames."""
