"""Plants a mutant in a scratch copy of a checkout, and runs its tests there."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

Outcome = Literal["found", "missed", "does not apply", "fails without it", "broken"]

MAX_FAILURES = 5
_SECONDS = 1200
_PATIENCE = "10"
"""Seconds that a test of the window waits for what the mistake may keep from happening; without it, a minute."""
_PASSED, _FAILED, _INTERRUPTED = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Mutant:
    """One mistake: `old` stands once in all of `package`, in whatever module, and becomes `new`; `tests` find it."""

    name: str
    package: str
    old: str
    new: str
    tests: tuple[str, ...]

    def places(self, tree: Path) -> list[Path]:
        """The modules of a checkout in which `old` stands, each as often as it does."""
        modules = sorted((tree / "recorder_editor" / self.package).rglob("*.py"))
        return [path for path in modules for _ in range(path.read_text(encoding="utf-8").count(self.old))]


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a mutant: `tests` are those that fail with it, `detail` says why it was not tried to the end."""

    outcome: Outcome
    tests: tuple[str, ...] = ()
    detail: str = ""
    seconds: float = 0.0


def copied(tree: Path, copy: Path) -> None:
    """Copy the files of a checkout that git knows or would know, as they are now; its recordings are linked to."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=tree, check=True, capture_output=True)
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (tree / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(tree / name, copy / name)
    shared = copy.parent / "shared"
    if not shared.exists() and (tree.parent / "shared").is_dir():
        shared.symlink_to((tree.parent / "shared").resolve())


def tried(mutant: Mutant, copy: Path) -> Result:
    """Plant a mutant in a copy of a checkout, run its tests, and take it out again."""
    places = mutant.places(copy)
    if len(places) != 1:
        return Result("does not apply", detail=f"its text stands {len(places)} times in {mutant.package}")
    missing = [name for name in mutant.tests if not (copy / name.partition("::")[0]).exists()]
    if missing:
        return Result("does not apply", detail=f"{', '.join(missing)} is not there")
    path = places[0]
    text = path.read_text(encoding="utf-8")
    begin = time.monotonic()
    cache = copy / ".failed"
    shutil.rmtree(cache, ignore_errors=True)
    _put(path, text.replace(mutant.old, mutant.new))
    try:
        code, last = _run(copy, [*mutant.tests, f"--maxfail={MAX_FAILURES}"])
    finally:
        _put(path, text)
    seconds = round(time.monotonic() - begin, 1)
    failed = _last_failed(cache)
    if code == _PASSED:
        return Result("missed", detail=last, seconds=seconds)
    if code not in (_FAILED, _INTERRUPTED) or not failed:
        return Result("broken", detail=f"pytest ended with {code}: {last}", seconds=seconds)
    # A test proves something only where it passes without the mistake.
    _run(copy, [*mutant.tests, "--last-failed", "--last-failed-no-failures=none"])
    still = _last_failed(cache)
    found = tuple(sorted(failed - still))
    if found:
        return Result("found", found, last, seconds)
    return Result("fails without it", tuple(sorted(still)), last, seconds)


def _put(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    # A compiled module is told from its source by the second and the size; two mutants may share both.
    Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)


def _run(copy: Path, arguments: Sequence[str]) -> tuple[int, str]:
    """Run pytest in a copy: its exit code (-1: it was stopped after 20 minutes), and its last line."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
    # With CI set, drawn examples are the same in each run.
    environment |= {"PYTHONPATH": str(copy), "QT_QPA_PLATFORM": "offscreen", "CI": "1", "PATIENCE_OF_TESTS": _PATIENCE}
    # A mutant as long as what it replaces, within the same second, would leave the compiled module in its place.
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    command = [sys.executable, "-m", "pytest", "--quiet", "--tb=no", "-o", "cache_dir=.failed"]
    process = subprocess.Popen(
        [*command, *arguments],
        cwd=copy,
        env=environment,
        text=True,
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    try:
        said, _ = process.communicate(timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        process.communicate()
        return -1, "it took too long"
    return process.returncode, (said.strip().splitlines() or [""])[-1]


def _last_failed(cache: Path) -> set[str]:
    path = cache / "v" / "cache" / "lastfailed"
    return set(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else set()


def written(results: Mapping[str, Result], out: Path) -> None:
    """Write results by name as JSON."""
    text = json.dumps({name: asdict(result) for name, result in results.items()}, indent=1, ensure_ascii=False)
    out.write_text(text + "\n", encoding="utf-8")


def read(out: Path) -> dict[str, Result]:
    """Results that were written before; none where there is no file."""
    if not out.is_file():
        return {}
    return {
        name: Result(**{**each, "tests": tuple(each["tests"])})
        for name, each in json.loads(out.read_text(encoding="utf-8")).items()
    }
