"""Edit scripts: read, done step by step, taken back, saved as a script again."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from recorder_editor.edits.script import ScriptError, read_script, run_step, save_script
from recorder_editor.errors import RecorderError

from ... import builders
from .. import steps
from ..damage import drawn, struck
from ..watch import Broken, Watch
from .expressions import SEEDS
from .target import Target, content, opened


@dataclass(frozen=True)
class Case:
    """A script and the recording that it is done to."""

    script: str
    recording: bytes


class Scripts(Target):
    of_a_round = 4_000

    def __init__(self, keep: Path) -> None:
        super().__init__(keep)
        self.ids = []
        for name, data in SEEDS.items():
            with opened(data, keep) as recording:
                found = data, sorted({life.actor for life in recording.actors})
            # There is more to be done where somebody drives.
            self.ids += [found] * (5 if name in ("street", "drive") else 1)

    def make(self, random: Random) -> Case:
        data, ids = random.choice(self.ids)
        if random.random() < 0.25:
            data = struck(data, drawn(random), builders.drive(2))
        return Case(steps.script(random, ids) if random.random() < 0.5 else steps.well_formed(random, ids), data)

    def run(self, case: Case, watch: Watch) -> Iterable[str]:
        try:
            script = read_script(case.script)
        except ScriptError as error:
            if not str(error).strip():
                raise Broken("refused without a word") from error
            return ("script refused",)
        did = ["script"]
        with opened(case.recording) as recording:
            before = content(recording)
            for step in script.steps:
                try:
                    recording.apply(run_step(recording.snapshot, step).edit)
                except RecorderError as error:
                    if not str(error).strip():
                        raise Broken("refused without a word") from error
                    did.append(f"step refused {step.operation}")
                else:
                    did.append(f"step {step.operation}")
            after = content(recording)
            saved = save_script(each for each in recording.history.steps)
            read_script(saved.text)
            while recording.undo() is not None:
                pass
            if content(recording) != before:
                raise Broken("undo gives other bytes")
            while recording.redo() is not None:
                pass
            if content(recording) != after:
                raise Broken("redo gives other bytes")
        return did
