"""Tries a program as it was packed: the help of every verb, then every verb, the Library and a picture, on the sample.

python packaging/trial.py COMMAND...    the program with what stands before its arguments, as flatpak run ID

The verbs are those of the program's own help; one without a trial here fails. Exit code 1 if anything went wrong. Needs
nothing but Python, so that it tries programs on machines without the project's libraries.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
SAMPLE = PROJECT / "resources" / "sample" / "town.log"
SECONDS = 600
SMALLEST_PICTURE = 20_000
NOTHING_CAN_BE_ADDED = "Nothing can be added to this package of the program"

ROAD_MAP = """<OpenDRIVE><header revMajor="1" revMinor="4" name="" version="1"/>
<road name="" length="100" id="1" junction="-1">
<planView><geometry s="0" x="0" y="0" hdg="0" length="100"><line/></geometry></planView>
<lanes><laneSection s="0"><center><lane id="0" type="none" level="false"/></center>
<right><lane id="-1" type="driving" level="false"><width sOffset="0" a="3.5" b="0" c="0" d="0"/></lane></right>
</laneSection></lanes></road></OpenDRIVE>
"""


@dataclass(frozen=True)
class Trial:
    """One call of the program in a folder with the sample.

    Attributes: `arguments` (words without blanks), `makes` (a file that it writes), `says` (a pattern of what it
    prints), `code` (of its exit), `needs` (the library that a bundle lacks, and that the program has to name).
    """

    arguments: str
    makes: str = ""
    says: str = ""
    code: int = 0
    needs: str = ""


TRIALS: dict[str, tuple[Trial, ...]] = {
    "open": (Trial("open town.log --frame 0", says="frames count from 1", code=2),),  # a window would not end
    "screenshot": (
        Trial("screenshot town.log town.png", makes="town.png"),
        Trial("screenshot town.log dark.png --frame 250 --theme dark --preset trim", makes="dark.png"),
    ),
    "info": (Trial("info town.log", says=r"(?m)^Frames: 421$"), Trial("info town.log --json", says='"frames": 421')),
    "collisions": (Trial("collisions town.log", says="Hero|Vehicle|vehicle"),),
    "blocked": (Trial("blocked town.log"),),
    "events": (Trial("events town.log --json"),),
    "report": (Trial("report town.log town.html", code=1, needs="jinja2"),),
    "actors": (Trial("actors town.log", says="vehicle"),),
    "diff": (Trial("diff town.log town.log"),),
    "dump": (Trial("dump town.log", says='"packet"'),),
    "build": (Trial("build town.jsonl built.log", makes="built.log"),),
    "rewrite": (Trial("rewrite town.log rewritten.log", makes="rewritten.log"),),
    "check": (Trial("check town.log", says="421"), Trial("check --lang zh_CN town.log", says="421 帧")),
    "repair": (Trial("repair town.log repaired.log", makes="repaired.log"),),
    "export": (
        Trial("export town.log table.csv", makes="table.csv"),
        Trial("export town.log table.jsonl", makes="table.jsonl"),
        Trial("export town.log scene.xosc", makes="scene.xosc"),
        Trial("export town.log table.parquet", code=1, needs="pyarrow"),
        Trial("export town.log scene.mcap", code=1, needs="MCAP"),
        Trial("export town.log town.omega.mcap", code=1, needs="OSI"),
    ),
    "video": (
        Trial("video town.log town.gif --size 320x180 --fps 5 --to 2", makes="town.gif"),
        Trial("video town.log town.mp4", code=1, needs="PyAV"),
    ),
    "picture": (
        Trial("picture town.log crossing.svg --at 5,6 --width 174", makes="crossing.svg"),
        Trial("picture town.log speed.pdf --signals speed", makes="speed.pdf"),
    ),
    "trim": (Trial("trim town.log trimmed.log --from 5 --to 10", makes="trimmed.log"),),
    "cut": (Trial("cut town.log shorter.log --from 5 --to 10", makes="shorter.log"),),
    "split": (Trial("split town.log parts --every 10", makes="parts"),),
    "segments": (Trial("segments town.log pieces --segments segments.csv", makes="pieces"),),
    "notes": (Trial("notes town.log"),),
    "join": (Trial("join town.log town.log joined.log", makes="joined.log"),),
    "edit": (Trial("edit town.log shifted.log --shift 1 --save-script shift.json", makes="shift.json"),),
    "run": (Trial("run shift.json town.log again.log --out-dir shifted --workers 2", makes="shifted/again.log"),),
    "convert": (Trial("convert town.log other.log --write-as ue4-0.9.12", makes="other.log", code=3),),
    "lanes": (Trial("lanes road.xodr lanes.csv", makes="lanes.csv"),),
    "grammar": (Trial("grammar own.ksy", makes="own.ksy"), Trial("grammar own.hexpat", makes="own.hexpat")),
    "metrics": (Trial("metrics town.log metric.py", code=1, needs="carla"),),
    "replay": (Trial("replay town.log", says="replay_file", code=1, needs="carla"),),
    "index": (
        Trial(
            "index drives", makes="drives/recorder-editor-index.sqlite", says="2 read, 0 unchanged, 0 gone, 0 failed"
        ),
        Trial("index drives --workers 1", says="0 read, 2 unchanged, 0 gone, 0 failed"),
    ),
    "find": (
        Trial("find drives collisions>0", says="town.log"),
        Trial("find drives --events --json", says='"collision"'),
    ),
    "l1": (Trial("l1 drives tables", code=1, needs="polars"),),
    "import-highd": (Trial("import-highd drives 1 highd.log", code=1),),  # there is no highD
    "import-report": (Trial("import-report highd.log report.log", code=2),),  # there is no report
    "import-trajectories": (Trial("import-trajectories table.csv driven.log --hero 25", makes="driven.log"),),
    "demo": (Trial("demo demo.log --seconds 2 --vehicles 3 --walkers 2", makes="demo.log"),),
    "completion": (Trial("completion bash", says="complete "),),
}
"""What is tried of each verb, in this order, since some verbs read what others make."""

LIBRARY = """
import os, sys
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("QT_LOGGING_RULES", "default.warning=false")
from pathlib import Path
from recorder_editor import ui
from recorder_editor.ui.app import wait_for_jobs
from recorder_editor.ui.shell.library import Library
from recorder_editor.ui.session.settings import Settings

