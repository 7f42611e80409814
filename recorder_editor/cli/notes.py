"""The notes of a recording, from NAME.notes.json beside it.

Example: recorder-editor notes a.log --json
"""

from argparse import Namespace

from ..recording.notes import NoteBook, other_notes
from ..sentences import say
from .files import Unreadable, open_input
from .output import frame_times, print_error, print_json, print_lines


def run(arguments: Namespace) -> None:
    """Print the notes, those whose frames are gone last."""
    with open_input(arguments.file, arguments.dialect) as recording:
        book, time_of = NoteBook(recording), frame_times(recording.snapshot)
        if book.error:
            raise Unreadable(book.error)
        other = None if book.items else other_notes(recording)
        if book.is_foreign or other is not None:
            print_error(say("recording.foreign_notes" if other is None else "recording.other_notes", path=other))
        places = (time_of(note.start if note.frames else len(recording)) for note in book.items)
        rows = [note.as_json() | place for note, place in zip(book.items, places, strict=True)]
        if arguments.json:
            print_json({"file": str(arguments.file), "notes": rows})
            return
        for row in rows:
            place = [f"{row['frame'] or '-'}" + (f"-{row['last']}" if "last" in row else "")]
            place += [f"{row['time']:.3f} s"] if isinstance(row["time"], float) else []
            place += [say("recording.note_actor", actor=row["actor"])] if "actor" in row else []
            tags = (f"#{tag}" for tag in row.get("tags", ()))
            print_lines(["  ".join([*place, " ".join(row["text"].split("\n")), *tags])])
