"""Runs a command on an X server of its own until the screen stands still, and says after how many seconds it did.

python packaging/linux/watch.py PICTURE COMMAND...

The time is that of the first picture which is as the last one but for a hundredth of its pixels. PICTURE is the last
one as a PNG file, COMMAND finds the server in DISPLAY. The exit code is 1 where the screen stays empty.
"""

import os
import signal
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

WIDTH, HEIGHT = 1280, 800
INTERVAL = 0.02
STILL = 3.0  # seconds without a change that end it
LONGEST = 60.0
MANY_COLOURS = 50  # that an empty screen or a message does not have

Picture = NDArray[np.uint32]


def watch(command: list[str], work: Path) -> tuple[float, Picture]:
    """The seconds until the last picture is shown, and that picture."""
    with open(work / "display", "w+b") as display:
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(display.fileno()), "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-fbdir", str(work)],
            pass_fds=[display.fileno()],
            stderr=subprocess.DEVNULL,
        )
        while not (number := (work / "display").read_text().strip()):
            if server.poll() is not None:
                sys.exit("Xvfb did not start.")
            time.sleep(INTERVAL)
    start = time.monotonic()
    program = subprocess.Popen(command, env={**os.environ, "DISPLAY": f":{number}"}, start_new_session=True)
    shown = [(0.0, screen(work))]
    try:
        while (now := time.monotonic() - start) < LONGEST:
            picture = screen(work)
            if not np.array_equal(picture, shown[-1][1]):
                shown.append((now, picture))
            elif now - shown[-1][0] > STILL and has_content(picture):
                break
            time.sleep(INTERVAL)
    finally:
        os.killpg(program.pid, signal.SIGTERM)
        program.wait()
        server.terminate()
        server.wait()
    last = shown[-1][1]
    return next(seconds for seconds, picture in shown if np.mean(picture != last) <= 0.01), last


def screen(work: Path) -> Picture:
    """What the server shows: its file is a header, a table of colours and the pixels."""
    data = (work / "Xvfb_screen0").read_bytes()
    header, colours = struct.unpack_from(">I", data)[0], struct.unpack_from(">I", data, 19 * 4)[0]
    return np.frombuffer(data, np.uint32, WIDTH * HEIGHT, header + 12 * colours) & np.uint32(0xFFFFFF)


def has_content(picture: Picture) -> bool:
    """Whether it is more than a background."""
    return len(np.unique(picture)) >= MANY_COLOURS


def main(out: str, *command: str) -> int:
    """Watch the command; returns the exit code."""
    with tempfile.TemporaryDirectory() as work:
        seconds, picture = watch(list(command), Path(work))
    pixels = (picture | 0xFF000000).astype(np.uint32).tobytes()
    QImage(pixels, WIDTH, HEIGHT, QImage.Format.Format_RGB32).save(out)
    print(f"{seconds:.2f}")
    return 0 if has_content(picture) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
