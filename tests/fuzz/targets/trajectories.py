"""`import-trajectories` on tables that nobody checked, with options by chance."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from recorder_editor.formats.trajectories import TableImport, TableOptions

from ...formats.trajectory_files import traffic, write, write_family
from ..texts import some
from ..watch import Broken, Watch, command
from .highd import spoilt
from .target import Target

NAMES = ("recordingMeta", "tracksMeta", "tracks")
OPTIONS = (
    ("--fixed-step=0.05",),
    ("--fixed-step=1e-9",),
    ("--from=0.02", "--to=0.1"),
    ("--from=nan",),
    ("--gap=0",),
    ("--split-jumps",),
    ("--hero=1",),
    ("--hero=nobody",),
    ("--origin=1e30,0,0,90",),
    ("--origin=100,-50,2,30",),
    ("--axes=simulator",),
    ("--heading=compass",),
    ("--column=x=y",),
    ("--column=time=1",),
    ("--column=q=x",),
    ("--unit=time=ms",),
    ("--unit=x=parsec",),
    ("--class=car=bus",),
    ("--frame-rate=25",),
    ("--frame-rate=1e-300",),
    ("--delimiter=;",),
    ("--decimal=,",),
    ("--write-as=ue5-0.10.0",),
    ("--write-as=ue4-0.9.4",),
)
ENCODINGS = ("utf-8", "utf-8", "utf-8", "utf-16", "utf-8-sig", "utf-16-be")


@dataclass(frozen=True)
class Case:
    """A table, those beside it where it is of the family of inD, and options."""

    tables: tuple[bytes, ...]
    options: tuple[str, ...]


class Trajectories(Target):
    of_a_round = 60
    tries = 150

    def __init__(self, keep: Path) -> None:
        super().__init__(keep)
        columns = traffic(frames=8)
        source = write(keep / "plain.csv", columns)
        self.plain = source.read_text("utf-8")
        TableImport().make(source, TableOptions(), keep / "plain.log", overwrite=True)  # pyarrow keeps a pipe
        write_family(keep, 1, columns)
        self.family = [(keep / f"01_{name}.csv").read_text("utf-8") for name in NAMES]

    def make(self, random: Random) -> Case:
        texts = [self.plain]
        if random.random() < 0.3:
            texts = list(self.family)
        for _ in range(some(random, 0.8)):
            at = random.randrange(len(texts))
            texts[at] = spoilt(texts[at], random)
        encoding = random.choice(ENCODINGS)
        tables = tuple(text.encode(encoding, "surrogatepass") for text in texts)
        if random.random() < 0.1:
            tables = tuple(table[: random.randrange(len(table) + 1)] for table in tables)
        chosen: list[str] = []
        for _ in range(some(random, 0.7)):
            chosen += random.choice(OPTIONS)
        return Case(tables, tuple(chosen))

    def run(self, case: Case, watch: Watch) -> Iterable[str]:
        source = "in.csv"
        if len(case.tables) > 1:
            source = "01_tracks.csv"
            for name, table in zip(NAMES, case.tables, strict=True):
                Path(f"01_{name}.csv").write_bytes(table)
        else:
            Path(source).write_bytes(case.tables[0])
        recording = command(["import-trajectories", source, "out.log", *case.options])
        if (recording.code == 0) != Path("out.log").exists():
            raise Broken("import-trajectories and its file do not agree", recording)
        left = [each.name for each in Path().rglob("*") if ".tmp" in each.name]
        if left:
            raise Broken("import-trajectories leaves files behind", left)
        if recording.code == 0:
            if Path("out.log").stat().st_size > 200 << 20:
                raise Broken("import-trajectories writes far more than it read", Path("out.log").stat().st_size)
            checked = command(["check", "out.log"])
            if checked.code:
                raise Broken("what import-trajectories makes has errors", checked.out[:500])
        return (f"import-trajectories {recording.code}",)
