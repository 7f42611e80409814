"""Plant mistakes one at a time in a scratch copy of a checkout, and record which tests find them.

    python -m tests.mutants OUT.json [--tree DIR] [NAME...]

Every mutant of `tests.mutants.table`, or those that are named, goes into a copy of the checkout DIR (default: this
one); its tests run there until five have failed. OUT.json tells of each by name: the outcome and the tests that fail
with it and pass without it. Results of other names that stand in OUT.json stay. The exit code is 1 where a mutant was
not found.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from .planting import copied, read, tried, written
from .table import MUTANTS

PROJECT = Path(__file__).resolve().parents[2]


def main() -> int:
    """Try the mutants."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutants", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path, metavar="OUT.json")
    parser.add_argument("--tree", type=Path, metavar="DIR", default=PROJECT)
    parser.add_argument("names", nargs="*", metavar="NAME")
    arguments = parser.parse_args()
    known = {mutant.name: mutant for mutant in MUTANTS}
    unknown = [name for name in arguments.names if name not in known]
    if unknown:
        parser.error(f"no mutant has the name {', '.join(unknown)}; there are {', '.join(known)}")
    results = read(arguments.out)
    chosen = arguments.names or list(known)
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copy = Path(folder) / "checkout"
        copied(arguments.tree.resolve(), copy)
        for name in chosen:
            results[name] = result = tried(known[name], copy)
            written(results, arguments.out)
            told = f"by {result.tests[0]}" if result.tests else result.detail
            sys.stdout.write(f"{name}: {result.outcome} {told} ({result.seconds:g} s)\n")
            sys.stdout.flush()
    found = sum(results[name].outcome == "found" for name in chosen)
    sys.stdout.write(f"{found} of {len(chosen)} mutants are found.\n")
    return int(found < len(chosen))


if __name__ == "__main__":
    sys.exit(main())
