"""`build`: lines of a dump that were changed by people and programs."""

import io
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from recorder_editor.errors import BuildError
from recorder_editor.formats.dump import build_bytes, dump_lines

from ..damage import made_seeds
from ..texts import as_json, mangled, some, worse
from ..watch import Broken, Watch
from .target import Target, opened


@dataclass(frozen=True)
class Case:
    """Lines as one text."""

    lines: str


class Builds(Target):
    of_a_round = 10_000

    def __init__(self, keep: Path) -> None:
        super().__init__(keep)
        self.dumps = []
        for data in made_seeds():
            with opened(data, keep) as recording:
                self.dumps.append(list(dump_lines(recording.snapshot)))

    def make(self, random: Random) -> Case:
        every = random.choice(self.dumps)
        begin = random.randrange(len(every))
        lines = [every[0], *every[begin : begin + 1 + some(random, 6.0)]]
        for _ in range(some(random)):
            at = random.randrange(len(lines))
            kind = random.randrange(8)
            if kind == 0:
                lines[at] = mangled(lines[at], random)
            elif kind == 1:
                del lines[at]
                lines = lines or ["{}"]
            elif kind == 2:
                lines.insert(at, random.choice(every))
            else:
                lines[at] = as_json(_worse_line(lines[at], random), random).replace("\n", " ")
        return Case("\n".join(lines))

    def run(self, case: Case, watch: Watch) -> Iterable[str]:
        data = case.lines.encode("utf-8", "surrogatepass")
        try:
            built = b"".join(build_bytes(io.BytesIO(data)))
        except BuildError as error:
            if not str(error).strip():
                raise Broken("refused without a word") from error
            return ("build refused",)
        # What was built is told again as what it is.
        with opened(built) as recording:
            again = b"".join(build_bytes(dump_lines(recording.snapshot)))
        if again != built:
            raise Broken("what was built is dumped and built as something else")
        return ("build",)


def _worse_line(line: str, random: Random) -> object:
    try:
        return worse(json.loads(line), random)
    except (ValueError, RecursionError):
        return line