settings = Settings(Path("library.ini").absolute())
settings.library = str(Path("drives").absolute())
window = ui.create_window(settings=settings)
window.registry.run("file.library")
library = window.findChild(Library)
library.index()
wait_for_jobs(window)
library.filter.setText("frames == 421")
library.refresh()
wait_for_jobs(window)
print("rows", library.model.rowCount())
window.grab().save("library.png")
window.close()
"""
"""The Library page: indexes a folder, filters it, and draws it."""


def main(command: Sequence[str]) -> int:
    """Try everything; returns the exit code."""
    with tempfile.TemporaryDirectory(prefix="recorder-editor-trial-") as scratch:
        problems = list(tried(command, Path(scratch)))
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


def tried(command: Sequence[str], folder: Path, *, is_bundle: bool = True) -> Iterator[str]:
    """Yield what is wrong with a program, a sentence each.

    Args:
        command: The program, with the arguments that come before its own.
        folder: An empty folder to work in.
        is_bundle: Whether the program has no optional libraries, and runs code given by `-P -c`.
    """
    first = command[0]
    if os.path.exists(first):
        first = os.path.abspath(first)  # it runs in another folder
    program = Program((first, *command[1:]), folder)
    lay_out(folder)
    overview = program.run(["--help"])
    yield from program.problems(Trial("--help", says="Verbs:"), overview)
    yield from program.problems(Trial("--version", says="recorder-editor "), program.run(["--version"]))
    verbs = verbs_of(overview.stdout)
    yield from (f"{verb}: packaging/trial.py does not try this verb." for verb in verbs if verb not in TRIALS)
    yield from (f"{verb}: the help of the program does not list this verb." for verb in TRIALS if verb not in verbs)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        helps = pool.map(lambda verb: program.run([verb, "--help"]), verbs)
        for verb, done in zip(verbs, helps, strict=True):
            usage = "usage: " if verb == "open" else rf"usage: .*\b{verb}\b"
            yield from program.problems(Trial(f"{verb} --help", says=usage), done)
    for trials in TRIALS.values():
        for trial in trials:
            if is_bundle or not trial.needs:
                yield from program.problems(trial, program.run(trial.arguments.split()))
    if is_bundle:
        yield from program.problems(Trial("-P -c LIBRARY", says="(?m)^rows 1$"), program.run(["-P", "-c", LIBRARY]))
    for picture in folder.glob("*.png"):
        if picture.stat().st_size < SMALLEST_PICTURE:
            yield f"{picture.name} is empty."


def verbs_of(overview: str) -> list[str]:
    """The verbs that the overview of the program lists."""
    listed = overview.partition("Verbs:")[2]
    return re.findall(r"(?m)^  ([a-z][a-z0-9-]*) {2,}\S", listed)


def lay_out(folder: Path) -> None:
    """Write the files that the trials read."""
    data = SAMPLE.read_bytes()
    (folder / "drives" / "deep").mkdir(parents=True)
    for name in ("town.log", "again.log", "drives/town.log", "drives/deep/town.log"):
        (folder / name).write_bytes(data)
    with (folder / "drives" / "deep" / "town.log").open("ab") as file:
        file.truncate(len(data) // 2)
    (folder / "road.xodr").write_text(ROAD_MAP, encoding="utf-8")
    (folder / "segments.csv").write_text("name,start,end\none,2.0,4.0\n", encoding="utf-8")
    (folder / "metric.py").write_text("", encoding="utf-8")


@dataclass(frozen=True)
class Program:
    """A program that is tried. Attributes: `command`, `folder` (where it runs, which holds its state, too)."""

    command: tuple[str, ...]
    folder: Path

    def run(self, arguments: Sequence[str]) -> "subprocess.CompletedProcess[str]":
        """Run it without a screen, in English."""
        environment = {**os.environ, "LC_ALL": "C.UTF-8", "RECORDER_EDITOR_STATE_DIR": str(self.folder / "state")}
        for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
            environment.pop(name, None)
        if not sys.platform.startswith("linux"):
            environment["QT_QPA_PLATFORM"] = "offscreen"
        done = subprocess.run(
            [*self.command, *arguments],
            cwd=self.folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
            timeout=SECONDS,
        )
        if arguments[0] == "dump":
            (self.folder / "town.jsonl").write_text(done.stdout, encoding="utf-8")
        return done

    def problems(self, trial: Trial, done: "subprocess.CompletedProcess[str]") -> Iterator[str]:
        """Yield what is wrong with the outcome of a call."""
        told = done.stdout + done.stderr
        if "Traceback (most recent call last)" in told or done.returncode != trial.code:
            last = "".join(done.stderr.splitlines(keepends=True)[-5:])
            yield f"{trial.arguments}: exit code {done.returncode} and not {trial.code}\n{last}"
            return
        if trial.says and re.search(trial.says, told) is None:
            yield f"{trial.arguments}: does not say {trial.says}."
        if trial.makes and not (self.folder / trial.makes).exists():
            yield f"{trial.arguments}: does not make {trial.makes}."
        if trial.needs and not (trial.needs in told and NOTHING_CAN_BE_ADDED in told):
            yield f"{trial.arguments}: does not say that the library is missing ({trial.needs})."


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
