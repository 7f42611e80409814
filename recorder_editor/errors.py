"""The exceptions of this package; their messages are sentences for users, which `say` makes.

Errors of the operating system (a missing file, a full disk) are raised unchanged and not listed here.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from .texts import N_, listed, say, say_again, say_count

_KINDS_OF_FILES = {
    "file": N_("a file"),
    "notes": N_("notes"),
    "packets": N_("a table of packets"),
    "recording": N_("a recording"),
    "segments": N_("a list of segments"),
    "workspace": N_("a workspace"),
}
_FILES_NAMED = 5  # of many, so that the sentence fits on a screen


class RecorderError(Exception):
    """An error in or with a recording, and where it is.

    Attributes:
        message: The sentence.
        offset: The byte in the file, or None.
        frame: The frame, counted from 1, or None.
        field: The dotted path of the field, or None.
    """

    _places: ClassVar[Mapping[str, str]] = {
        "offset": N_("offset 0x{at:06x}"),
        "frame": N_("frame {at}"),
        "field": N_("field {at}"),
    }
    """The phrase for each attribute that names a place."""

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
        for name, phrase in self._places.items():
            value = vars(self)[name]
            if value not in (None, ""):
                places.append(say(phrase, at=value))
        message = say_again(self.message)
        if places:
            return say("{message} ({place})", message=message, place=listed(places))
        return message


def os_error_text(error: OSError) -> str:
    """The file name, if any, and the reason of an error of the operating system."""
    if error.filename:
        return say("{file}: {reason}", file=error.filename, reason=reason_of(error))
    return reason_of(error)


def reason_of(error: OSError) -> str:
    """The reason of an error of the operating system, without the file name."""
    return say(error.strerror or str(error))


def with_notes(sentence: str, error: BaseException) -> str:
    """The sentence, followed by the notes of an exception."""
    notes = [say_again(note) for note in getattr(error, "__notes__", [])]
    if not notes:
        return sentence
    if not sentence.endswith((".", "。")):
        sentence = say("{text}.", text=sentence)
    return listed([sentence, *notes], "sentences")


def error_sentence(error: Exception) -> str:
    """The sentence of an error that stopped something, followed by its notes."""
    if isinstance(error, RecorderError):
        return with_notes(error.message, error)
    if isinstance(error, OSError):
        return with_notes(say("{text}.", text=os_error_text(error).rstrip(".。")), error)
    return str(error)


class FieldError(RecorderError):
    """A value does not fit its field; nothing was changed."""


class PacketNameError(RecorderError, KeyError):
    """A text names no packet of a dialect."""

    def __str__(self) -> str:
        return say_again(self.message)  # not in quotes, as that of a KeyError


class EditError(RecorderError):
    """An edit cannot be made; nothing was changed."""


class NothingToDo(EditError):
    """An edit would change nothing."""


class WrongVersion(RecorderError):
    """An edit was made for another state of the recording than the current one."""


class SourceChanged(RecorderError):
    """The file was rewritten in place since it was opened; what was not read yet is lost."""


class SourceGrown(SourceChanged):
    """The file has grown since it was opened, as while it is recorded; the earlier bytes are unchanged."""


class SourceReplaced(RecorderError):
    """Another file now has the path of the opened one, which is still readable."""


class SaveRefused(RecorderError):
    """Saving would destroy data, or did not verify; the target is unchanged."""


class FileBusy(SaveRefused):
    """Another window or process of this program is writing the target."""


class FileChanged(SaveRefused):
    """Another program changed, made or removed the target while it was written."""


class WouldReplace(SaveRefused):
    """Files would be replaced although that was not asked for; nothing was written.

    Attributes:
        files: The files, each with what it is, as `recording.existing` calls it.
    """

    def __init__(self, files: Sequence[tuple[Path, str]]) -> None:
        kind, paths = self._description(files)
        if len(files) == 1:
            message = say(
                "{files} exists already ({kind}), and is only replaced where that is asked for (overwrite). "
                "Choose another name.",
                files=paths,
                kind=kind,
            )
        else:
            message = say_count(
                "{count:,} file exists already, and is only replaced where that is asked for (overwrite): {files}. "
                "Choose another name.",
                "{count:,} files exist already, and are only replaced where that is asked for (overwrite): {files}. "
                "Choose other names.",
                count=len(files),
                files=paths,
            )
        super().__init__(message)
        self.files = tuple(files)

    @property
    def command_line_message(self) -> str:
        """The sentence for a command line, which names the option that replaces the files."""
        kind, paths = self._description(self.files)
        if len(self.files) == 1:
            return say("{files} exists already ({kind}); give --overwrite to replace it.", files=paths, kind=kind)
        return say_count(
            "{count:,} file exists already: {files}; give --overwrite to replace it.",
            "{count:,} files exist already: {files}; give --overwrite to replace them.",
            count=len(self.files),
            files=paths,
        )

    @staticmethod
    def _description(files: Sequence[tuple[Path, str]]) -> tuple[str, str]:
        """The kind of the first of some files, and the paths of the first ones in a list."""
        paths = [str(path) for path, _ in files[:_FILES_NAMED]]
        if len(files) > _FILES_NAMED:
            paths.append(say("and {more:,} more", more=len(files) - _FILES_NAMED))
        _, first_kind = files[0]
        return say(_KINDS_OF_FILES[first_kind]), listed(paths)


class RestoreRefused(RecorderError):
    """Edits from a crashed session cannot be restored; their journal is kept."""


class BuildError(RecorderError):
    """A line of a dump cannot be encoded."""


class MapError(RecorderError):
    """A road map cannot be read.

    Attributes:
        line: The line in the file, from 1, or None.
        element: The name of the XML element, or empty.
    """

    _places: ClassVar[Mapping[str, str]] = {"line": N_("line {at}"), "element": N_("element <{at}>")}

    def __init__(self, message: str, *, line: int | None = None, element: str = "") -> None:
        super().__init__(message)
        self.line = line
        self.element = element


class Cancelled(RecorderError):
    """The operation was cancelled; nothing was changed."""

    def __init__(self, message: str = "") -> None:
        super().__init__(message or say("Cancelled."))
