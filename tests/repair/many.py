"""Thousands of damaged recordings: `python -m tests.repair.many --cases 5000 [--seed 1] [--kind torn]`.

Prints the cases that a repair did not do right, each with what makes it again, and how many there were.
"""

import argparse
import os
import sys
import tempfile
import traceback
from collections import Counter
from pathlib import Path
from random import Random

from tests.real_recordings import RECORDINGS, SOUND
from tests.repair.damage import KINDS, Source
from tests.repair.judge import judged, sources
from tests.repair.made import small_recordings


def case(source: Source, kind: str, seed: int, path: Path, map_name: str) -> list[str]:
    """The complaints about one case."""
    try:
        return judged(source, KINDS[kind](source, Random(seed)), path, map_name)
    except Exception as wrong:  # noqa: BLE001 - a run of thousands tells of every failure
        return [f"{wrong!r} in {traceback.extract_tb(wrong.__traceback__)[-1]}"]


def main() -> int:
    """Run the cases; returns how many went wrong, at most 1."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=sorted(KINDS))
    parser.add_argument("--file", help="only this recording")
    arguments = parser.parse_args()
    known = {name: sources((RECORDINGS / name).read_bytes()) for name in SOUND if RECORDINGS.is_dir()}
    known |= {name: sources(data) for name, data in small_recordings().items()}
    known = {name: each for name, each in known.items() if arguments.file in (None, name)}
    wrong: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["RECORDER_EDITOR_STATE_DIR"] = folder
        for number in range(arguments.cases):
            seed = arguments.seed + number
            chance = Random(seed)
            kind = arguments.kind or chance.choice(sorted(KINDS))
            name = chance.choice(sorted(known))
            town = known[name].data[28 : known[name].begin].decode()
            complaints = case(known[name], kind, seed, Path(folder) / "case.log", town)
            if complaints:
                wrong[kind] += 1
                print(f"{kind} --seed {seed} --file {name}: {'; '.join(complaints)}")  # noqa: T201
    print(f"{arguments.cases:,} cases, {wrong.total():,} went wrong: {dict(wrong)}")  # noqa: T201
    return min(wrong.total(), 1)


if __name__ == "__main__":
    sys.exit(main())
