"""Videos: which frame each picture shows, and what other programs read of the files."""

import sys
from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest
from PySide6.QtGui import QImage, QImageReader

from recorder_editor.arrays import ByteArray
from recorder_editor.errors import Cancelled, WouldReplace
from recorder_editor.formats.video import (
    VideoChoiceError,
    VideoError,
    VideoOptions,
    format_of,
    sequence_names,
    shots,
    text_scale,
    write_video,
)
from recorder_editor.formats.video.gif import lzw
from recorder_editor.progress import Progress
from recorder_editor.recording import open_recording

from .. import builders as b

SMALL = VideoOptions(size="96x64", rate=10)
COLOURS = ((236, 237, 240), (23, 25, 28), (196, 20, 60), (0, 112, 180), (255, 176, 0), (0, 150, 80))


class Squares:
    """A square of a colour that moves by 8 px a frame, over a ground. Attributes: `painted`, `is_closed`."""

    def __init__(self, width: int = 96, height: int = 64) -> None:
        self._size = (height, width)
        self.painted: list[int] = []
        self.is_closed = False

    def picture(self, frame_index: int) -> ByteArray:
        self.painted.append(frame_index)
        return self.drawn(frame_index)

    def drawn(self, frame_index: int) -> ByteArray:
        pixels = np.full((*self._size, 4), 255, np.uint8)
        pixels[:, :, :3] = COLOURS[0][::-1]
        left = 8 * (frame_index % 8)
        pixels[16:48, left : left + 32, :3] = COLOURS[1 + frame_index % 5][::-1]
        return pixels

    def close(self) -> None:
        self.is_closed = True


def rgb_of(image: QImage) -> ByteArray:
    image = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : 3 * image.width()].reshape(image.height(), image.width(), 3).copy()


# --- which frames -----------------------------------------------------------------------------------------


def frames_shown(folder: Path, times: list[float], rate: int = 10, speed: float = 1.0, start: int = 0) -> list[int]:
    path = folder / "uneven.log"
    path.write_bytes(b.recording(*(b.frame(n + 1, time) for n, time in enumerate(times))))
    with open_recording(path) as recording:
        return list(map(int, shots(recording.snapshot, range(start, len(times)), rate, speed)))


def test_a_picture_shows_the_frame_of_its_time_whatever_steps_the_recording_has(tmp_path: Path) -> None:
    times = [0.0, 0.05, 0.1, 0.2, 0.5, 0.51, 0.52, 0.7]
    assert frames_shown(tmp_path, times) == [0, 2, 3, 3, 3, 4, 6, 7]
    assert frames_shown(tmp_path, times, rate=20, speed=2.0) == [0, 2, 3, 3, 3, 4, 6, 7]
    assert frames_shown(tmp_path, times, rate=10, speed=0.5)[::2] == [0, 2, 3, 3, 3, 4, 6, 7]
    assert frames_shown(tmp_path, times, start=4) == [4, 6, 7]
    assert frames_shown(tmp_path, times, start=7) == [7]


@pytest.mark.parametrize(
    ("times", "rate", "speed", "reason"),
    [
        ([0.0, 2.0, 1.0], 25, 1.0, "do not rise"),
        ([0.0, float("nan"), 1.0], 25, 1.0, "do not rise"),
        ([0.0, 1e7], 25, 0.01, "That would be 25,000,000,001 pictures"),
        ([0.0, 1.7e308], 25, 1.0, "That would be 1,000,000,000,000,001 pictures"),
    ],
)
def test_times_without_an_order_and_endless_videos_are_refused(
    tmp_path: Path, times: list[float], rate: int, speed: float, reason: str
) -> None:
    with pytest.raises(VideoError, match=reason):
        frames_shown(tmp_path, times, rate, speed)


def test_without_frames_there_is_no_video(tmp_path: Path) -> None:
    (tmp_path / "empty.log").write_bytes(b.recording())
    with open_recording(tmp_path / "empty.log") as recording, pytest.raises(VideoError, match="no frames"):
        shots(recording.snapshot, range(0), 25, 1.0)


