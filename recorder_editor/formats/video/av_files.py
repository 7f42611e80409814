"""MP4 and WebM, by PyAV (extra `video`), which brings FFmpeg with its encoders.

Colours are converted by the matrix of BT.709 and tagged so, as players expect of high definition; without tags they
guess by the size, and greens and reds shift.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import BinaryIO, NamedTuple

from ...arrays import ByteArray
from ...extras import remedy
from ...texts import say
from .options import VideoError

_BT709 = 1  # of primaries, transfer and matrix alike (ITU-T H.273)
_LIMITED = 1  # black is 16, white 235


class Encoder(NamedTuple):
    """An encoder of FFmpeg.

    Attributes:
        names: Its name, and those of others that write the same format less well.
        container: The format of the file.
        options: Its options.
    """

    names: tuple[str, ...]
    container: str
    options: Mapping[str, str]


# Lines a pixel wide and small text: a picture of high quality costs little, since most of it does not move.
H264 = Encoder(("libx264", "libopenh264", "h264_videotoolbox"), "mp4", {"crf": "18", "preset": "veryfast"})
VP9 = Encoder(
    ("libvpx-vp9", "libvpx"),
    "webm",
    {"crf": "24", "b": "0", "deadline": "realtime", "cpu-used": "6", "row-mt": "1", "tile-columns": "2"},
)


def find_encoder(encoder: Encoder) -> str:
    """Return the name of an encoder of PyAV.

    Raises:
        VideoError: PyAV is missing, or was built without the encoder.
    """
    try:
        import av
    except ImportError:
        raise VideoError(
            say("MP4 and WebM videos need PyAV, which is not installed. {remedy}", remedy=remedy("video"))
        ) from None
    name = next((name for name in encoder.names if name in av.codecs_available), None)
    if name is None:
        raise VideoError(
            say("The PyAV that is installed was built without an encoder for {format}.", format=encoder.container)
        )
    return name


class AvWriter:
    """Writes a video with PyAV.

    Attributes:
        has_begun: The encoder has written its first picture; it holds some back.
    """

    def __init__(self, file: BinaryIO, encoder: Encoder, size: tuple[int, int], rate: int) -> None:
        """Begin a video.

        Args:
            file: The file, which can be read and sought.
            encoder: The encoder.
            size: Width and height, px, even numbers.
            rate: Pictures a second.

        Raises:
            VideoError: PyAV is missing, or was built without the encoder.
        """
        name = find_encoder(encoder)
        import av
        from av.video.stream import VideoStream

        self._av = av
        self._time_base = Fraction(1, rate)
        self._container = av.open(file, "w", format=encoder.container)
        stream = self._container.add_stream(name, rate=rate, options=dict(encoder.options))
        assert isinstance(stream, VideoStream)
        self._stream = stream
        context = stream.codec_context
        context.width, context.height = size
        context.pix_fmt = "yuv420p"
        context.color_primaries = _BT709
        context.color_trc = _BT709
        context.colorspace = _BT709
        context.color_range = _LIMITED
        self._count = 0
        self.has_begun = False

    def add(self, pixels: ByteArray) -> None:
        """Add a picture: blue, green, red and a byte without meaning, uint8[height, width, 4]."""
        reformatter = self._av.video.reformatter
        frame = self._av.VideoFrame.from_ndarray(pixels, format="bgra").reformat(
            format="yuv420p", dst_colorspace=reformatter.Colorspace.ITU709, dst_color_range=reformatter.ColorRange.MPEG
        )
        frame.pts = self._count
        frame.time_base = self._time_base
        self._count += 1
        packets = self._stream.encode(frame)
        self._container.mux(packets)
        if packets:
            self.has_begun = True

    def close(self) -> None:
        """Write what the encoder still holds, and the end."""
        self._container.mux(self._stream.encode(None))
        self._container.close()
