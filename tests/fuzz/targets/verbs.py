"""Every verb of the command line that reads a recording, on damaged ones, with arguments that its parser tells of."""

import json
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import NoReturn

import recorder_editor
from recorder_editor import cli

from ...edits import gazes
from ...roads.builders import opendrive, road
from .. import steps
from ..command_lines import IN, MADE, MAP, OTHER, OUT, PARTS, SCHEMA, SCRIPT
from ..command_lines import command as some_command
from ..damage import drawn, made_seeds, real_seed, struck
from ..texts import some
from ..watch import CONTROL, Broken, Spoken, Watch, command
from .target import Target

LARGE = 24 << 10
_OTHERS = ("l1", "import-highd", "import-report", "import-trajectories", "lanes", "build", "metrics", "index", "find")
VERBS = tuple(verb for verb in cli.VERBS if verb not in _OTHERS)
"""Those of targets of their own are missing (`highd`, `trajectories`, `maps`), what follows each dump, runs
a file as code, or takes a folder."""
RAW = frozenset(("info", "collisions", "blocked"))
"""Their texts are CARLA's own, byte for byte, control characters of the recording included."""
LOSSY = frozenset(("repair", "convert", "edit", "run", "trim", "cut", "split", "segments"))
SOUND = frozenset(("trim", "cut", "split", "join", "convert", "edit", "run", "rewrite", "repair"))
"""What they make of a sound recording is sound."""


@dataclass(frozen=True)
class Case:
    """Recordings and what is done to them: each of the `commands` with all its promises looked at."""

    recording: bytes
    other: bytes
    script: str
    commands: tuple[tuple[str, ...], ...]


class Verbs(Target):
    of_a_round = 120

    def make(self, random: Random) -> Case:
        first, second = _seed(random), _seed(random)
        recording = struck(first, drawn(random), second) if random.random() < 0.93 else first
        other = struck(first if random.random() < 0.5 else second, drawn(random), first)
        commands = tuple(some_command(random, random.choice(VERBS)) for _ in range(2 + some(random, 2.0)))
        return Case(recording, other, steps.script(random), commands)

    def run(self, case: Case, watch: Watch) -> Iterable[str]:
        inputs = {IN: case.recording, OTHER: case.other, SCRIPT: case.script.encode("utf-8", "surrogatepass")}
        inputs[MAP] = opendrive(road())
        inputs[SCHEMA] = gazes.FILE.content
        for name, data in inputs.items():
            Path(name).write_bytes(data)
        sound = {name: _is_sound(Path(name)) for name in (IN, OTHER)}
        did = ["recordings"]
        for arguments in case.commands:
            spoken = command(arguments)
            _look(arguments, spoken, inputs)
            if spoken.code in (0, 3):
                _look_at_made(arguments, spoken, all(sound.values()))
            if arguments[0] in PROMISES:
                PROMISES[arguments[0]](arguments, spoken, case)
            for each in Path().iterdir():
                if each.is_dir():
                    shutil.rmtree(each)
                elif each.name not in inputs:
                    each.unlink()
            did.append(f"{arguments[0]} {spoken.code}")
        return did


def _seed(random: Random) -> bytes:
    return random.choice(made_seeds()) if random.random() < 0.6 else real_seed(random, LARGE)


def _is_sound(path: Path) -> bool:
    with recorder_editor.open(path) as recording:
        return not any(finding.severity == "error" for finding in recording.findings)


# --- what holds for every verb ------------------------------------------------------------------------------


