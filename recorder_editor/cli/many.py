"""A verb for many recordings: for each as if it were the only one, in this process, in several, or on a Dask cluster.

The verbs know one recording. A job is a verb with its arguments for one recording; what it prints is kept, and its exit
code and sentences are its outcome. `Verb.takes_many` marks the verbs that take many.
"""

import os
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import chdir, closing, nullcontext, redirect_stderr, redirect_stdout
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from threading import Lock
from traceback import print_exc
from typing import NamedTuple

from ..fleet.pool import run_many
from ..format.json_text import read_json
from ..formats.export import paths_beside
from ..recording import atomic_write
from ..recording.atomic_file import sweep_folder
from ..recording.existing import refuse_existing
from ..recording.files import content, recordings_in
from ..terminal import printable
from ..texts import N_, language, listed, say, say_count, speaking
from .files import FAILURES, Unreadable, WrongUsage, failure, may_replace
from .output import Exit, aligned, exit_code, print_error, print_json, print_lines, progress_bar, write_bytes
from .resume import RECORD, Record, made_of

_BY_SEVERITY = (Exit.OK, Exit.LOSS, Exit.FAILED, Exit.WRONG_USAGE)
_WORDS = {Exit.OK: N_("done"), Exit.LOSS: N_("with loss")}

_MOST_PRINTED = 1000  # bytes of what a job prints, for the table

_PROCESS_LOCK = Lock()
"""Held by a job: threads of a Dask worker share stdout and the working folder."""


class Job(NamedTuple):
    """The work for one recording; picklable.

    Attributes: `number` (from 0), `arguments` (those of the verb for this recording), `is_printed` (the output is what
    the verb prints), `folder` (where relative paths begin), `language`, `key` (hash of the arguments, empty without
    --resume), `known` (what the record has of the output).
    """

    number: int
    arguments: Namespace
    is_printed: bool
    folder: str
    language: str
    key: str
    known: object


class Result(NamedTuple):
    """The outcome of a job.

    Attributes: `code`, `error` (why it failed, or None), `messages` (for stderr), `printed` (for stdout), `entry` (for
    the record, or None), `is_unchanged` (there was nothing to do).
    """

    code: Exit
    error: str | None = None
    messages: str = ""
    printed: bytes = b""
    entry: list[object] | None = None
    is_unchanged: bool = False


def run_all(arguments: Namespace, inputs: Sequence[Path]) -> Exit:
    """Run the verb for all recordings; prints what they print, and their outcomes.

    Raises:
        WrongUsage: The arguments are wrong.
    """
    for option in ("fix", "save_script"):
        if getattr(arguments, option, None) is not None:
            raise WrongUsage(say("{option} takes one recording.", option=f"--{option.replace('_', '-')}"))
    as_json = getattr(arguments, "json", False) or getattr(arguments, "outcomes", False)
    record = Record(arguments)
    jobs = _jobs(arguments, inputs, record)
    files = say_count("{count:,} file", "{count:,} files", count=len(jobs))
    bar = progress_bar(f"{arguments.verb}: {files}")
    results: dict[int, Result] = {}
    printed = 0
    with closing(run_many(_work, jobs, arguments.workers, arguments.dask)) as outcomes:
        try:
            for outcome in outcomes:
                job = outcome.item
                result = outcome.result or Result(Exit.FAILED, outcome.error)
                results[job.number] = result
                if outcome.result is None and job.arguments.out is not None:
                    sweep_folder(job.arguments.out.parent)  # of what an ended process left
                if result.entry is not None:
                    record.add(job.arguments.out, result.entry)
                elif not result.is_unchanged:
                    record.forget(job.arguments.out)
                bar.update(len(results), len(results))  # clears the line before others are printed
                while printed in results:
                    results[printed] = _print_result(jobs[printed].arguments, results[printed], as_json)
                    printed += 1
                if printed < len(jobs):
                    bar.update(len(results), len(jobs))
        finally:
            record.write()
    ordered = [(job.arguments, results[job.number]) for job in jobs]
    if as_json:
        print_json({"verb": arguments.verb, **arguments.extra, "files": [_as_json(*each) for each in ordered]})
    else:
        for line in _summary(ordered):
            if arguments.out_dir is None:
                print_error(line)
            else:
                print_lines([line])
    return max((result.code for _, result in ordered), key=_BY_SEVERITY.index)


