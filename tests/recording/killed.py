"""Processes that save, and kill themselves without a word at one call of the system after another.

`python -m tests.recording.killed FOLDER WHEN HOW` makes FOLDER/1, FOLDER/2 ... and in each of them, in a
process of its own, edits `town.log`, writes what it then holds to `wanted`, and saves. In FOLDER/n the nth call is the
last one: it is killed `before` it, or in the `half` of it (a write; else behind it). HOW is `over` (the open file),
`as` (another file, `other.log`, that is there) or `windows` (as where open files cannot be replaced). With TERM or HUP
the verb `edit` writes `out.log`, and is sent that signal in the place of being killed; `code` tells its exit code.
It ends with the first process that was not killed, whose folder is the last one.
"""

import os
import signal
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import recorder_editor
from recorder_editor.cli import main as run_verb
from recorder_editor.recording import save as save_module
from recorder_editor.recording.save import System
from recorder_editor.termination import unwind_on_signals
from tests.recording.steps import DRIVE, content, turn

CALLS = ("open", "write", "fsync", "replace", "link", "unlink", "fchmod", "ftruncate")
OTHER = b"another file, that is there"


def count_calls(number: int, when: str, end: int = signal.SIGKILL) -> None:
    """From now on calls are counted, and at the one of this number the process gets a signal."""
    left = number

    def kill() -> None:
        os.kill(os.getpid(), end)

    def counted(call: Callable[..., Any], name: str, *arguments: Any, **named: Any) -> Any:
        nonlocal left
        left -= 1
        if left == 0 and when == "before":
            kill()
        if left == 0 and when == "half" and name == "write":
            call(arguments[0], bytes(arguments[1])[: len(arguments[1]) // 2])
            kill()
        result = call(*arguments, **named)
        if left == 0:
            kill()
        return result

    for name in CALLS:
        setattr(os, name, partial(counted, getattr(os, name), name))


def save_in(folder: Path, number: int, when: str, how: str) -> None:
    file, other = folder / "town.log", folder / "other.log"
    file.write_bytes(DRIVE)
    other.write_bytes(OTHER)
    os.environ["RECORDER_EDITOR_STATE_DIR"] = str(folder / "state")
    recording = recorder_editor.open(file)
    recording.keep_journal()
    recording.apply(turn(recording, 3))
    recording.apply(turn(recording, 9))
    (folder / "wanted").write_bytes(content(recording))
    assert recording.journal is not None
    recording.journal.flush()
    # Such a block that there are several writes.
    system = System(kernel_copy=False, replaces_open_files=how != "windows", block=len(DRIVE) // 3)
    setattr(save_module, "System", lambda: system)  # noqa: B010 - a type checker would not let it pass
    count_calls(number, when)
    recording.save(other if how == "as" else None, overwrite=True)
    recording.journal.flush()


def edit_in(folder: Path, number: int, when: str, how: str) -> None:
    file, code = folder / "town.log", 1
    file.write_bytes(DRIVE)
    change = ["--set", "Position: location.z = 1"]
    os.environ["RECORDER_EDITOR_STATE_DIR"] = str(folder / "state")
    run_verb(["edit", str(file), str(folder / "wanted"), *change])
    signal.signal(getattr(signal, f"SIG{how}"), signal.SIG_DFL)  # whoever started the tests may ignore it
    unwind_on_signals()
    with open(folder / "code", "w", encoding="ascii") as told:
        count_calls(number, when, getattr(signal, f"SIG{how}"))
        code = run_verb(["edit", str(file), str(folder / "out.log"), *change])
        told.write(str(code))
    if code:
        os._exit(1)


def main() -> None:
    folder, when, how = sys.argv[1:]
    status, number = 1, 0
    while status:
        number += 1
        place = Path(folder) / str(number)
        place.mkdir(parents=True)
        child = os.fork()
        if child == 0:
            try:
                (edit_in if how in ("TERM", "HUP") else save_in)(place, number, when, how)
            finally:
                os._exit(0)
        _, status = os.waitpid(child, 0)


if __name__ == "__main__":
    main()