# --- files ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["film.mp4", "film.webm"])
def test_a_video_has_its_pictures_its_clock_and_its_colours(tmp_path: Path, name: str) -> None:
    av = pytest.importorskip("av")
    film = Squares()
    indices = [0, 0, 1, 2, 3, 3, 3, 4]
    write_video(tmp_path / name, film, indices, SMALL)
    assert film.painted == [0, 1, 2, 3, 4]
    assert film.is_closed
    with av.open(str(tmp_path / name)) as container:
        stream = container.streams.video[0]
        context = stream.codec_context
        assert (context.width, context.height, stream.average_rate) == (96, 64, Fraction(10))
        # BT.709 for primaries, transfer and matrix, and limited range: players would guess others for small pictures.
        tags = (context.color_primaries, context.color_trc, context.colorspace, context.color_range)
        assert tags == (1, 1, 1, 1)
        frames = list(container.decode(stream))
    assert [frame.time for frame in frames] == pytest.approx([n / 10 for n in range(8)])
    for index, frame in zip(indices, frames, strict=True):
        decoded = frame.reformat(format="rgb24", src_colorspace="ITU709").to_ndarray().astype(int)
        painted = film.drawn(index)[:, :, 2::-1].astype(int)
        left = 8 * (index % 8)
        for area in (np.s_[20:44, left + 4 : left + 28], np.s_[2:12, 4:92]):  # beside edges, where colours mix
            difference = decoded[area] - painted[area]
            assert np.abs(difference.mean(axis=(0, 1))).max() <= 6  # by the matrix of BT.601 it would be up to 20
            assert np.abs(difference).max() <= 16


def test_a_gif_has_its_pictures_and_its_clock(tmp_path: Path) -> None:
    film = Squares()
    indices = [0, 0, 1, 2, 3, 3, 3, 4]
    write_video(tmp_path / "film.gif", film, indices, SMALL)
    reader = QImageReader(str(tmp_path / "film.gif"))
    shown = []
    lasting = []
    for _ in range(reader.imageCount()):
        shown.append(rgb_of(reader.read()))
        lasting.append(reader.nextImageDelay())
    assert lasting == [200, 100, 100, 300, 100]  # ms: what does not change lasts longer
    for index, picture in enumerate(shown):
        assert (picture == film.drawn(index)[:, :, 2::-1]).all()
    assert reader.loopCount() == -1


def test_a_gif_of_many_colours_is_near_them(tmp_path: Path) -> None:
    ramp = np.zeros((64, 96, 4), np.uint8)
    ramp[:, :, 0] = np.linspace(0, 255, 96)[None, :]
    ramp[:, :, 1] = np.linspace(0, 255, 64)[:, None]
    ramp[:, :, 2] = np.random.default_rng(7).integers(0, 2, (64, 96)) * 200

    class Ramp(Squares):
        def drawn(self, frame_index: int) -> ByteArray:
            return ramp

    write_video(tmp_path / "ramp.gif", Ramp(), [0], SMALL)
    shown = rgb_of(QImage(str(tmp_path / "ramp.gif"))).astype(int)
    assert np.abs(shown - ramp[:, :, 2::-1]).mean() < 8


def unpacked(data: bytes) -> bytes:
    """Decompress as the appendix of GIF89a says."""
    bits = int.from_bytes(data, "little")
    width = 9
    out = bytearray()
    table: list[bytes] = []
    before = b""
    while bits:
        code = bits & ((1 << width) - 1)
        bits >>= width
        if code == 257:
            assert bits < 256
            return bytes(out)
        if code == 256:
            table = [*(bytes([n]) for n in range(256)), b"", b""]
            width = 9
            before = b""
            continue
        entry = table[code] if code < len(table) else before + before[:1]
        if before and len(table) < 4096:
            table.append(before + entry[:1])
        out += entry
        before = entry
        if len(table) == 1 << width and width < 12:
            width += 1
    raise AssertionError("there is no code for the end")


@pytest.mark.parametrize("letters", [1, 2, 200])
def test_compressed_bytes_are_those_that_they_were(letters: int) -> None:
    random = Random(letters)
    around_wider_codes = (*range(250, 262), *range(764, 774), *range(1786, 1798), *range(3834, 3850))
    for length in (0, 1, 2, *around_wider_codes, 9_000):
        data = bytes(random.randrange(letters) for _ in range(length))
        assert unpacked(lzw(data)) == data, length


def test_pictures_are_numbered_and_exact(tmp_path: Path) -> None:
    film = Squares()
    write_video(tmp_path / "shots", film, [0, 1, 1], SMALL)
    names = ["frame-00001.png", "frame-00002.png", "frame-00003.png"]
    assert sorted(path.name for path in (tmp_path / "shots").iterdir()) == names
    for name, index in zip(names, [0, 1, 1], strict=True):
        assert (rgb_of(QImage(str(tmp_path / "shots" / name))) == film.drawn(index)[:, :, 2::-1]).all()


