"""What can go wrong, said in whole sentences that a person can act on.

Errors of the operating system (a missing file, a full disk) pass through unchanged and are not listed here.
"""


class RecorderError(Exception):
    """A sentence about a recording, with the place it speaks of.

    Attributes: `message` (the sentence), `offset` (byte in the file or None), `frame` (counted from 1, or None),
    `field` (dotted path or None).
    """

    def __init__(
        self, message: str, *, offset: int | None = None, frame: int | None = None, field: str | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset
        self.frame = frame
        self.field = field

    def __str__(self) -> str:
        places = []
        if self.offset is not None:
            places.append(f"offset 0x{self.offset:06x}")
        if self.frame is not None:
            places.append(f"frame {self.frame}")
        if self.field is not None:
            places.append(f"field {self.field}")
        return f"{self.message} ({', '.join(places)})" if places else self.message


def os_error_text(error: OSError) -> str:
    """The file that an error of the operating system is about, where it has one, and the reason."""
    place = f"{error.filename}: " if error.filename else ""
    return f"{place}{error.strerror or error}"


def with_notes(sentence: str, error: BaseException) -> str:
    """The sentence, and the notes of an error behind it."""
    notes: list[str] = getattr(error, "__notes__", [])
    return " ".join([f"{sentence.rstrip('.')}.", *notes]) if notes else sentence


class FieldError(RecorderError):
    """A value does not fit the field it was meant for; nothing was changed."""


class EditError(RecorderError):
    """An edit cannot be made here, for the reason given; nothing was changed."""


class NothingToDo(EditError):
    """An edit would change nothing: the recording is already as it would make it."""


class WrongVersion(RecorderError):
    """An edit was made for another state of the recording than the present one."""


class SourceChanged(RecorderError):
    """The file was rewritten in place since it was opened: what was not read yet is gone."""


class SourceGrown(SourceChanged):
    """The file became longer since it was opened, as a recording does that is still written; what was there stands."""


class SourceReplaced(RecorderError):
    """Another file now stands under the name of the one that was opened; the old one is still readable."""


class SaveRefused(RecorderError):
    """Saving would destroy something, or wrote something other than it should; the target is as it was."""


class RestoreRefused(RecorderError):
    """Edits that a crash left behind cannot be applied, for the reason given; they are kept."""


class BuildError(RecorderError):
    """A line of a dump cannot be turned into bytes."""


class Cancelled(RecorderError):
    """The person (or the program) asked to stop; nothing was changed."""

    def __init__(self, message: str = "Cancelled.") -> None:
        super().__init__(message)
