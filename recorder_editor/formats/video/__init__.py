"""A recording as a video: which pictures it has by the clock of the recording, and how they become a file. No Qt.

What is in the pictures is not known here: whoever paints them hands in a `Film`.
"""

from .options import SIZES, VideoChoiceError, VideoError, VideoOptions, picture_size, text_scale
from .video import FORMATS, PNG, Film, VideoFormat, check_choices, format_of, sequence_names, shots, write_video

__all__ = [
    "FORMATS",
    "PNG",
    "SIZES",
    "Film",
    "VideoChoiceError",
    "VideoError",
    "VideoFormat",
    "VideoOptions",
    "check_choices",
    "format_of",
    "picture_size",
    "sequence_names",
    "shots",
    "text_scale",
    "write_video",
]
