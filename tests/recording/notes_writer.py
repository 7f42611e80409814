"""A process that adds notes to the file of a recording: `python -m tests.recording.notes_writer RECORDING NAME`.

For each line on its standard input it makes a note of that number, says `ready`, and writes it at the next line.
"""

import sys
from pathlib import Path

import recorder_editor
from recorder_editor.recording.note import Note
from recorder_editor.recording.notes import NoteBook


def answer(word: str) -> None:
    """Tell the test how far this is."""
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


def main(path: Path, name: str) -> None:
    with recorder_editor.open(path) as recording:
        book = NoteBook(recording)
        for line in sys.stdin:
            book.set(Note(f"{name} {line.strip()}", 2, 3))
            answer("ready")
            sys.stdin.readline()
            book.save()
            answer("written")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
