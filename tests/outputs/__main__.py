"""Hashes of all outputs of all verbs, to compare two versions of the program.

    python -m tests.outputs write HASHES.json --inputs DIR [--package ROOT]
    python -m tests.outputs compare BEFORE.json AFTER.json

`write` runs the command lines of `tests.outputs.commands` on every real recording and on the sample in every dialect,
with the package in ROOT (default: this checkout), and stores exit code, stdout, stderr and every file written as
SHA-256. DIR holds the inputs; the first run makes them, so that two versions read the same bytes.
"""

import argparse
import hashlib
import io
import json
import os
import shlex
import shutil
import struct
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from tests.analysis import highd
from tests.outputs.commands import ALONE, READING, WRITING

PROJECT = Path(__file__).resolve().parents[2]
RECORDINGS = PROJECT.parent / "shared" / "recordings"
SAMPLE = PROJECT / "resources" / "sample" / "town.log"
SECONDS = 4


class Output(io.TextIOWrapper):
    """Text and bytes that a verb prints, kept in the order in which they came."""

    def __init__(self) -> None:
        self.kept = io.BytesIO()
        super().__init__(self.kept, encoding="utf-8", newline="\n", write_through=True)


def run(arguments: list[str]) -> tuple[int | str, bytes, bytes]:
    """Run a verb in this process; returns exit code (or what was raised), stdout, stderr."""
    from recorder_editor.__main__ import main

    out, err = Output(), Output()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code: int | str = int(main(arguments))
        except BaseException as error:  # noqa: BLE001 - what a verb raises is an output, too
            code = f"{type(error).__name__}: {error}"
    return code, out.kept.getvalue(), err.kept.getvalue()


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:20]


def files_below(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file())


# --- the inputs -----------------------------------------------------------------------------------------


def make_inputs(folder: Path) -> None:
    """A folder for each recording: in.log, part.log (another one of it), torn.log, names.json, script.json."""
    from recorder_editor.format.dialects import DIALECTS

    sources = {path.stem: path for path in sorted(RECORDINGS.iterdir()) if path.suffix in (".log", ".rec")}
    short = folder / "short.log"
    folder.mkdir(parents=True)
    expect(["trim", str(SAMPLE), str(short), "--to", str(SECONDS)])
    for name in DIALECTS:
        place = folder / f"{name}.log"
        expect(["convert", str(short), str(place), "--write-as", name])
        sources[f"sample-{name}"] = place
    for name, path in sources.items():
        make_input(folder / name, path)
        if path.parent == folder:
            path.unlink()
    short.unlink()
    highd.write(folder / "alone" / "highd", 1, highd.traffic(vehicles=12))
    shutil.copy(SAMPLE, folder / "alone" / "in.log")


def expect(arguments: list[str]) -> bytes:
    code, out, err = run(arguments)
    if code not in (0, 3):
        raise SystemExit(f"{shlex.join(arguments)}: {code} {err.decode()}")
    return out


def make_input(folder: Path, source: Path) -> None:
    folder.mkdir()
    copy = folder / "in.log"
    shutil.copy(source, copy)
    data = copy.read_bytes()
    code, out, _ = run(["actors", str(copy), "--json"])
    actors = json.loads(out)["actors"] if code == 0 else []
    users = [actor["id"] for actor in actors if actor["class"] in ("vehicle", "two-wheeler", "walker")] or [1]
    names = {"a": users[0], "b": users[min(1, len(users) - 1)]}
    (folder / "names.json").write_text(json.dumps(names))
    if run(["trim", str(copy), str(folder / "part.log"), "--from", "#10", "--to", "#60"])[0] != 0:
        shutil.copy(source, folder / "part.log")
    at = len(data) // 2
    (folder / "torn.log").write_bytes(data[:at] + struct.pack("<BI", 6, 1 << 30) + data[at + 900 : -7])
    edits = ["--move", f"{names['a']}=1,0,0", "--remove-actor", str(names["b"]), "--retime", "1.5"]
    out_log = str(folder / "o.log")
    if run(["edit", str(copy), out_log, *edits, "--save-script", str(folder / "script.json")])[0] not in (0, 3):
        (folder / "script.json").write_text("{}")
    Path(out_log).unlink(missing_ok=True)


