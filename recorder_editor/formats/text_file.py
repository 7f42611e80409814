"""Writing of text files in pieces."""

from collections.abc import Iterable
from typing import BinaryIO

from ..progress import Progress


def write_pieces(stream: BinaryIO, pieces: Iterable[bytes], progress: Progress) -> None:
    """Write pieces of a file one after another.

    Raises:
        Cancelled: The user stopped it.
    """
    for piece in pieces:
        progress.check()
        stream.write(piece)