def _jobs(arguments: Namespace, inputs: Sequence[Path], record: Record) -> list[Job]:
    """The jobs of all recordings; the folders of their outputs are made."""
    pairs = _pairs(arguments, inputs)
    is_printed = not hasattr(arguments, "out")
    arguments.file, arguments.out = pairs[0]
    outs = [out for _, out in pairs if out is not None]
    if not may_replace(arguments):
        is_recording = arguments.outputs.get("out") == "recording"
        refuse_existing([out for out in outs if not record.has(out)], is_recording=is_recording)
    arguments.extra = arguments.prepare(arguments)
    if not getattr(arguments, "dry_run", False):
        for out in outs:
            out.parent.mkdir(parents=True, exist_ok=True)
    overwritten = {out for out in outs if arguments.overwrite or record.has(out)}
    record.plan(outs)
    jobs = []
    for number, (file, target) in enumerate(pairs):
        changed = {"file": file, "files": [file], "out": target, "prepare": None, "overwrite": target in overwritten}
        own = Namespace(**vars(arguments) | changed)
        jobs.append(Job(number, own, is_printed, os.getcwd(), language(), record.key, record.known(target)))
    return jobs


# --- inputs and outputs -----------------------------------------------------------------------------------


def _suffix(arguments: Namespace) -> str | None:
    """The suffix of the outputs; None where they are recordings, which keep theirs."""
    if hasattr(arguments, "output_suffix"):
        suffix: str = arguments.output_suffix(arguments)
        return suffix
    if hasattr(arguments, "out"):
        return None
    if getattr(arguments, "json", False):
        return ".json"
    return ".txt"


def _pairs(arguments: Namespace, inputs: Sequence[Path]) -> list[tuple[Path, Path | None]]:
    """Every recording and its output; raises `WrongUsage` for one that would replace an input or another output."""
    found = [pair for given in inputs for pair in _recordings(given, arguments)]
    if not found:
        raise Unreadable(
            say("{path}: there is no recording (.log, .rec) in this folder.", path=listed(map(str, inputs)))
        )
    if arguments.out_dir is None:
        return [(file, None) for file, _ in found]
    suffix = _suffix(arguments)
    given = [file for file, _ in found] + [each for each in vars(arguments).values() if isinstance(each, Path)]
    kept = set()
    for each in [*given, arguments.out_dir / RECORD]:
        kept.add(os.path.normcase(os.path.realpath(each)))
    pairs: list[tuple[Path, Path | None]] = []
    taken: dict[str, Path] = {}
    for file, name in found:
        out: Path = arguments.out_dir / (name if suffix is None else name.with_suffix(suffix))
        for written in (out, *paths_beside(out)):
            place = os.path.normcase(os.path.realpath(written))
            if place in kept:
                raise WrongUsage(
                    say("{out} is an input itself; give another name or folder for the output.", out=written)
                )
            if place in taken:
                other = taken[place]
                raise WrongUsage(
                    say("{taken} and {file} would both be written to {out}.", taken=other, file=file, out=written)
                )
            taken[place] = file
        pairs.append((file, out))
    return pairs


def _recordings(given: Path, arguments: Namespace) -> Iterator[tuple[Path, Path]]:
    """A recording, or those in a folder, each with its name below --out-dir. What is in --out-dir is an output."""
    if not os.path.isdir(given):
        yield given, Path(given.name)
        return
    if arguments.out_dir is None:
        outputs = None
    else:
        outputs = Path(os.path.realpath(arguments.out_dir))
    is_below = outputs is not None and given.resolve() in outputs.parents
    for path in recordings_in(given, recursive=arguments.recursive):
        if not (is_below and outputs in Path(os.path.realpath(path)).parents):
            yield path, path.relative_to(given)


