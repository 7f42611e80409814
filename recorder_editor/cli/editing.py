"""What verbs share that change one recording and write another: their arguments, and the way from IN to OUT."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..edits import Outcome, outcome
from ..edits.operations import Done
from ..errors import NothingToDo
from ..recording.history import Edit
from ..recording.recording import Recording
from ..recording.selectors import ChoiceError
from .files import WrongUsage, open_input, refuse_damaged, refuse_same
from .options import add_damaged, add_dialect, add_dry_run, add_output
from .output import number_as_json, print_lines, progress_bar


def add_files(parser: ArgumentParser) -> None:
    """IN, OUT, --dry-run, --backup, --damaged, --dialect."""
    parser.add_argument("file", type=Path, metavar="IN", help="a recording")
    add_output(parser)
    add_dry_run(parser)
    parser.add_argument("--backup", action="store_true", help="keep a file that OUT replaces as OUT.bak")
    add_damaged(parser)
    add_dialect(parser)


def add_range(parser: ArgumentParser) -> None:
    """--from, --to."""
    parser.add_argument("--from", dest="start", metavar="X", help="from here on: seconds (12.5) or a frame (#250)")
    parser.add_argument("--to", dest="stop", metavar="X", help="up to here, which is left out")


def add_clocks(parser: ArgumentParser) -> None:
    """--rebase-clocks."""
    parser.add_argument(
        "--rebase-clocks", action="store_true", help="let wall clock and visual time go on without a gap, too"
    )


@contextmanager
def edit_file(arguments: Namespace) -> Iterator[tuple[Recording, Callable[[Edit], object]]]:
    """IN, open, and what applies an edit to it; OUT is written when the block ends well, or told of with --dry-run.

    A damaged IN is refused without --damaged.
    """
    refuse_same(arguments.file, arguments.out)
    with open_input(arguments.file, arguments.dialect) as recording:
        refuse_damaged(recording, arguments.damaged)
        try:
            yield recording, recording.apply
        except ChoiceError as error:
            raise WrongUsage(error.message) from None
        if arguments.dry_run:
            print_lines([outcome_text(outcome(recording))])
        else:
            bar = progress_bar(f"Writing {arguments.out.name}")
            recording.save(arguments.out, backup=arguments.backup, progress=bar)


@dataclass(slots=True)
class EditLog:
    """The changes made so far: `edits`, `remarks` (sentences), `is_lossy` (something could not be kept)."""

    edits: list[Edit] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    is_lossy: bool = False

    def apply(self, recording: Recording, make: Callable[[], Done]) -> None:
        """Make an edit and apply it; that there is nothing to do for it is a remark, and no failure."""
        try:
            made = make()
        except NothingToDo as error:
            self.remarks.append(f"{error.message} Nothing is changed by that.")
            return
        recording.apply(made.edit)
        self.edits.append(made.edit)
        self.remarks += made.remarks
        self.is_lossy |= made.is_lossy


def outcome_text(found: Outcome) -> str:
    """The outcome as a line of text."""
    return f"{found.frames:,} frames, {found.seconds:.3f} s, {found.actors:,} actors, {found.size:,} bytes"


def outcome_as_json(found: Outcome | None) -> dict[str, Any]:
    """The outcome as JSON; all null where nothing is written."""
    if found is None:
        return {"frames": None, "seconds": None, "actors": None, "size": None}
    return {
        "frames": found.frames,
        "seconds": number_as_json(found.seconds),
        "actors": found.actors,
        "size": found.size,
    }
