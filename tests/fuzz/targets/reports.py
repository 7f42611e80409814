"""`import-report` on texts that were changed by people, editors and programs."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from recorder_editor.reports.info import info_report

from ..damage import made_seeds
from ..texts import mangled, some
from ..watch import Broken, Watch, command
from .target import Target, opened

LINES = 120
"""Of a text, at most."""


@dataclass(frozen=True)
class Case:
    """A text, its encoding, and options."""

    text: str
    encoding: str
    options: tuple[str, ...]


class Reports(Target):
    of_a_round = 1_000

    def __init__(self, keep: Path) -> None:
        super().__init__(keep)
        self.texts = []
        for data in made_seeds():
            with opened(data, keep) as recording:
                text = b"".join(info_report(recording.snapshot, show_all=True)).decode("utf-8", "replace")
                self.texts.append(text.splitlines(keepends=True))

    def make(self, random: Random) -> Case:
        every = random.choice(self.texts)
        lines = every[: random.choice((LINES, len(every)))][: 10 * LINES]
        for _ in range(some(random, 1.5)):
            at = random.randrange(len(lines))
            kind = random.randrange(7)
            if kind == 0:
                lines[at] = mangled(lines[at], random)
            elif kind == 1:
                del lines[at]
                lines = lines or [""]
            elif kind == 2:
                lines.insert(at, random.choice(every))
            elif kind == 3:
                lines = [line.replace("\n", "\r\n") for line in lines]
            elif kind == 4:
                lines[at] = lines[at].replace("0", random.choice(("nan", "-inf", "9" * 30, "1e+300", "\0", "٣")))
            elif kind == 5:
                lines = lines[:at]
                lines.append(random.choice(every)[: random.randrange(9)])
            else:
                lines[at] = lines[at] * 3
        encoding = random.choice(("utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16", "latin-1"))
        options = random.choice(((), (), ("--utc",), ("--write-as=ue5-2026",), ("--write-as=ue4-0.9.6",)))
        return Case("".join(lines), encoding, options)

    def run(self, case: Case, watch: Watch) -> Iterable[str]:
        data = case.text.encode(case.encoding, "replace")
        Path("report.txt").write_bytes(data)
        spoken = command(["import-report", "report.txt", "out.log", *case.options])
        if (spoken.code == 0) != Path("out.log").exists():
            raise Broken("import-report and its file do not agree", spoken)
        if spoken.code == 0:
            if Path("out.log").stat().st_size > 4096 + 50 * len(data):
                raise Broken("import-report writes far more than it read", Path("out.log").stat().st_size)
            with opened(Path("out.log").read_bytes()) as recording:
                if recording.findings:
                    raise Broken("what import-report makes is damaged", recording.findings[0].message)
        return (f"import-report {spoken.code}",)