# --- jobs -------------------------------------------------------------------------------------------------


def _work(job: Job) -> Result:
    """Run a job; its errors, also unexpected ones, become its outcome."""
    messages = StringIO()
    printed = BytesIO()
    entry: list[object] | None = None
    error: str | None = None
    with _PROCESS_LOCK, chdir(job.folder), speaking(job.language), redirect_stderr(messages):
        arguments = job.arguments
        try:
            if job.key:
                made = made_of(job.key, arguments.file)
            else:
                made = ""
            for code in Exit if job.key else ():
                if job.known == [made, content(arguments.out), code]:
                    return Result(code, is_unchanged=True)
            is_kept = job.is_printed and arguments.out is not None
            with (
                atomic_write(arguments.out, overwrite=arguments.overwrite) if is_kept else nullcontext(printed) as file
            ):
                text = TextIOWrapper(file, "utf-8", "backslashreplace", newline="", write_through=True)
                with redirect_stdout(text):
                    code = exit_code(arguments.run(arguments))
            if job.key and (is_kept or code in (Exit.OK, Exit.LOSS)):
                entry = [made, content(arguments.out), code]
        except FAILURES as failed:
            code, error = failure(failed)
        except MemoryError:
            raise
        except (Exception, SystemExit) as failed:  # noqa: BLE001 - metrics are code, and the other files go on
            print_exc()
            code = Exit.FAILED
            error = repr(failed)
    return Result(code, error and str(error), messages.getvalue(), printed.getvalue(), entry)


# --- outcomes ---------------------------------------------------------------------------------------------


def _print_result(arguments: Namespace, result: Result, as_json: bool) -> Result:
    """Print what a job prints, under the name of its recording, and its messages; returns what is needed further."""
    if result.printed and not as_json:
        print_lines([f"==> {arguments.file} <=="])
        write_bytes([result.printed])
        sys.stdout.flush()
    for line in _lines(result):
        is_named = arguments.file.name in line
        print_error(line if is_named else say("{name}: {message}", name=arguments.file, message=line))
    if as_json:
        return result
    return result._replace(printed=result.printed[-_MOST_PRINTED:])


def _lines(result: Result) -> list[str]:
    """The lines for stderr."""
    return [*filter(None, result.messages.split("\n")), *filter(None, [result.error])]


def _summary(ordered: Sequence[tuple[Namespace, Result]]) -> Iterator[str]:
    """The lines of a table of outcomes: the word, the recording, its output or why there is none; and their numbers."""
    rows = []
    for arguments, result in ordered:
        told = b"" if arguments.out is None else result.printed
        lines = [*told.decode("utf-8", "replace").splitlines(), *_lines(result)]
        is_failed = result.code in (Exit.FAILED, Exit.WRONG_USAGE) and lines
        if is_failed:
            last = lines[-1]
        else:
            last = str(arguments.out or "")
        word = say(N_("unchanged") if result.is_unchanged else _WORDS.get(result.code, N_("failed")))
        rows.append([printable(each) for each in (word, str(arguments.file), last)])
    yield from aligned(rows)
    counts = Counter(word for word, _, _ in rows)
    numbers = listed(f"{number:,} {word}" for word, number in counts.items())
    yield say(
        "{files}: {numbers}.", files=say_count("{count:,} file", "{count:,} files", count=len(rows)), numbers=numbers
    )


def _as_json(arguments: Namespace, result: Result) -> dict[str, object]:
    """An outcome, with what the verb tells in JSON, or else prints."""
    text = result.printed.decode("utf-8", "replace")
    if not text:
        told = {}
    elif getattr(arguments, "json", False):
        told = read_json(text)
    else:
        told = {"printed": text}
    return {
        "file": str(arguments.file),
        "out": None if arguments.out is None else str(arguments.out),
        "code": int(result.code),
        "unchanged": result.is_unchanged,
        "error": result.error,
        "messages": [*filter(None, result.messages.split("\n"))],
        **told,
    }
