"""A verb for many recordings: for each as if it were the only one, in this process, in several, or on a Dask cluster.

The verbs know one recording. A job is a verb with its arguments for one recording; what it prints is kept, and its exit
code and sentences are its outcome. `Verb.takes_many` marks the verbs that take many.
"""

import os
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir, closing, redirect_stderr, redirect_stdout
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from threading import Lock
from traceback import print_exc
from typing import BinaryIO, NamedTuple

from ..fleet.pool import run_many
from ..format.json_text import read_json
from ..formats.export import paths_beside
from ..recording import atomic_write
from ..recording.atomic_file import sweep_folder
from ..recording.existing import refuse_existing
from ..recording.files import content, recordings_in
from ..terminal import Line, Span, Tone, printable
from ..texts import N_, language, listed, say, say_count, speaking
from .files import FAILURES, Unreadable, WrongUsage, failure, is_dry_run, may_replace
from .output import Exit, aligned, exit_code, print_error, print_json, print_lines, progress_bar, telling, write_bytes
from .resume import RECORD, Record, source_hash

_BY_SEVERITY = (Exit.OK, Exit.LOSS, Exit.FAILED, Exit.WRONG_USAGE)
_WORDS = {Exit.OK: N_("done"), Exit.LOSS: N_("with loss")}

_TONES: Mapping[Exit, Tone] = {Exit.OK: "fine", Exit.LOSS: "warning"}

_MOST_PRINTED = 1000  # bytes of what a job prints, for the table

_PROCESS_LOCK = Lock()
"""Held by a job: threads of a Dask worker share stdout and the working folder."""


class Job(NamedTuple):
    """The work for one recording; picklable.

    Attributes:
        number: Its number, from 0.
        arguments: Those of the verb for this recording.
        is_printed: The output is what the verb prints.
        folder: Where relative paths begin.
        language: The language of its messages.
        key: Hash of the arguments, empty without --resume.
        entry: What the record has of the output, or None.
    """

    number: int
    arguments: Namespace
    is_printed: bool
    folder: str
    language: str
    key: str
    entry: object


class Result(NamedTuple):
    """The outcome of a job.

    Attributes:
        code: The exit code.
        error: Why it failed, or None.
        messages: What it prints to stderr.
        printed: What it prints to stdout.
        entry: What the record gets, or None.
        is_unchanged: There was nothing to do.
    """

    code: Exit
    error: str | None = None
    messages: str = ""
    printed: bytes = b""
    entry: list[object] | None = None
    is_unchanged: bool = False


def run_all(arguments: Namespace, inputs: Sequence[Path]) -> Exit:
    """Run the verb for all recordings; prints what they print, and their outcomes.

    Args:
        arguments: The arguments of the verb.
        inputs: Recordings, and folders of them.

    Returns:
        The worst exit code.

    Raises:
        WrongUsage: The arguments are wrong.
        Unreadable: There is no recording.
        WouldReplace: An output exists and has to stay.
        OSError: A folder cannot be made, or the record of --resume cannot be written.
    """
    _refuse_single_outputs(arguments)
    as_json = arguments.json or arguments.outcomes
    record = Record(arguments)
    jobs = _jobs(arguments, inputs, record)
    results = _run_jobs(arguments, jobs, record, as_json)
    outcomes = [(job.arguments, results[job.number]) for job in jobs]
    if as_json:
        report = {"verb": arguments.verb, **arguments.extra}
        report["files"] = [_as_json(job_arguments, result) for job_arguments, result in outcomes]
        print_json(report)
    elif arguments.in_table:
        print_error(_numbers_text(outcomes))
    elif arguments.out_dir is None:
        for line in _summary(outcomes):
            print_error(line)
    else:
        print_lines(_summary(outcomes))
    return max((result.code for result in results.values()), key=_BY_SEVERITY.index)


def _refuse_single_outputs(arguments: Namespace) -> None:
    """Refuse paths of files that the verb writes besides OUT, since each recording would write the same one."""
    for name in arguments.outputs:
        if name not in ("out", "out_dir") and vars(arguments)[name] is not None:
            raise WrongUsage(say("{option} takes one recording.", option=f"--{name.replace('_', '-')}"))


def _run_jobs(arguments: Namespace, jobs: Sequence[Job], record: Record, as_json: bool) -> dict[int, Result]:
    """Run all jobs, and print what each prints in their order; returns their results by number."""
    files = say_count("{count:,} file", "{count:,} files", count=len(jobs))
    bar = progress_bar(f"{arguments.verb}: {files}")
    results: dict[int, Result] = {}
    printed = 0  # so many first jobs
    with closing(run_many(_work, jobs, arguments.workers, arguments.dask)) as outcomes:
        try:
            for outcome in outcomes:
                job = outcome.item
                result = outcome.result
                if result is None:
                    result = Result(Exit.FAILED, outcome.error)
                    if job.arguments.out is not None:
                        sweep_folder(job.arguments.out.parent)  # of what an ended process left
                results[job.number] = result
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
    return results


