"""What paints the pictures of a video, or draws a picture, where a test does not look at them."""

import numpy as np

from recorder_editor.arrays import ByteArray
from recorder_editor.formats.picture import Figure, PictureOptions
from recorder_editor.formats.video import Film, VideoOptions, picture_size
from recorder_editor.progress import Progress
from recorder_editor.recording import Snapshot


class GreyFilm:
    """Pictures of one grey each, the darker the later.

    Attributes:
        painted: The frames that were painted, in turn.
        is_closed: Whether the film was closed.
    """

    def __init__(self, options: VideoOptions) -> None:
        width, height = picture_size(options)
        self._pixels = np.zeros((height, width, 4), np.uint8)
        self.painted: list[int] = []
        self.is_closed = False

    def picture(self, frame_index: int) -> ByteArray:
        self.painted.append(frame_index)
        self._pixels[:] = 255 - frame_index % 256
        return self._pixels

    def close(self) -> None:
        self.is_closed = True


def make_film(_snapshot: Snapshot, options: VideoOptions, _frames: range, _progress: Progress) -> Film:
    return GreyFilm(options)


class FewBytes:
    """A picture whose file names its format and its choices."""

    def __init__(self, options: PictureOptions) -> None:
        self.options = options

    def written(self, kind: str) -> bytes:
        return f"{kind} {self.options}".encode()

    def close(self) -> None:
        """There is nothing to release."""


def make_figure(_snapshot: Snapshot, options: PictureOptions, _frames: range, _progress: Progress) -> Figure:
    return FewBytes(options)


def paint(
    snapshot: Snapshot, options: VideoOptions | PictureOptions, frames: range, progress: Progress
) -> Film | Figure:
    if isinstance(options, PictureOptions):
        return make_figure(snapshot, options, frames, progress)
    return make_film(snapshot, options, frames, progress)
