"""A long run: `python tests/fuzz/run.py --minutes 30 [--seed N]`; prints how many cases there were.

Cases come from the real recordings (where they are there), from recordings of every dialect and from cases that broke
before (build/fuzz/*.case). Each batch has a process of its own, with a bound on its memory and on its time, so that a
crash, a hang and a flood are found, too. What breaks is kept in build/fuzz, with the reason beside it. Where atheris is
installed, `--atheris` lets it choose the bytes.
"""

import argparse
import faulthandler
import hashlib
import json
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path
from random import Random

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT))

from tests.fuzz.damage import drawn, made_seeds, read_seeds, real_seeds, struck  # noqa: E402
from tests.fuzz.exercise import Broken, exercise  # noqa: E402

KEPT = PROJECT / "build" / "fuzz"
CASES_OF_A_BATCH = 150
SECONDS_OF_A_CASE = 120
MOST_MEMORY = 3 << 30
"""Address space of a batch, libraries included."""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--batch", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--atheris", action="store_true", help="let atheris choose the bytes")
    arguments = parser.parse_args()
    KEPT.mkdir(parents=True, exist_ok=True)
    if arguments.atheris:
        return by_atheris(arguments.minutes)
    if arguments.batch is not None:
        print(json.dumps(batch(arguments.batch)))
        return 0
    return long_run(arguments.minutes, arguments.seed)


def long_run(minutes: float, seed: int) -> int:
    """Batches until the time is over."""
    end, cases, broken, dead, slowest = time.monotonic() + 60 * minutes, 0, 0, 0, 0.0
    memory, number = 0, 0
    while time.monotonic() < end:
        number += 1
        command = [sys.executable, __file__, "--batch", str(seed * 1_000_000 + number)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            told = json.loads(done.stdout.splitlines()[-1])
            cases, broken = cases + told["cases"], broken + told["broken"]
            slowest, memory = max(slowest, told["slowest"]), max(memory, told["memory"])
        else:
            dead += 1
            (KEPT / f"dead-{seed}-{number}.txt").write_text(f"{done.returncode}\n{done.stderr}")
            current = KEPT / f"current-{seed * 1_000_000 + number}"
            if current.exists():
                current.replace(current.with_suffix(".case"))
        print(f"{cases:,} cases, {broken} broken, {dead} batches dead, slowest {slowest:.1f} s, "
              f"most memory {memory >> 20} MiB", flush=True)  # fmt: skip
    return 1 if broken or dead else 0


def batch(seed: int) -> dict[str, float]:
    """Some cases in this process."""
    random = Random(seed)
    bound_memory()
    seeds = [*made_seeds(), *real_seeds(random), *read_seeds(KEPT)[:20]]
    broken, slowest = 0, 0.0
    current = KEPT / f"current-{seed}"
    with tempfile.TemporaryDirectory(prefix="recorder-editor-fuzz-") as folder:
        for _ in range(CASES_OF_A_BATCH):
            data = struck(random.choice(seeds), drawn(random), random.choice(seeds))
            current.write_bytes(data)
            faulthandler.dump_traceback_later(SECONDS_OF_A_CASE, exit=True)
            try:
                slowest = max(slowest, exercise(data, Path(folder)).seconds)
            except Broken as why:
                broken += 1
                keep(data, why)
            faulthandler.cancel_dump_traceback_later()
    current.unlink()
    return {"cases": CASES_OF_A_BATCH, "broken": broken, "slowest": slowest, "memory": most_memory()}


def keep(data: bytes, why: BaseException) -> None:
    """Keep a case, and why it broke."""
    path = KEPT / f"{hashlib.sha256(data).hexdigest()[:16]}.case"
    path.write_bytes(data)
    path.with_suffix(".txt").write_text("".join(traceback.format_exception(why)))
    print(why, file=sys.stderr)


def bound_memory() -> None:
    """No more than `MOST_MEMORY`, where the system can see to it."""
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def most_memory() -> int:
    """The most that this process ever held, in bytes; 0 where nobody knows."""
    if sys.platform == "win32":
        return 0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def by_atheris(minutes: float) -> int:
    """Let atheris choose the bytes, from the seeds on."""
    try:
        import atheris
    except ImportError:
        print("atheris is not installed.", file=sys.stderr)
        return 2
    random = Random(1)
    corpus = KEPT / "corpus"
    corpus.mkdir(exist_ok=True)
    for data in (*made_seeds(), *real_seeds(random)):
        (corpus / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)
    with tempfile.TemporaryDirectory(prefix="recorder-editor-fuzz-") as folder:

        def one(data: bytes) -> None:
            exercise(bytes(data), Path(folder))

        atheris.Setup([sys.argv[0], str(corpus), f"-max_total_time={round(60 * minutes)}"], one)
        atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())
