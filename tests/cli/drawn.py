"""What stands for the window where verbs are tested that draw pictures: a figure of a few bytes."""

from recorder_editor.formats.picture import PictureOptions
from recorder_editor.progress import Progress
from recorder_editor.recording import Snapshot


class FewBytes:
    """A figure whose file names its format and its choices."""

    def __init__(self, options: PictureOptions) -> None:
        self.options = options

    def written(self, kind: str) -> bytes:
        return f"{kind} {self.options}".encode()

    def close(self) -> None:
        """There is nothing to release."""


def make_figure(snapshot: Snapshot, options: PictureOptions, frames: range, progress: Progress) -> FewBytes:
    """Return a figure that draws nothing."""
    del snapshot, frames, progress
    return FewBytes(options)
