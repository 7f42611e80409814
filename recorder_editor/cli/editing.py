"""Arguments and steps that the editing verbs share: IN is opened, edited, and written as OUT."""

from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field

from ..edits import RecordingSize, outcome
from ..edits.operations import OperationResult
from ..errors import NothingToDo
from ..reading import SelectorError
from ..recording import Edit, LostPackets, Recording
from ..texts import Measure, say
from .files import WrongUsage, open_input
from .output import Exit, number_as_json, print_error, print_lines, progress_bar


@dataclass
class EditedFile:
    """The recording of IN that is edited.

    Attributes: `recording`, `losses` (of the edits so far).
    """

    recording: Recording
    losses: list[LostPackets] = field(default_factory=list)

    def apply(self, edit: Edit) -> None:
        """Apply an edit."""
        self.recording.apply(edit)
        self.losses += edit.losses

    @property
    def code(self) -> Exit:
        """The exit code."""
        if self.losses:
            return Exit.LOSS
        return Exit.OK


def print_losses(name: str, losses: Iterable[LostPackets]) -> None:
    """Print what was lost to stderr, with the name of the file."""
    for loss in losses:
        print_error(f"{name}: {loss.message}")


@contextmanager
def edit_file(arguments: Namespace) -> Iterator[EditedFile]:
    """Open IN and yield it, then write OUT, or print the outcome with --dry-run, and tell what was lost.

    Raises `EditError` for a damaged IN without --damaged, `WrongUsage` for a `SelectorError`.
    """
    with open_input(arguments.file, arguments.dialect, damaged=arguments.damaged) as recording:
        edited = EditedFile(recording)
        try:
            yield edited
        except SelectorError as error:
            raise WrongUsage(error.message) from None
        if arguments.dry_run:
            print_lines([outcome_text(outcome(recording))])
        else:
            bar = progress_bar(f"Writing {arguments.out.name}")
            recording.save(arguments.out, backup=arguments.backup, overwrite=arguments.overwrite, progress=bar)
        print_losses(arguments.file.name, edited.losses)


@dataclass(slots=True)
class EditLog:
    """The changes so far: `edits`, `remarks` (sentences), `is_lossy` (something could not be kept)."""

    edits: list[Edit] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    is_lossy: bool = False

    def apply(self, recording: Recording, make: Callable[[], OperationResult]) -> None:
        """Make and apply an edit; `NothingToDo` becomes a remark."""
        try:
            made = make()
        except NothingToDo as error:
            self.remarks.append(say("{message} Nothing is changed by that.", message=error.message))
            return
        recording.apply(made.edit)
        self.edits.append(made.edit)
        self.remarks += made.remarks
        self.is_lossy |= made.is_lossy


def outcome_text(found: RecordingSize) -> str:
    """The outcome as a line of text."""
    return f"{found.frames:,} frames, {Measure(found.seconds):.3f} s, {found.actors:,} actors, {found.size:,} bytes"


def outcome_as_json(found: RecordingSize | None) -> dict[str, object]:
    """The outcome as JSON values; all null if nothing is written."""
    if found is None:
        return dict.fromkeys(("frames", "seconds", "actors", "size"))
    return asdict(found) | {"seconds": number_as_json(found.seconds)}
