"""Writes the program's icon in the forms that Windows and macOS read, drawn from the SVG.

python packaging/icons.py FILE...    each ends in .ico, .icns or .png (of 256 pixels)
"""

import struct
import sys
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, Qt
from PySide6.QtGui import QImage, QImageWriter, QPainter
from PySide6.QtSvg import QSvgRenderer

SOURCE = Path(__file__).resolve().parents[1] / "resources" / "recorder-editor.svg"
ICO_SIZES = (16, 20, 24, 32, 40, 48, 64, 128, 256)
ICNS_SIZES = {
    b"ic11": 32,
    b"ic12": 64,
    b"ic07": 128,
    b"ic13": 256,
    b"ic08": 256,
    b"ic14": 512,
    b"ic09": 512,
    b"ic10": 1024,
}
"""The types of entries that hold PNG files, in pixels; ic11 to ic14 are those of screens with twice the pixels."""


def image(size: int) -> QImage:
    """The icon as a square of `size` pixels."""
    drawn = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    drawn.fill(Qt.GlobalColor.transparent)
    painter = QPainter(drawn)
    QSvgRenderer(str(SOURCE)).render(painter)
    painter.end()
    return drawn


def png(size: int) -> bytes:
    """The icon as a PNG file."""
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(image(size))
    return bytes(data.data())


def ico() -> bytes:
    """All sizes in one file, as Windows reads it: a directory of 16-byte entries, then PNG files."""
    pictures = [png(size) for size in ICO_SIZES]
    directory, offset = [struct.pack("<HHH", 0, 1, len(pictures))], 6 + 16 * len(pictures)
    for size, picture in zip(ICO_SIZES, pictures, strict=True):
        side = size % 256  # 0 stands for 256
        directory.append(struct.pack("<BBBBHHII", side, side, 0, 0, 1, 32, len(picture), offset))
        offset += len(picture)
    return b"".join(directory + pictures)


def icns() -> bytes:
    """All sizes in one file, as macOS reads it: entries of a type, a length (with these eight bytes) and a PNG file."""
    pictures = {size: png(size) for size in ICNS_SIZES.values()}
    entries = [kind + struct.pack(">I", 8 + len(pictures[size])) + pictures[size] for kind, size in ICNS_SIZES.items()]
    return b"icns" + struct.pack(">I", 8 + sum(map(len, entries))) + b"".join(entries)


def main(names: list[str]) -> None:
    """Write each file in the form that its ending names."""
    for path in map(Path, names):
        path.write_bytes(ico() if path.suffix == ".ico" else icns() if path.suffix == ".icns" else png(256))


if __name__ == "__main__":
    main(sys.argv[1:])
