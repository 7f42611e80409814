"""Files of packets that are given with a recording (`--schema`): the window reads it with them."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from recorder_editor import edits
from recorder_editor.format.packet_file import PacketFile
from recorder_editor.format.packet_files import read_packet_file
from recorder_editor.ui.app import Program, screenshot
from recorder_editor.ui.session import Session
from recorder_editor.ui.shell.main_window import MainWindow

from .. import builders as b
from ..edits.cargo import USERS_FILE, USERS_NUMBER, bytes_of
from .windows import OpenWindow, idle

UNKNOWN = f"Unknown {USERS_NUMBER}"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A car that is loaded in the first of four frames, and in the third."""
    born = b.packet(2, b.event_add([b.actor(7, 1, "vehicle.tesla.model3")]))
    loaded = b.packet(USERS_NUMBER, b.u16(1) + bytes_of(7, 10.0))
    packets = [[born, loaded], [], [loaded], []]
    path = tmp_path / "drives" / "own.log"
    path.parent.mkdir()
    path.write_bytes(b.recording(*(b.frame(n + 1, 0.1 * n, packets=each) for n, each in enumerate(packets))))
    return path


@pytest.fixture
def other(path: Path) -> Path:
    """Another recording of the same bytes."""
    other = path.with_name("other.log")
    other.write_bytes(path.read_bytes())
    return other


@pytest.fixture
def schema(tmp_path: Path) -> Path:
    """A file of packets that is found by nobody."""
    path = tmp_path / "schemas" / "cargo.packets.json"
    path.parent.mkdir()
    path.write_bytes(USERS_FILE.content)
    return path


@pytest.fixture
def given(schema: Path) -> PacketFile:
    return read_packet_file(schema)


def name_in(session: Session) -> str:
    return session.snapshot_or_refuse().dialect.packet(USERS_NUMBER).name


def read(window: MainWindow, qtbot: QtBot) -> str:
    """Wait until the recording is read; returns the name of the packet in it."""
    qtbot.waitUntil(lambda: not window.documents.is_busy and window.session.is_complete)
    idle(window, qtbot)
    return name_in(window.session)


def test_it_holds_for_the_recording_in_the_window_and_for_no_other(
    open_window: OpenWindow, path: Path, other: Path, schema: Path, given: PacketFile, qtbot: QtBot
) -> None:
    window = open_window(path, packets=[given])
    idle(window, qtbot)
    assert name_in(window.session) == "Cargo"
    assert not window.packets_notice.isVisible()
    window.documents.open(other)
    assert read(window, qtbot) == UNKNOWN
    window.documents.open(path)
    assert read(window, qtbot) == "Cargo"
    window.documents.compare(other)
    qtbot.waitUntil(lambda: window.session.comparison.other is not None)
    assert window.session.comparison.other is not None
    assert window.session.comparison.other.dialect.packet(USERS_NUMBER).name == "Cargo", "as by diff"
    assert window.session.comparison.result is not None
    assert not window.session.comparison.result.differ


def test_a_file_that_was_changed_is_read_again_with_the_recording(
    session: Session, path: Path, schema: Path, given: PacketFile, qtbot: QtBot
) -> None:
    session.give_packets(path, [given])
    session.open(path)
    schema.write_bytes(given.content.replace(b'"Cargo"', b'"Freight"'))
    session.reload_later(pytest.fail)
    qtbot.waitUntil(lambda: name_in(session) == "Freight")
    schema.write_bytes(given.content)
    session.editing.describe_packets()
    assert name_in(session) == "Cargo"
    schema.write_bytes(b"{")
    session.editing.describe_packets()
    assert name_in(session) == "Cargo"
    assert session.recording is not None
    assert session.recording.context.packets.remarks[0].startswith("cargo.packets.json, line 1: ")
    schema.unlink()
    session.editing.save(path.with_name("renamed.log"))
    session.show_none()
    session.open(path.with_name("renamed.log"))
    assert name_in(session) == "Cargo"


@pytest.mark.parametrize("is_edited", [False, True])
def test_a_reopened_window_still_has_it(
    program: Program, path: Path, given: PacketFile, qtbot: QtBot, is_edited: bool
) -> None:
    window = program.new_window()
    window.session.give_packets(path, [given])
    window.documents.open(path)
    assert read(window, qtbot) == "Cargo"
    if is_edited:
        window.session.editing.apply(edits.delete_rows(window.session.snapshot_or_refuse(), 3))
    program.reopen(window)
    qtbot.waitUntil(lambda: program.windows != [window] and len(program.windows) == 1)
    (window,) = program.windows
    assert read(window, qtbot) == "Cargo"
    assert window.session.is_modified == is_edited
    window.session.editing.describe_packets()
    assert name_in(window.session) == "Cargo"


def test_a_picture_shows_it(path: Path, given: PacketFile, tmp_path: Path) -> None:
    pictures = []
    for packets in ([], [given]):
        out = tmp_path / f"{len(packets)}.png"
        screenshot(path, out, size=(1000, 640), packets=packets)
        pictures.append(out.read_bytes())
    assert pictures[0] != pictures[1]
