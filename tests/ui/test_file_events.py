"""macOS asks a program by an event to open a file, and not by an argument: stood in for by Qt's own event."""

from pathlib import Path

from tests.recording.journal.crashes import python

ASKED = """
import sys
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QFileOpenEvent
from recorder_editor.ui import app

program = app.Program(app.application())
window = program.new_window()
QCoreApplication.sendEvent(app.application(), QFileOpenEvent(sys.argv[1]))
app.wait_for_jobs(window)
print(window.documents.path)
window.close_anyway()
"""


def test_a_file_that_macos_asks_for_is_opened(path: Path) -> None:
    done = python(ASKED, path)
    assert (done.stdout, done.returncode) == (f"{path}\n", 0), done.stderr
