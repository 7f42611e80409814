"""The program asks nothing of a network: no update, no report, no address is looked up unless somebody asks for it."""

from pathlib import Path

from tests.recording.journal.crashes import python
from tests.recording.steps import linux

WATCHED = """
import sys
from pathlib import Path

def watch(event, arguments):
    is_local = event == "socket.__new__" and arguments[1] == socket.AF_UNIX
    if event.partition(".")[0] in ("socket", "urllib", "http", "ftplib", "smtplib") and not is_local:
        print(event, arguments, flush=True)

import socket
sys.addaudithook(watch)
"""
WINDOW = """
from PySide6.QtCore import QTimer
from recorder_editor.ui import app
from recorder_editor.ui.session import debounce
from tests.recording.steps import turn

debounce.MS_OF_REST = debounce.MS_OF_OPENING = 0
recorder = app.Program(app.application())
window = recorder.new_window()
window.session.open(Path(sys.argv[1]))
app.wait_for_jobs(window)
window.session.editing.apply(turn(window.session.recording, 3))
for name in ("help.about", "help.report", "help.guide", "file.preferences", "file.save"):
    window.registry.run(name)
    app.settle()
app.wait_for_jobs(window)
with recorder.ending_on_signals():
    window.close_anyway()
"""
AT_THE_END = """
print(*(word for word in ("Qt6Network", "libssl") if word in Path("/proc/self/maps").read_text()))
"""


ASKED = """
from socket import create_server
create_server(("127.0.0.1", 0)).close()
"""


@linux
def test_no_socket_is_opened_unasked(path: Path) -> None:
    done = python(f"{WATCHED}{WINDOW}{AT_THE_END}", path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []


@linux
def test_a_socket_is_seen() -> None:
    done = python(f"{WATCHED}{ASKED}")
    assert done.returncode == 0, done.stderr
    assert "socket.bind" in done.stdout
