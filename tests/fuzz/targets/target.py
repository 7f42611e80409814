"""What a target is."""

import io
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import recorder_editor
from recorder_editor import Recording

from ..watch import Broken, Watch


class Target:
    """Made once in each process; what is costly to prepare is prepared then, in `keep`, a folder that stays.

    Attributes: `of_a_round` (cases of a round; a round of all targets takes about a minute of two processors), `tries`
    (how often a case that breaks is tried with less in it).
    """

    of_a_round: ClassVar[int]
    tries: ClassVar[int] = 400

    def __init__(self, keep: Path) -> None:
        self.keep = keep

    def make(self, random: Random) -> Any:
        """A case: a frozen dataclass of bytes, texts and tuples, everything that `run` needs to do the same again."""
        raise NotImplementedError

    def run(self, case: Any, watch: Watch) -> Iterable[str]:
        """Do it, in an empty current directory; returns what was done, to be counted. Raises what is a failure."""
        raise NotImplementedError


def opened(data: bytes, folder: Path = Path()) -> Recording:
    """A recording of these bytes."""
    path = folder / "seed.log"
    path.write_bytes(data)
    return recorder_editor.open(path)


def content(recording: Recording) -> bytes:
    """The recording as it would be saved, every row of it looked at."""
    snapshot = recording.snapshot
    made = io.BytesIO()
    made.write(snapshot.header_bytes)
    for number in range(snapshot.rows):
        row = snapshot.row(number)
        made.write(row.data)
        for packet in row:
            if len(packet.decoded):
                packet.decoded.record(0)
    if snapshot.read(0, snapshot.size) != made.getvalue():
        raise Broken("rows are not the recording")
    return made.getvalue()
