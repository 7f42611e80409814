"""Files of packets that are given with a recording (`--schema`): the window reads it with them, and its commands do."""

import json
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from recorder_editor import edits
from recorder_editor.cli import main
from recorder_editor.edits.operations.actors import SET_ROLE
from recorder_editor.edits.script import save_script
from recorder_editor.format.packet_file import PacketFile
from recorder_editor.format.packet_files import read_packet_file
from recorder_editor.ui.app import Program, screenshot
from recorder_editor.ui.dialogs.append import AppendDialog
from recorder_editor.ui.dialogs.convert import ConvertDialog
from recorder_editor.ui.dialogs.export import ExportDialog
from recorder_editor.ui.dialogs.form import FormDialog
from recorder_editor.ui.dialogs.operation import form_spec
from recorder_editor.ui.dialogs.preview import PreviewDialog
from recorder_editor.ui.dialogs.replace import ReplaceDialog
from recorder_editor.ui.dialogs.replay import ReplayDialog
from recorder_editor.ui.dialogs.script import RunScriptDialog
from recorder_editor.ui.dialogs.split import SplitDialog
from recorder_editor.ui.panes.repair.repair_pane import RepairPane
from recorder_editor.ui.session import Session
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import TRIM
from recorder_editor.ui.style.theme import Theme

from .. import builders as b
from ..edits.cargo import USERS_FILE, USERS_NUMBER, bytes_of
from .windows import OpenWindow, data_of, idle

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


# --- commands ---------------------------------------------------------------------------------------------------


@pytest.fixture
def opened(session: Session, path: Path, given: PacketFile) -> Session:
    session.give_packets(path, [given])
    session.open(path)
    return session


@pytest.fixture
def show(opened: Session, theme: Theme, qtbot: QtBot) -> Iterator[Callable[..., PreviewDialog]]:
    """Makes a dialog of the recording."""
    dialogs: list[PreviewDialog] = []

    def make(kind: Callable[..., PreviewDialog], *more: object) -> PreviewDialog:
        dialogs.append(kind(opened, theme, *more))
        idle(dialogs[-1], qtbot)
        return dialogs[-1]

    yield make
    for dialog in dialogs:
        dialog.reject()
        dialog.deleteLater()


def test_each_dialog_copies_a_command_with_it(
    show: Callable[..., PreviewDialog], opened: Session, other: Path, schema: Path, qtbot: QtBot
) -> None:
    ending = f" --schema {schema}"
    assert show(SplitDialog).command_line().endswith(ending)
    assert show(ExportDialog).command_line().endswith(ending)
    assert show(ConvertDialog).command_line().endswith(ending)
    assert show(ReplayDialog, None).command_line().endswith(ending)
    naming = show(FormDialog, form_spec(opened, SET_ROLE, opened.actors.of_id(7)))
    assert naming.command_line() == f"recorder-editor edit own.log own-edited.log --set-role 7={ending}"
    replacing = show(ReplaceDialog)
    assert isinstance(replacing, ReplaceDialog)
    replacing.line.setText("Cargo: mass = 3")
    qtbot.waitUntil(lambda: bool(replacing.command_line()))
    assert replacing.command_line() == f"recorder-editor edit own.log own-edited.log --set 'Cargo: mass = 3'{ending}"
    script = other.with_name("edits.json")
    script.write_text(save_script([]).text, encoding="utf-8")
    running = show(RunScriptDialog)
    assert isinstance(running, RunScriptDialog)
    running.read(script)
    assert running.command_line() == f"recorder-editor run edits.json own.log own-edited.log{ending}"
    appending = show(AppendDialog, other)
    qtbot.waitUntil(lambda: bool(appending.command_line()))
    assert appending.command_line() == f"recorder-editor join own.log other.log own-joined.log{ending}"


def test_a_damaged_recording_is_repaired_with_it(
    session: Session, path: Path, given: PacketFile, schema: Path, theme: Theme, qtbot: QtBot
) -> None:
    path.write_bytes(path.read_bytes()[:-3])
    session.give_packets(path, [given])
    session.open(path)
    pane = RepairPane(session, theme)
    qtbot.addWidget(pane)
    qtbot.waitUntil(lambda: bool(pane.command_line()))
    assert pane.command_line() == f"recorder-editor repair own.log own-repaired.log --schema {schema}"


def test_the_command_of_the_pane_does_the_same(
    open_window: OpenWindow, path: Path, given: PacketFile, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window(path, packets=[given])
    window.panes.set_preset("trim")
    idle(window, qtbot)
    window.session.range.set(1, 3)
    words = shlex.split(window.panes.get(TRIM).command_line())
    monkeypatch.chdir(path.parent)
    assert main(words[1:]) == 0
    window.registry.run("range.trim")
    idle(window, qtbot)
    assert Path(words[3]).read_bytes() == data_of(window)


def test_a_file_beside_the_recording_is_named_without_its_folder(
    session: Session, path: Path, schema: Path, theme: Theme, qtbot: QtBot
) -> None:
    beside = path.with_name("own.packets.json")
    beside.write_text(json.dumps(json.loads(schema.read_bytes())), encoding="utf-8")
    session.give_packets(path, [read_packet_file(beside)])
    session.open(path)
    dialog = SplitDialog(session, theme)
    assert dialog.command_line().endswith(" --schema own.packets.json")
    dialog.reject()
    dialog.deleteLater()
