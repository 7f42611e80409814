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
from ..terminal import toned
from ..texts import Measure, say
from .files import WrongUsage, open_input
from .output import Exit, number_as_json, print_error, print_lines, progress_bar


@dataclass
class EditedFile:
    """The recording of IN that is edited.

    Attributes:
        recording: The recording.
        losses: Those of the edits so far.
    """

    recording: Recording
    losses: list[LostPackets] = field(default_factory=list)

    def apply(self, edit: Edit) -> None:
        """Apply an edit."""
        self.recording.apply(edit)
        self.losses.extend(edit.losses)

    @property
    def code(self) -> Exit:
        """The exit code."""
        if self.losses:
            return Exit.LOSS
        return Exit.OK


def print_losses(name: str, losses: Iterable[LostPackets]) -> None:
    """Print what was lost to stderr.

    Args:
        name: The name of the file.
        losses: What was lost of it.
    """
    for loss in losses:
        print_error(toned(say("{name}: {message}", name=name, message=loss.message), name="warning"))


@contextmanager
def edit_file(arguments: Namespace) -> Iterator[EditedFile]:
    """Open IN and yield it, then write OUT, or print the outcome with --dry-run, and tell what was lost.

    Args:
        arguments: Those that `options.add_edited` adds.

    Raises:
        Unreadable: IN cannot be read.
        EditError: IN is damaged, without --damaged.
        WrongUsage: The body of the `with` statement raised `SelectorError`.
        OSError: OUT cannot be written.
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
    """The changes so far.

    Attributes:
        edits: The edits that were applied.
        remarks: Sentences about them.
        is_lossy: Something could not be kept.
    """

    edits: list[Edit] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    is_lossy: bool = False

    def apply(self, recording: Recording, make: Callable[[], OperationResult]) -> None:
        """Make and apply an edit; `NothingToDo` becomes a remark.

        Args:
            recording: The recording that is edited.
            make: Returns the edit.

        Raises:
            RecorderError: What `make` raises.
        """
        try:
            result = make()
        except NothingToDo as error:
            self.remarks.append(say("{message} Nothing is changed by that.", message=error.message))
            return
        recording.apply(result.edit)
        self.edits.append(result.edit)
        self.remarks.extend(result.remarks)
        self.is_lossy |= result.is_lossy


def outcome_text(size: RecordingSize) -> str:
    """Return the size of an edited recording as a line of text."""
    return f"{size.frames:,} frames, {Measure(size.seconds):.3f} s, {size.actors:,} actors, {size.size:,} bytes"


def outcome_as_json(size: RecordingSize | None) -> dict[str, object]:
    """Return the size of an edited recording as JSON values; all null if nothing is written."""
    if size is None:
        return dict.fromkeys(("frames", "seconds", "actors", "size"))
    return asdict(size) | {"seconds": number_as_json(size.seconds)}