# --- the outputs ----------------------------------------------------------------------------------------


def outputs_of(folder: Path) -> dict[str, dict[str, object]]:
    """The hashes of every command on the recording of a folder."""
    os.environ.update(TZ="UTC", COLUMNS="100", QT_QPA_PLATFORM="offscreen")
    alone = folder.name == "alone"
    names = {} if alone else json.loads((folder / "names.json").read_text())
    found: dict[str, dict[str, object]] = {}
    for text in ALONE if alone else READING + WRITING:
        with tempfile.TemporaryDirectory() as place:
            here = Path(place)
            shutil.copytree(folder, here / "w", copy_function=os.link)
            os.environ["RECORDER_EDITOR_STATE_DIR"] = str(here / "state")
            os.chdir(here / "w")
            before = set(files_below(here / "w"))
            arguments = shlex.split(text.replace("{in}", "in.log").replace("{other}", "part.log").format(**names))
            code, out, err = run(arguments)
            out, err = (told.replace(place.encode(), b"PLACE") for told in (out, err))
            written = {
                str(path.relative_to(here / "w")): digest(path.read_bytes())
                for path in files_below(here / "w")
                if path not in before
            }
            left = [str(path.relative_to(here)) for path in files_below(here / "state")]
            os.chdir("/")
        found[text] = {"code": code, "stdout": digest(out), "stderr": digest(err), "files": written, "left": left}
        found[text]["said"] = err.decode(errors="replace")[:400]
    return found


def write(target: Path, inputs: Path, package: Path) -> None:
    """Run everything and store the hashes."""
    if not inputs.exists():
        make_inputs(inputs)
    folders = [path for path in sorted(inputs.iterdir()) if path.is_dir()]
    with ProcessPoolExecutor(2) as pool:
        found = dict(zip([path.name for path in folders], pool.map(outputs_of, folders), strict=True))
    target.write_text(json.dumps(found, indent=1))
    sys.stdout.write(f"{sum(map(len, found.values()))} outputs of {package}\n")


def compare(before: Path, after: Path) -> int:
    """List what differs; returns 1 where something does."""
    one, other = json.loads(before.read_text()), json.loads(after.read_text())
    count = 0
    for name in sorted(one.keys() | other.keys()):
        here, there = one.get(name, {}), other.get(name, {})
        for text in [*here, *(each for each in there if each not in here)]:
            a, b = here.get(text, {}), there.get(text, {})
            parts = [part for part in ("code", "stdout", "stderr", "files", "left") if a.get(part) != b.get(part)]
            if parts:
                count += 1
                sys.stdout.write(f"{name}: {text}\n    {', '.join(parts)}")
                if "code" in parts:
                    sys.stdout.write(f": {a.get('code')} -> {b.get('code')}")
                if "stderr" in parts:
                    sys.stdout.write(f"\n    before: {a.get('said')}\n    after:  {b.get('said')}")
                sys.stdout.write("\n")
    sys.stdout.write(f"{count} outputs differ\n")
    return int(count > 0)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.outputs", description=(__doc__ or "").split("\n")[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    writing = verbs.add_parser("write")
    writing.add_argument("target", type=Path)
    writing.add_argument("--inputs", type=Path, required=True)
    writing.add_argument("--package", type=Path, default=PROJECT)
    comparing = verbs.add_parser("compare")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    arguments = parser.parse_args()
    if arguments.verb == "compare":
        return compare(arguments.before, arguments.after)
    package = arguments.package.resolve()
    sys.path.insert(0, str(package))  # before the first import of the package
    write(arguments.target.resolve(), arguments.inputs.resolve(), package)
    return 0


if __name__ == "__main__":
    sys.exit(main())
