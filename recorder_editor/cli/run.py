"""An edit script, as saved by the window, applied to one recording or to many.

Times are seconds, and actors are found by role name, id or blueprint, so that a script fits other
recordings. With --out-dir each file is written there under its own name; a file for which a step fails is reported and
not written, and the others continue. The exit code is the worst one: 1 failed, 3 something could not be kept.
Example: recorder-editor run edits.json one.log two.log --out-dir edited --workers 2
"""

import os
import signal
import sys
import threading
from argparse import Namespace
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from io import StringIO
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from ..edits import RecordingSize, outcome
from ..edits.script import Script, ScriptError, perform, read_script
from ..errors import EditError, RecorderError, os_error_text, say
from ..progress import SILENT
from ..recording import Recording
from ..termination import initialize_worker
from .editing import EditLog, outcome_as_json, outcome_text
from .files import Unreadable, WrongUsage, damage_lines, open_input, refuse_damaged, refuse_same
from .output import Exit, print_error, print_json, print_lines, progress_bar

_BY_SEVERITY = (Exit.OK, Exit.LOSS, Exit.FAILED, Exit.WRONG_USAGE)


@dataclass(frozen=True, slots=True)
class Job:
    """The work for one file, with the arguments of all; picklable."""

    file: Path
    out: Path
    script: Script
    arguments: Namespace


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of a file.

    Attributes: `job`, `code`, `error` (a sentence that names the file, None without an error), `damage` (lines),
    `remarks` (what a step could not keep, or need not do), `outcome` (of what was or would be written; None if
    nothing was).
    """

    job: Job
    code: Exit
    error: str | None = None
    damage: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    outcome: RecordingSize | None = None


def run(arguments: Namespace) -> Exit:
    """Write what the script makes of the files."""
    pairs = _pairs(arguments)
    script = _script(arguments.script)
    for label in script.left_out:
        print_error(say("cli.is_left_out_it_belongs_to", name=arguments.script.name, label=label))
    if not script.steps:
        print_error(say("cli.the_script_holds_no_step_so", name=arguments.script.name))
    if arguments.out_dir is not None and not arguments.dry_run:
        arguments.out_dir.mkdir(parents=True, exist_ok=True)
    jobs = [Job(*pair, script, arguments) for pair in pairs]
    # With several processes, progress counts files: their own bars would overwrite each other.
    several = min(arguments.workers, len(jobs)) > 1
    bar = progress_bar(f"{arguments.script.name}: {len(jobs)} files") if several else SILENT
    reports: list[Report] = []
    for report in run_jobs(jobs, arguments.workers):
        reports.append(report)
        bar.update(len(reports), len(reports))  # clears the line before others are printed
        _print_report(report)
        if len(reports) < len(jobs):
            bar.update(len(reports), len(jobs))
    if arguments.json:
        print_json(
            {
                "script": str(arguments.script),
                "left_out": list(script.left_out),
                "files": [_report_as_json(report) for report in reports],
            }
        )
    return max((report.code for report in reports), key=_BY_SEVERITY.index)


# --- arguments ------------------------------------------------------------------------------------------


def _pairs(arguments: Namespace) -> list[tuple[Path, Path]]:
    """The input and output paths. Raises `WrongUsage` if an output would replace an input or another output."""
    files: list[Path] = arguments.files
    if arguments.out_dir is None:
        if len(files) != 2:
            raise WrongUsage(say("cli.name_in_and_out_or_a"))
        pairs = [(files[0], files[1])]
    else:
        pairs = [(file, arguments.out_dir / file.name) for file in files]
    inputs = {os.path.realpath(file) for file, _ in pairs} | {os.path.realpath(arguments.script)}
    taken: dict[str, Path] = {}
    for file, out in pairs:
        refuse_same(file, out)
        place = os.path.realpath(out)
        if place in inputs:
            raise WrongUsage(say("cli.is_an_input_itself_give_another", out=out))
        if os.path.normcase(place) in taken:
            raise WrongUsage(
                say("cli.and_would_both_be_written_to", taken=taken[os.path.normcase(place)], file=file, out=out)
            )
        taken[os.path.normcase(place)] = file
    return pairs


def _script(path: Path) -> Script:
    try:
        return read_script(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise Unreadable(f"{path}: {error.strerror or error}.") from None
    except UnicodeDecodeError:
        raise Unreadable(say("cli.this_is_not_an_edit_script", path=path)) from None
    except ScriptError as error:
        raise Unreadable(f"{path}: {error}") from None


# --- execution ------------------------------------------------------------------------------------------


def run_jobs(jobs: Sequence[Job], workers: int) -> Iterator[Report]:
    """The reports of all jobs, in order, from so many processes."""
    if min(workers, len(jobs)) == 1:
        yield from map(run_job, jobs)
        return
    pool = ProcessPoolExecutor(min(workers, len(jobs)), mp_context=get_context("spawn"), initializer=_start_worker)
    try:
        with _ignore_interrupts():
            futures = [pool.submit(run_job, job) for job in jobs]
        for job, future in zip(jobs, futures, strict=True):
            try:
                yield future.result()
            except BrokenProcessPool:
                yield Report(job, Exit.FAILED, say("cli.the_process_that_worked_on_it"))
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _ignore_interrupts() -> Iterator[None]:
    """Ignore Ctrl+C, also in processes started meanwhile, until they have their own handlers."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _start_worker() -> None:
    """Initialize a worker process: it prints nothing, since progress bars of several would overwrite each other."""
    sys.stderr = StringIO()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    initialize_worker()


