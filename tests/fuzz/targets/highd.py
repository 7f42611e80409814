"""`l1` and `import-highd` on folders of CSV files that nobody checked."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from ...analysis import highd
from ..texts import mangled, some
from ..watch import Broken, Watch, command
from .target import Target

NAMES = ("recordingMeta", "tracksMeta", "tracks")
CELLS = (
    "",
    "0",
    "1",
    "-1",
    "2",
    "3",
    "nan",
    "inf",
    "-inf",
    "1e308",
    "1e300",
    "2000000",
    "2147483648",
    "9223372036854775808",
    "1.5",
    "x",
    '"',
    '""',
    "Car",
    "Truck",
    "1,2",
    " 7 ",
    "٣",
    "\x00",
    "\ufeff1",
    "1e-300",
    "9" * 400,
    "é",
    "null",
    "True",
    "0x10",
    "1_000",
    "#",
)
ROWS = 40


@dataclass(frozen=True)
class Case:
    """The three files of recording 1, and options."""

    about: str
    meta: str
    tracks: str
    l1: tuple[str, ...]
    importing: tuple[str, ...]


class Highd(Target):
    of_a_round = 60
    tries = 150

    def __init__(self, keep: Path) -> None:
        super().__init__(keep)
        self.files = []
        for seed in (1, 2):
            rows = highd.traffic(4, seed)
            thinned = {name: column[:: max(1, len(column) // ROWS)] for name, column in rows.items()}
            for number, columns in ((1, {name: column[:ROWS] for name, column in rows.items()}), (2, thinned)):
                highd.write(keep / f"{seed}{number}", 1, columns)
                self.files.append([(keep / f"{seed}{number}" / f"01_{name}.csv").read_text("utf-8") for name in NAMES])

    def make(self, random: Random) -> Case:
        files = list(random.choice(self.files))
        for _ in range(some(random, 0.7)):
            at = random.randrange(3)
            files[at] = spoilt(files[at], random)
        smoothing = random.choice(((), (), ("--smoothing=5,2",), ("--smoothing=101,3",), ("--smoothing=3,7",)))
        more = random.choice(((), ("--use-raw-ttc",), ("--extra-columns",)))
        span = random.choice(
            ((), (), ("--from=0.5", "--to=1.5"), ("--from=nan",), ("--from=1e308",), ("--origin=1e30,0,0,90",))
        )
        return Case(*files, (*smoothing, *more), span)

    def run(self, case: Case, watch: Watch) -> Iterable[str]:
        Path("raw").mkdir()
        for name, text in zip(NAMES, (case.about, case.meta, case.tracks), strict=True):
            Path("raw", f"01_{name}.csv").write_bytes(text.encode("utf-8", "surrogatepass"))
        table = command(["l1", "raw", "out", "--workers=1", *case.l1])
        made = [each.name for each in Path().rglob("*.parquet")]
        if table.code == 0 and made != ["L1_master_frame.parquet"]:
            raise Broken("l1 ends well without its table", made)
        left = [each.name for each in Path().rglob("*") if each.is_file() and ".tmp" in each.name]
        if left or (table.code and made):
            raise Broken("l1 leaves files behind", (left, made))
        recording = command(["import-highd", "raw", "1", "out.log", *case.importing])
        if (recording.code == 0) != Path("out.log").exists():
            raise Broken("import-highd and its file do not agree", recording)
        if recording.code == 0:
            if Path("out.log").stat().st_size > 20 << 20:
                raise Broken("import-highd writes far more than it read", Path("out.log").stat().st_size)
            checked = command(["check", "out.log"])
            if checked.code:
                raise Broken("what import-highd makes has errors", checked.out[:500])
        return f"l1 {table.code}", f"import-highd {recording.code}"


def spoilt(text: str, random: Random) -> str:
    """A table of text with a line or a cell that is wrong."""
    lines = text.splitlines()
    at, kind = random.randrange(len(lines)), random.randrange(10)
    if kind == 0:
        return mangled(text, random)
    if kind == 1:
        del lines[at]
    elif kind == 2:
        lines.insert(random.randrange(len(lines) + 1), lines[at])
    elif kind == 3:
        lines.insert(at, random.choice(CELLS))
    elif kind == 4:
        lines = [re.sub(r"[^,]+$", "", line) for line in lines]
    else:
        cells = lines[at].split(",")
        cells[random.randrange(len(cells))] = random.choice(CELLS)
        lines[at] = ",".join(cells)
    return "\n".join(lines) + random.choice(("\n", "\n", "", "\r\n"))
