"""The verb `notes`: the notes of a recording."""

from argparse import Namespace

from ..recording.notes import note_lines
from ..texts import N_, say
from . import options
from .files import open_input, read_notes
from .output import frame_times, print_error, print_json, print_lines
from .parsing import VerbParser

DESCRIPTION = N_(
    """\
Example: recorder-editor notes a.log --json"""
)


def add_arguments(parser: VerbParser) -> None:
    """Add the arguments of the verb."""
    options.add_recording(parser)
    options.add_json(parser)


def run(arguments: Namespace) -> None:
    """Print the notes, those of frames that are gone last."""
    with open_input(arguments.file, arguments.dialect) as recording:
        book = read_notes(recording)
        if not book.items:
            other = book.others()
            if other is not None:
                print_error(say("{path} has notes of the same content.", path=other))
            elif not arguments.json:
                print_error(say("No notes are kept beside {file}.", file=arguments.file.name))
        if not arguments.json:
            print_lines(note_lines(recording.snapshot))
            return
        time_of = frame_times(recording.snapshot)
        rows = []
        for note in book.items:
            # The program that reads it is to find the tags of the text, too.
            row = note._replace(tags=note.every_tag).as_json()
            row.update(time_of(note.start if note.frames else len(recording)))
            rows.append(row)
        print_json({"file": str(arguments.file), "notes": rows})