def run_job(job: Job) -> Report:
    """Run a job; errors are in the report."""
    arguments, log = job.arguments, EditLog()
    damage: list[str] = []

    def report(code: Exit, error: str | None = None, found: RecordingSize | None = None) -> Report:
        return Report(job, code, error, tuple(damage), tuple(log.remarks), found)

    try:
        with open_input(job.file, arguments.dialect, quiet=True, xodr=arguments.xodr) as recording:
            damage += damage_lines(recording)
            refuse_damaged(recording, arguments.damaged)
            _run_steps(job, recording, log)
            if not arguments.dry_run:
                recording.save(job.out, progress=progress_bar(f"Writing {job.out.name}"))
            return report(Exit.LOSS if log.is_lossy else Exit.OK, found=outcome(recording))
    except Unreadable as error:
        return report(Exit.WRONG_USAGE, str(error))
    except RecorderError as error:
        return report(Exit.FAILED, str(error))
    except OSError as error:
        return report(Exit.FAILED, os_error_text(error))


def _run_steps(job: Job, recording: Recording, log: EditLog) -> None:
    """Apply the steps of the script."""
    steps = job.script.steps
    for index, step in enumerate(steps, 1):
        bar = progress_bar(f"{job.file.name}: {step.name}")
        try:
            log.apply(recording, partial(perform, recording.snapshot, step, bar))
        except RecorderError as error:
            name = job.file.name
            raise EditError(f"{name}: Step {index} of {len(steps)}, “{step.name}”, cannot be done: {error}") from None


# --- reports --------------------------------------------------------------------------------------------


def _print_report(report: Report) -> None:
    job, arguments = report.job, report.job.arguments
    for line in report.damage:
        print_error(line)
    for remark in report.remarks:
        print_error(f"{job.file.name}: {remark}")
    if report.error is not None:
        print_error(report.error)
    elif not arguments.json and report.outcome is not None:
        if arguments.out_dir is not None:
            print_lines([f"{job.out}: {outcome_text(report.outcome)}"])
        elif arguments.dry_run:
            print_lines([outcome_text(report.outcome)])


def _report_as_json(report: Report) -> dict[str, Any]:
    return {
        "file": str(report.job.file),
        "out": str(report.job.out),
        "code": int(report.code),
        "error": report.error,
        "damage": list(report.damage),
        "remarks": list(report.remarks),
        **outcome_as_json(report.outcome),
    }
