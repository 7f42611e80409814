"""Writes what a Linux desktop and its shells read of the program, as it stands below /usr/share.

python packaging/linux/share.py FOLDER

The manual page and the completions are made from the verbs' own help. SOURCE_DATE_EPOCH dates them.
"""

import gzip
import os
import re
import shutil
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from commands import PROG, SHELLS, __version__
from manual import manual

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from addresses import homepage, picture_folder  # noqa: E402 - its folder is found a line above
from icons import SOURCE, image  # noqa: E402 - its folder is found a line above

ICON_SIZES = (16, 24, 32, 48, 64, 128, 256)
METAINFO = "org.example.recorder_editor.metainfo.xml"
_ADDRESSES = re.compile(r"  <url .*?</url>\n|  <screenshots>.*?</screenshots>\n", re.DOTALL)
"""What the metainfo has of addresses."""


def files(day: datetime) -> Iterator[tuple[str, bytes]]:
    """The name of every file but the drawn icons, and its content."""
    yield f"man/man1/{PROG}.1.gz", gzip.compress(manual(day).encode(), mtime=0)
    yield f"bash-completion/completions/{PROG}", SHELLS["bash"]().encode()
    yield f"zsh/vendor-completions/_{PROG}", SHELLS["zsh"]().encode()
    yield f"fish/vendor_completions.d/{PROG}.fish", SHELLS["fish"]().encode()
    yield f"applications/{PROG}.desktop", (HERE / f"{PROG}.desktop").read_bytes()
    yield f"mime/packages/{PROG}.xml", (HERE / f"{PROG}.xml").read_bytes()
    yield f"metainfo/{METAINFO}", metainfo(day).encode()
    yield f"icons/hicolor/scalable/apps/{PROG}.svg", SOURCE.read_bytes()


def metainfo(day: datetime) -> str:
    """What a software centre reads, with version, day and addresses filled in; addresses only where there are any."""
    text = (HERE / METAINFO).read_text(encoding="utf-8")
    address = homepage()
    if not address:
        text = _ADDRESSES.sub("", text)
    filled = {
        "@VERSION@": __version__,
        "@DATE@": f"{day:%Y-%m-%d}",
        "@HOMEPAGE@": address,
        "@PICTURES@": picture_folder(),
    }
    for name, value in filled.items():
        text = text.replace(name, value)
    return text


def main(folder: Path) -> None:
    """Write all files into a new folder."""
    shutil.rmtree(folder, ignore_errors=True)
    day = datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), UTC)
    for name, content in files(day):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    for size in ICON_SIZES:
        path = folder / f"icons/hicolor/{size}x{size}/apps/{PROG}.png"
        path.parent.mkdir(parents=True)
        image(size).save(str(path))
    if not homepage():
        print("pyproject.toml has no Homepage: the metainfo has no address and no pictures.", file=sys.stderr)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
