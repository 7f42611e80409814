"""The pictures of a video by the clock of the recording, and the file that they become, one picture at a time."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

import numpy as np

from ...arrays import ByteArray, IndexArray
from ...progress import SILENT, Progress
from ...recording import Snapshot, atomic_write, write_file
from ...recording.existing import refuse_existing
from ...texts import N_, listed, say
from .av_files import H264, VP9, AvWriter, Encoder, find_encoder
from .gif import FASTEST_GIF, GifWriter
from .options import FASTEST, VideoChoiceError, VideoError, VideoOptions, check_room_below, picture_size
from .png import png_of

_SEQUENCE_NAME = "frame-%05d.png"
"""The names of pictures in a folder."""

_MOST_SHOTS = 1_000_000
_COUNTED = 10**15
"""Pictures of a video are counted so far."""


class Film(Protocol):
    """What paints the pictures of a video."""

    def picture(self, frame_index: int) -> ByteArray:
        """Return the picture of a frame (its index, from 0): blue, green, red and a byte without meaning.

        Returns:
            uint8[height, width, 4], which holds until the next call.
        """

    def close(self) -> None:
        """Release what it paints with, in the thread that painted."""


class PictureWriter(Protocol):
    """What writes pictures to a file.

    Attributes:
        has_begun: Something of them is in the file: the encoder does not hold all of them back.
    """

    has_begun: bool

    def add(self, pixels: ByteArray) -> None:
        """Add a picture, as `Film.picture` returns it."""

    def close(self) -> None:
        """Write the end."""


@dataclass(frozen=True)
class VideoFormat:
    """A kind of file.

    Attributes:
        title: Its name.
        suffix: The ending of its files.
        encoder: The encoder of PyAV; None: it is written without.
        even: Whether width and height are even: four pixels share a colour.
    """

    title: str
    suffix: str
    encoder: Encoder | None = None
    even: bool = False


FORMATS = (
    VideoFormat("MP4", ".mp4", H264, even=True),
    VideoFormat("WebM", ".webm", VP9, even=True),
    VideoFormat("GIF", ".gif"),
    VideoFormat(N_("PNG pictures"), ".png"),
)
MP4, WEBM, GIF, PNG = FORMATS
_BY_SUFFIX: Mapping[str, VideoFormat] = {format.suffix: format for format in FORMATS}


def format_of(out: Path) -> VideoFormat:
    """Return what is written at a path: by its ending, pictures for a folder or a name without one.

    Raises:
        VideoChoiceError: No video is written under such a name.
    """
    suffix = out.suffix.lower()
    if not suffix or out.is_dir():
        return PNG
    format = _BY_SUFFIX.get(suffix)
    if format is None:
        raise VideoChoiceError(
            say(
                "{name} does not say what to write; it has to end in one of {endings}, or to be a folder for pictures.",
                name=out.name,
                endings=listed(_BY_SUFFIX),
            )
        )
    return format


def check_choices(options: VideoOptions, format: VideoFormat) -> None:
    """Refuse what does not fit the format, and a format that cannot be written here.

    Raises:
        VideoChoiceError: It does not.
        VideoError: The package of the format is missing.
    """
    width, height = picture_size(options)
    if format.even and (width % 2 or height % 2):
        nearest = f"{max(64, width - width % 2)}x{max(64, height - height % 2)}"
        raise VideoChoiceError(
            say(
                "{format} wants an even width and height: {nearest} in place of {size}.",
                format=format.title,
                nearest=nearest,
                size=f"{width}x{height}",
            )
        )
    check_room_below(options)
    most = FASTEST_GIF if format is GIF else FASTEST
    if options.rate > most:
        raise VideoChoiceError(
            say("{format} has at most {most} pictures a second here.", format=say(format.title), most=most)
        )
    if format.encoder is not None:
        find_encoder(format.encoder)


def shots(snapshot: Snapshot, frames: range, rate: int, speed: float) -> IndexArray:
    """Return the frame that each picture of a video shows: the one that is shown in the recording at its time.

    The last frame lasts as long as a picture. Frames that lie between two pictures are left out, those that last
    longer are shown in several.

    Args:
        snapshot: The state of the recording.
        frames: The frames of the video, indices from 0.
        rate: Pictures a second.
        speed: Seconds of the recording in a second of the video.

    Returns:
        Indices of frames, int[n], rising where times do.

    Raises:
        VideoError: There is no frame, or their times do not rise.
        VideoChoiceError: The video would have more than a million pictures.
    """
    if not frames:
        raise VideoError(say("There are no frames to show."))
    elapsed = snapshot.elapsed[frames.start : frames.stop]
    begin = float(elapsed[0])
    seconds = float(elapsed[-1]) - begin
    if not np.isfinite(elapsed).all() or (np.diff(elapsed) < 0).any():
        raise VideoError(say("The times of these frames do not rise; Problems offers a fix."))
    pictures = seconds / speed * rate  # beyond all floats where times are hostile
    count = int(min(pictures, _COUNTED) + 1e-6) + 1
    if count > _MOST_SHOTS:
        raise VideoChoiceError(
            say(
                "That would be {count:,} pictures: choose fewer frames, a higher speed or fewer pictures a second.",
                count=count,
            )
        )
    times = begin + np.arange(count) * (speed / rate)
    found = np.searchsorted(elapsed, times + 1e-6, side="right") - 1  # as `Snapshot.frame_at_time`
    return np.clip(found, 0, len(elapsed) - 1) + frames.start


def sequence_names(out: Path, count: int) -> list[Path]:
    """Return the paths of a sequence of pictures, numbered from 1.

    Args:
        out: A folder, or a pattern with `%d` or `%05d`; without it the number is put before the ending.
        count: How many there are.

    Raises:
        VideoChoiceError: The pattern holds something else behind a `%`.
    """
    if not out.suffix or out.is_dir():
        out = out / _SEQUENCE_NAME
    name = out.name
    if "%" not in name:
        name = f"{out.stem}-%05d{out.suffix}"
    match = re.fullmatch(r"([^%]*)%(?:0(\d))?d([^%]*)", name, re.ASCII)
    if match is None:
        raise VideoChoiceError(say("{name}: the number of a picture stands for %d or %05d, once.", name=repr(out.name)))
    before, digits, behind = match.groups()
    width = int(digits or 1)
    return [out.with_name(f"{before}{number:0{width}}{behind}") for number in range(1, count + 1)]


def write_video(
    out: Path,
    film: Film,
    indices: Sequence[int],
    options: VideoOptions,
    *,
    overwrite: bool = False,
    progress: Progress = SILENT,
) -> None:
    """Write a video; of pictures there is one in memory at a time, beside those that an encoder holds back.

    Args:
        out: The file, folder or pattern.
        film: Paints the pictures; it is closed at the end.
        indices: The frame of each picture, from `shots`.
        options: Size and rate.
        overwrite: Replace files even where they cannot be made again.
        progress: Counts pictures.

    Raises:
        VideoChoiceError: The choices do not fit the format.
        VideoError: The package of the format is missing.
        WouldReplace: A file has to stay.
        Cancelled: The user stopped it; no file is left behind, of pictures those that were written.
        OSError: A file cannot be written.
        RecorderError: A frame cannot be read.
    """
    try:
        format = format_of(out)
        check_choices(options, format)
        if format is PNG:
            _write_sequence(out, film, indices, overwrite=overwrite, progress=progress)
            return
        size = picture_size(options)
        with atomic_write(out, overwrite=overwrite) as file, _writing(file, format, size, options.rate) as writer:
            steps = _Steps(len(indices), progress)
            for pixels in _pictures(film, indices):
                writer.add(pixels)
                steps.add(has_begun=writer.has_begun)
        progress.update(1, 1)
    finally:
        film.close()


class _Steps:
    """Reports pictures, from the first one that is in the file.

    Before that what stands still is painted, and the encoder takes pictures without encoding them: neither tells how
    long the others will take.
    """

    def __init__(self, count: int, progress: Progress) -> None:
        """Begin with a number of pictures."""
        self._progress = progress
        self._left = count
        self._total: int | None = None
        progress.update(0, count)

    def add(self, *, has_begun: bool) -> None:
        """Count a picture; `has_begun`: something is in the file."""
        self._left -= 1
        if self._total is None:
            self._progress.update(0, max(1, self._left))
            if has_begun:
                self._total = self._left
        else:
            self._progress.update(self._total - self._left, self._total)


@contextmanager
def _writing(file: BinaryIO, format: VideoFormat, size: tuple[int, int], rate: int) -> Iterator[PictureWriter]:
    """Give what adds pictures; the end is written unless an error ends it."""
    writer: PictureWriter
    if format.encoder is None:
        writer = GifWriter(file, size, rate)
    else:
        writer = AvWriter(file, format.encoder, size, rate)
    yield writer
    writer.close()


def _pictures(film: Film, indices: Sequence[int]) -> Iterator[ByteArray]:
    """Yield the picture of each frame; of one that is shown longer it is painted once."""
    last = -1
    pixels: ByteArray | None = None
    for index in indices:
        if index != last or pixels is None:
            last = index
            pixels = film.picture(index)
        yield pixels


def _write_sequence(out: Path, film: Film, indices: Sequence[int], *, overwrite: bool, progress: Progress) -> None:
    paths = sequence_names(out, len(indices))
    if not overwrite:
        refuse_existing(paths, is_recording=False)
    paths[0].parent.mkdir(parents=True, exist_ok=True)
    steps = _Steps(len(indices), progress)
    for path, pixels in zip(paths, _pictures(film, indices), strict=True):
        write_file(path, png_of(pixels), overwrite=overwrite)
        steps.add(has_begun=True)
    progress.update(1, 1)
