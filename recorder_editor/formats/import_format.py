"""What an import format is: files of another program, of which a recording is made, and its options."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar, Generic, TypeVar

from ..progress import SILENT, Progress
from ..recording import atomic_write

OptionsT = TypeVar("OptionsT")


class ImportFormat(ABC, Generic[OptionsT]):
    """A kind of files that a recording is made of.

    Attributes:
        name: Its name on the command line, behind `import-`.
        title: Its name in the window.
        options: The frozen dataclass of its options.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    options: type[OptionsT]

    @abstractmethod
    def pieces(self, source: Path, options: OptionsT, progress: Progress) -> Iterator[bytes | memoryview]:
        """Yield the bytes of the recording in pieces.

        Args:
            source: The file or folder.
            options: The chosen options.
            progress: Counts frames.

        Raises:
            RecorderError: The files are damaged, or the options do not fit them.
            Cancelled: The user stopped it.
            OSError: A file cannot be read.
        """

    def write(
        self, source: Path, options: OptionsT, target: Path, progress: Progress = SILENT, *, overwrite: bool = False
    ) -> None:
        """Write the recording, atomically.

        Args:
            source: The file or folder.
            options: The chosen options.
            target: The recording to write.
            progress: Counts frames.
            overwrite: Whether a file that exists is replaced.

        Raises:
            RecorderError: As `pieces`.
            WouldReplace: The target exists, and may not be replaced.
            Cancelled: The user stopped it.
            OSError: A file cannot be read or written.
        """
        with atomic_write(target, overwrite=overwrite, is_recording=True) as file:
            file.writelines(self.pieces(source, options, progress))
