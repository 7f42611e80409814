"""The library on damaged recordings: opening, reading, saving, dumping, checking and repairing, all in one case."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from ..damage import drawn, made_seeds, real_seed, struck
from ..exercise import exercise
from ..watch import CPU_SECONDS, Watch
from .target import Target

LARGE = 48 << 10


@dataclass(frozen=True)
class Case:
    """The bytes of a recording."""

    recording: bytes


class Library(Target):
    of_a_round = 400

    def make(self, random: Random) -> Case:
        made = random.choice(made_seeds())
        seed = made if random.random() < 0.5 else real_seed(random, LARGE)
        return Case(struck(seed, drawn(random), made))

    def run(self, case: Case, watch: Watch) -> Iterable[str]:
        exercise(case.recording, Path(), seconds=CPU_SECONDS)
        return ("library",)