def _jobs(arguments: Namespace, inputs: Sequence[Path], record: Record) -> list[Job]:
    """Return the jobs of all recordings, and make the folders of their outputs."""
    pairs = _pairs(arguments, inputs)
    is_printed = "out" not in arguments.outputs
    arguments.file, arguments.out = pairs[0]
    outs = [out for _, out in pairs if out is not None]
    if not may_replace(arguments):
        is_recording = arguments.outputs.get("out") == "recording"
        refuse_existing([out for out in outs if not record.has(out)], is_recording=is_recording)
    arguments.is_one_of_many = True
    arguments.extra = arguments.prepare(arguments)
    if arguments.out_dir is not None and not is_dry_run(arguments):
        for out in outs:
            out.parent.mkdir(parents=True, exist_ok=True)
    overwritten = {out for out in outs if arguments.overwrite or record.has(out)}
    record.plan(outs)
    jobs = []
    for number, (file, target) in enumerate(pairs):
        job_arguments = Namespace(**vars(arguments))
        job_arguments.file = file
        job_arguments.files = [file]
        job_arguments.out = target
        job_arguments.prepare = None
        job_arguments.overwrite = target in overwritten
        jobs.append(
            Job(
                number=number,
                arguments=job_arguments,
                is_printed=is_printed,
                folder=os.getcwd(),
                language=language(),
                key=record.key,
                entry=record.entry(target),
            )
        )
    return jobs


# --- inputs and outputs -----------------------------------------------------------------------------------


def _pairs(arguments: Namespace, inputs: Sequence[Path]) -> list[tuple[Path, Path | None]]:
    """Return every recording and its output.

    Raises:
        WrongUsage: An output would replace an input or another output.
        Unreadable: There is no recording.
    """
    single_out: Path | None = vars(arguments).get("out")
    if arguments.out_dir is None and single_out is not None:
        return [(inputs[0], single_out)]
    recordings: list[tuple[Path, Path]] = []
    for path in inputs:
        recordings.extend(_recordings(path, arguments))
    if not recordings:
        raise Unreadable(
            say("{path}: there is no recording (.log, .rec) in this folder.", path=listed(map(str, inputs)))
        )
    if arguments.out_dir is None:
        return [(file, None) for file, _ in recordings]
    suffix = arguments.output_suffix(arguments)
    reserved = {_real_path(file) for file, _ in recordings}
    reserved.add(_real_path(arguments.out_dir / RECORD))
    for value in vars(arguments).values():
        if isinstance(value, Path):
            reserved.add(_real_path(value))
    pairs: list[tuple[Path, Path | None]] = []
    taken: dict[str, Path] = {}
    for file, name in recordings:
        out: Path = arguments.out_dir / name
        if suffix is not None:
            out = out.with_suffix(suffix)
        for written in (out, *paths_beside(out)):
            place = _real_path(written)
            if place in reserved:
                raise WrongUsage(
                    say("{out} is an input itself; give another name or folder for the output.", out=written)
                )
            if place in taken:
                raise WrongUsage(
                    say(
                        "{taken} and {file} would both be written to {out}.", taken=taken[place], file=file, out=written
                    )
                )
            taken[place] = file
        pairs.append((file, out))
    return pairs


def _real_path(path: Path) -> str:
    """Return the path of a file by which it is compared with others."""
    return os.path.normcase(os.path.realpath(path))


def _recordings(path: Path, arguments: Namespace) -> Iterator[tuple[Path, Path]]:
    """Yield a recording, or those in a folder, each with its name below --out-dir; what is in there is an output."""
    if not os.path.isdir(path):
        yield path, Path(path.name)
        return
    outputs = None
    if arguments.out_dir is not None:
        real_out_dir = Path(os.path.realpath(arguments.out_dir))
        if path.resolve() in real_out_dir.parents:
            outputs = real_out_dir
    for recording in recordings_in(path, recursive=arguments.recursive):
        if outputs is None or outputs not in Path(os.path.realpath(recording)).parents:
            yield recording, recording.relative_to(path)


# --- jobs -------------------------------------------------------------------------------------------------


def _work(job: Job) -> Result:
    """Run a job; its errors, also unexpected ones, become its outcome."""
    messages = StringIO()
    printed = BytesIO()
    with (
        _PROCESS_LOCK,
        chdir(job.folder),
        speaking(job.language),
        telling(job.arguments.loudness),
        redirect_stderr(messages),
    ):
        try:
            result = _run(job, printed)
        except FAILURES as failed:
            code, sentence = failure(failed)
            result = Result(code, sentence)
        except MemoryError:
            raise
        except (Exception, SystemExit) as failed:  # noqa: BLE001 - metrics are code, and the other files go on
            print_exc()
            result = Result(Exit.FAILED, repr(failed))
    return result._replace(messages=messages.getvalue(), printed=printed.getvalue())