def test_a_pattern_names_pictures() -> None:
    assert sequence_names(Path("a/shot-%02d.png"), 2) == [Path("a/shot-01.png"), Path("a/shot-02.png")]
    assert sequence_names(Path("%d.png"), 10)[-1] == Path("10.png")
    assert sequence_names(Path("town.png"), 1) == [Path("town-00001.png")]
    for name in ("%s.png", "%d-%d.png", "100%.png", "%0d.png"):
        with pytest.raises(VideoChoiceError, match="stands for"):
            sequence_names(Path(name), 1)


# --- what is refused --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "options", "reason"),
    [
        ("film.avi", SMALL, "has to end in one of .mp4, .webm, .gif"),
        ("film.mp4", VideoOptions(size="97x64"), "even width and height: 96x64 in place of 97x64"),
        ("film.webm", VideoOptions(size="96x65"), "even width and height: 96x64 in place of 96x65"),
        ("film.gif", VideoOptions(size="96x64", rate=60), "GIF has at most 50 pictures a second"),
        ("film.mp4", VideoOptions(size="96x64", rate=121), "has at most 120 pictures a second"),
        ("film.gif", VideoOptions(size="wide"), "'wide' is not a size"),
        ("film.gif", VideoOptions(size="63x64"), "64 to 4096 pixels each way, not 63x64"),
        ("film.gif", VideoOptions(size="8000x64"), "64 to 4096 pixels each way"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_written(
    tmp_path: Path, name: str, options: VideoOptions, reason: str
) -> None:
    film = Squares()
    with pytest.raises(VideoChoiceError, match=reason):
        write_video(tmp_path / name, film, [0], options)
    assert film.is_closed
    assert list(tmp_path.iterdir()) == []


def test_text_grows_with_the_picture() -> None:
    assert text_scale(VideoOptions(size="640x360")) == 1.0
    assert text_scale(VideoOptions(size="3840x2160")) == 3.0
    assert text_scale(VideoOptions(size="1280x720", scale=2.0)) == 2.0
    with pytest.raises(VideoChoiceError, match=r"from 0.25 to 11"):
        text_scale(VideoOptions(size="1280x720", scale=50.0))


def test_without_pyav_the_remedy_is_told_and_gif_and_png_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "av", None)
    for name in ("film.mp4", "film.webm"):
        with pytest.raises(VideoError, match=r"PyAV, which is not installed. `.*av>=14.*` installs"):
            write_video(tmp_path / name, Squares(), [0], SMALL)
    assert list(tmp_path.iterdir()) == []
    for name in ("film.gif", "film.png"):
        write_video(tmp_path / name, Squares(), [0], SMALL)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["film-00001.png", "film.gif"]


@pytest.mark.parametrize("name", ["film.mp4", "film.gif"])
def test_a_video_that_is_cancelled_leaves_what_was_there(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"an older one")
    film = Squares()
    progress = Progress(None, lambda: len(film.painted) == 3)
    with pytest.raises(Cancelled):
        write_video(path, film, list(range(20)), SMALL, overwrite=True, progress=progress)
    assert path.read_bytes() == b"an older one"
    assert [found.name for found in tmp_path.iterdir()] == [name]
    assert film.is_closed


def test_a_recording_is_not_replaced_unasked(tmp_path: Path) -> None:
    for name in ("film.gif", "film-00002.png"):
        (tmp_path / name).write_bytes(b.drive(2))
    for name in ("film.gif", "film.png"):
        with pytest.raises(WouldReplace):
            write_video(tmp_path / name, Squares(), [0, 1], SMALL)
    assert not (tmp_path / "film-00001.png").exists()


def test_the_ending_says_what_is_written(tmp_path: Path) -> None:
    assert format_of(Path("A.MP4")).suffix == ".mp4"
    assert format_of(Path("pictures")).suffix == ".png"
    (tmp_path / "v1.2").mkdir()
    assert format_of(tmp_path / "v1.2").suffix == ".png"


def test_progress_counts_from_the_first_picture_in_the_file(tmp_path: Path) -> None:
    """What comes before it does not tell how long the others take, and is told as a progress of 0."""
    shares: list[float] = []
    progress = Progress(lambda done, total: shares.append(done / total))
    write_video(tmp_path / "out.gif", Squares(), range(6), SMALL, progress=progress)
    assert shares == [0.0, 0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.0]
    pytest.importorskip("av")
    shares.clear()
    write_video(tmp_path / "out.mp4", Squares(), [0, 1, 2, 3] * 30, SMALL, progress=progress)
    held_back = shares.count(0.0) - 1
    assert 1 <= held_back < 120
    assert shares[held_back:] == sorted(shares[held_back:])
    assert shares[-1] == 1.0