def _look(arguments: tuple[str, ...], spoken: Spoken, inputs: Mapping[str, bytes]) -> None:
    verb = arguments[0]
    for name, data in inputs.items():
        if Path(name).read_bytes() != data:
            raise Broken(f"{verb} writes onto its input", name)
    made = {each.relative_to(".").as_posix() for each in Path().rglob("*") if each.is_file()} - inputs.keys()
    strange = {
        name for name in made if not name.startswith((OUT.removesuffix("log"), f"{PARTS}/", MADE)) or ".tmp" in name
    }
    if strange:
        raise Broken(f"{verb} leaves files that nobody asked for", sorted(strange))
    if spoken.code in (1, 2) and made and verb not in ("repair", "check") and "--out-dir" not in " ".join(arguments):
        raise Broken(f"{verb} fails and leaves what it made", sorted(made))
    if "--dry-run" in arguments and made:
        raise Broken(f"{verb} --dry-run writes", sorted(made))
    if spoken.code == 3 and verb not in LOSSY:
        raise Broken(f"{verb} ends with 3", spoken)
    if "--json" in arguments and "--details" not in arguments and (spoken.out or spoken.code == 0):
        strict_json(spoken.out)
    elif verb == "dump" or "--json" in arguments:
        for line in spoken.out.splitlines():
            strict_json(line)
    elif verb not in RAW and CONTROL.search(spoken.out.decode("utf-8", "replace")):
        raise Broken(f"{verb}: a control character on stdout", CONTROL.search(spoken.out.decode("utf-8", "replace")))


def strict_json(data: bytes) -> object:
    """The value; raises `Broken` for what a strict parser refuses."""

    def refuse(word: str) -> NoReturn:
        raise ValueError(word)

    try:
        return json.loads(data.decode("utf-8"), parse_constant=refuse)
    except ValueError as error:
        raise Broken("no strict JSON", (error, data[:300])) from None


def _look_at_made(arguments: tuple[str, ...], spoken: Spoken, is_sound: bool) -> None:
    verb = arguments[0]
    if verb not in SOUND or not is_sound:
        return
    for path in (Path(OUT), *Path(PARTS).glob("*")):
        if path.is_file() and not _is_sound(path):
            raise Broken(f"{verb} makes a damaged recording of a sound one", path)


# --- what single verbs promise ------------------------------------------------------------------------------


def _rewrite(arguments: tuple[str, ...], spoken: Spoken, case: Case) -> None:
    before = Path(arguments[1]).read_bytes()
    if "usage: " in spoken.err:
        return
    if "--reencode" not in arguments and (spoken.code or Path(OUT).read_bytes() != before):
        raise Broken("rewrite changes bytes", spoken)
    if (
        "--reencode" in arguments
        and spoken.code == 0
        and _is_sound(Path(arguments[1]))
        and Path(OUT).read_bytes() != before
    ):
        raise Broken("rewrite --reencode changes bytes of a sound recording", spoken)


def _dump(arguments: tuple[str, ...], spoken: Spoken, case: Case) -> None:
    if "usage: " in spoken.err or any(word.startswith(("--frames", "--packets")) for word in arguments):
        return
    built = command(["build", "-", "-"], stdin=spoken.out)
    if spoken.code or built.code or built.out != Path(arguments[1]).read_bytes():
        raise Broken("dump and build change bytes", (spoken.code, built.code, built.err))


def _diff(arguments: tuple[str, ...], spoken: Spoken, case: Case) -> None:
    if arguments[1] == arguments[2] and spoken.code != 0 and "usage: " not in spoken.err:
        raise Broken("a recording differs from itself", spoken)


def _repair(arguments: tuple[str, ...], spoken: Spoken, case: Case) -> None:
    if any(word.startswith(("--dry-run", "--read-as", "--donor")) for word in arguments) or spoken.code not in (0, 3):
        return
    checked = command(["check", OUT])
    if checked.code:
        raise Broken("what was repaired has errors", checked)
    again = command(["repair", OUT, "out.again.log"])
    # Frames that were never there are missing for good.
    if again.code not in (0, 3) or Path("out.again.log").read_bytes() != Path(OUT).read_bytes():
        raise Broken("what was repaired is repaired again", again)


def _check(arguments: tuple[str, ...], spoken: Spoken, case: Case) -> None:
    if not Path(OUT).exists() or any(word.startswith("--read-as") for word in arguments):
        return
    again = command(["check", OUT, *(["--strict"] if "--strict" in arguments else [])])
    if again.code != spoken.code:
        raise Broken("check --fix tells other findings than its file has", (spoken, again))


PROMISES = {"rewrite": _rewrite, "dump": _dump, "diff": _diff, "repair": _repair, "check": _check}