def _run(job: Job, printed: BinaryIO) -> Result:
    """Run the verb of a job, unless the record has its output.

    Args:
        job: The job.
        printed: Where the verb prints to, if that is not its output.
    """
    arguments = job.arguments
    source = ""
    if job.key:
        source = source_hash(job.key, arguments.file)
        out_content = content(arguments.out)
        for code in Exit:
            if job.entry == [source, out_content, code]:
                return Result(code, is_unchanged=True)
    is_output_printed = job.is_printed and arguments.out is not None
    if is_output_printed:
        with atomic_write(arguments.out, overwrite=arguments.overwrite) as file:
            code = _run_verb(arguments, file)
    else:
        code = _run_verb(arguments, printed)
    entry: list[object] | None = None
    if job.key and (is_output_printed or code in (Exit.OK, Exit.LOSS)):
        entry = [source, content(arguments.out), code]
    return Result(code, entry=entry)


def _run_verb(arguments: Namespace, stream: BinaryIO) -> Exit:
    """Run the verb, which prints to a stream."""
    text = TextIOWrapper(stream, "utf-8", "backslashreplace", newline="", write_through=True)
    try:
        with redirect_stdout(text):
            return exit_code(arguments.run(arguments))
    finally:
        text.detach()  # or its end would close the stream


# --- outcomes ---------------------------------------------------------------------------------------------


def _print_result(arguments: Namespace, result: Result, as_json: bool) -> Result:
    """Print what a job prints, under the name of its recording, and its messages; returns what is needed further."""
    if result.printed and not as_json:
        if not arguments.in_table:
            print_lines([f"==> {arguments.file} <=="])
        write_bytes([result.printed])
        sys.stdout.flush()
    for line in _error_lines(result):
        text = line
        if arguments.file.name not in line:
            text = say("{name}: {message}", name=arguments.file, message=line)
        print_error([Span(text, "error" if line == result.error else "plain")])
    if as_json:
        return result
    return result._replace(printed=result.printed[-_MOST_PRINTED:])


def _error_lines(result: Result) -> list[str]:
    """Return the lines for stderr."""
    lines = _message_lines(result)
    if result.error:
        lines.append(result.error)
    return lines


def _message_lines(result: Result) -> list[str]:
    return [line for line in result.messages.split("\n") if line]


def _summary(outcomes: Sequence[tuple[Namespace, Result]]) -> Iterator[Line]:
    """Yield the lines of a table of outcomes, and their numbers.

    A row has the word for the outcome, the recording, and its output or why there is none.
    """
    rows = []
    for arguments, result in outcomes:
        cells = (_word(result), str(arguments.file), _last_cell(arguments, result))
        rows.append([printable(cell) for cell in cells])
    for line, (_, result) in zip(aligned(rows), outcomes, strict=True):
        word = printable(_word(result))
        yield [Span(word, _tone(result)), Span(line.removeprefix(word))]
    yield _numbers_text(outcomes)


def _numbers_text(outcomes: Sequence[tuple[Namespace, Result]]) -> str:
    """Say how many recordings have each outcome."""
    counts = Counter(printable(_word(result)) for _, result in outcomes)
    numbers = listed(f"{number:,} {word}" for word, number in counts.items())
    files = say_count("{count:,} file", "{count:,} files", count=len(outcomes))
    return say("{files}: {numbers}.", files=files, numbers=numbers)


def _word(result: Result) -> str:
    if result.is_unchanged:
        return say("unchanged")
    return say(_WORDS.get(result.code, N_("failed")))


def _tone(result: Result) -> Tone:
    """Return how the word for an outcome stands out."""
    if result.is_unchanged:
        return "faint"
    return _TONES.get(result.code, "error")


def _last_cell(arguments: Namespace, result: Result) -> str:
    """Return the output of a recording, or the last line of what says why there is none."""
    if result.code in (Exit.FAILED, Exit.WRONG_USAGE):
        lines = []
        if arguments.out is not None:
            lines = result.printed.decode("utf-8", "replace").splitlines()
        lines.extend(_error_lines(result))
        if lines:
            return lines[-1]
    return str(arguments.out or "")


def _as_json(arguments: Namespace, result: Result) -> dict[str, object]:
    """Return an outcome, with what the verb tells in JSON, or else prints."""
    outcome: dict[str, object] = {
        "file": str(arguments.file),
        "out": None if arguments.out is None else str(arguments.out),
        "code": int(result.code),
        "unchanged": result.is_unchanged,
        "error": result.error,
        "messages": _message_lines(result),
    }
    text = result.printed.decode("utf-8", "replace")
    if text and arguments.json:
        outcome.update(read_json(text))
    elif text:
        outcome["printed"] = text
    return outcome
