"""Copying from every pane by the same keys: text, CSV and HTML of what is selected or shown, and pictures."""

import csv
import io
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QMenu, QWidget
from pytestqt.qtbot import QtBot

from recorder_editor.recording import Place
from recorder_editor.ui.panes.bytes.copied_bytes import as_text
from recorder_editor.ui.panes.signals.signal_parts import HISTOGRAM, OVER_TIME, STATISTICS, XY
from recorder_editor.ui.session.clipboard import copied_actor
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import (
    ACTORS,
    ATTRIBUTES,
    BYTES,
    DIFFERENCES,
    HISTORY,
    NOTES,
    PACKETS,
    PANES,
    PROBLEMS,
    SCENE,
    SIGNALS,
    TIMELINE,
)
from recorder_editor.ui.shell.panes import PaneSpec
from recorder_editor.ui.widgets.copied import CSV, copied_table
from recorder_editor.ui.widgets.pane import Pane
from recorder_editor.views.signal_key import Key

from .windows import OpenWindow, bring_up, idle

KEYS = Qt.Key
CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
FRAME = 10
FIRST = 100
"""The id of the first vehicle, which is 4 m before the next one and has driven 5 m in the frame."""


@pytest.fixture
def window(open_window: OpenWindow, path: Path, qtbot: QtBot) -> MainWindow:
    window = open_window(path)
    window.resize(1440, 900)
    bring_up(window, qtbot)
    idle(window, qtbot)
    window.session.selection.go_to_frame(FRAME)
    return window


def shown(window: MainWindow, spec: PaneSpec[Pane], widget: QWidget) -> QWidget:
    """A widget of a pane, to be seen and with the keyboard."""
    if spec.placement is not None:
        window.panes.show(spec.name)
    widget.setFocus()
    assert widget.hasFocus()
    return widget


def copied(window: MainWindow, spec: PaneSpec[Pane], widget: QWidget, qtbot: QtBot) -> list[list[str]]:
    """Press Ctrl+C in a widget, and read the table from the clipboard: its three forms tell the same."""
    QGuiApplication.clipboard().clear()
    qtbot.keyClick(shown(window, spec, widget), KEYS.Key_C, CONTROL)
    data = QGuiApplication.clipboard().mimeData()
    lines = list(csv.reader(io.StringIO(bytes(data.data(CSV).data()).decode())))
    assert [line.split("\t") for line in data.text().split("\n")] == lines
    assert data.html().count("<tr>") == len(lines)
    rows = len(lines) - 1
    assert window.session.messages[-1] == (f"Copied {rows:,} rows as CSV" if rows > 1 else "Copied 1 row as CSV")
    assert window.status.note.isVisible()
    return lines


def picture(window: MainWindow, spec: PaneSpec[Pane], widget: QWidget, qtbot: QtBot) -> QImage:
    """Press Ctrl+Shift+C in a widget."""
    QGuiApplication.clipboard().clear()
    qtbot.keyClick(shown(window, spec, widget), KEYS.Key_C, CONTROL | SHIFT)
    image = QGuiApplication.clipboard().image()
    assert f"Copied a picture of {image.width()} × {image.height()} pixels" == window.session.messages[-1]
    return image


def test_panes_are_copied_as_tables(window: MainWindow, subtests: pytest.Subtests, qtbot: QtBot) -> None:
    session = window.session
    with subtests.test("Actors: all rows, or the selected ones"):
        actors = window.panes.get(ACTORS)
        window.panes.show(ACTORS.name)
        lines = copied(window, ACTORS, actors.table, qtbot)
        assert [line[0] for line in lines] == ["Id", "100", "101", "102"]
        assert lines[0][6] == "Distance [m]"
        assert float(lines[1][6]) == pytest.approx(19.5)
        actors.table.selectRow(1)
        assert copied(window, ACTORS, actors.table, qtbot) == [lines[0], lines[2]]
    with subtests.test("one actor is copied as an actor, too, which Paste takes"):
        actor = copied_actor()
        assert actor is not None
        assert (actor.actor, actor.born) == (101, 0)
        assert window.registry.is_enabled("actor.paste")
    with subtests.test("the scene: the selected actor, or all road users"):
        view = window.panes.get(SCENE).view
        lines = copied(window, SCENE, view, qtbot)
        assert lines[0] == ["Id", "Blueprint", "Role", "x [m]", "y [m]", "z [m]", "Heading [°]", "Speed [m/s]"]
        assert [line[0] for line in lines[1:]] == ["101"]
        assert [float(cell) for cell in lines[1][3:5]] == pytest.approx([5.0, 4.0])
        assert float(lines[1][7]) == pytest.approx(10.0)
        session.selection.go_to_frame(FRAME)
        session.selection.select(Place(FRAME))
        assert [line[0] for line in copied(window, SCENE, view, qtbot)[1:]] == ["100", "101", "102"]


def test_what_is_selected_is_copied(window: MainWindow, subtests: pytest.Subtests, qtbot: QtBot) -> None:
    session = window.session
    with subtests.test("Packets: the packets of a frame, the records of a packet, the fields of a record"):
        tree = window.panes.get(PACKETS).tree
        lines = copied(window, PACKETS, tree, qtbot)
        assert lines[0] == ["Packet", "Id", "Records", "Bytes"]
        assert next(line[:3] for line in lines if line[1] == "6") == ["Position", "6", "3"]
        position = Place(FRAME, next(n for n, line in enumerate(lines[1:]) if line[1] == "6"))
        session.selection.select(position)
        lines = copied(window, PACKETS, tree, qtbot)
        assert lines[0][:3] == ["id", "location.x [cm]", "location.y [cm]"]
        assert [line[0] for line in lines[1:]] == ["100", "101", "102"]
        session.selection.select(position._replace(record=2, field="location.y"))
        assert copied(window, PACKETS, tree, qtbot) == [["location.y [cm]"], ["800.0"]]
        session.selection.select(Place(-1))
        assert ["map", "Town01"] in copied(window, PACKETS, tree, qtbot)
    record = position._replace(record=2)
    with subtests.test("Attributes: each field of the record, with its unit"):
        attributes = window.panes.get(ATTRIBUTES)
        session.selection.select(record)
        lines = copied(window, ATTRIBUTES, attributes.area, qtbot)
        assert lines[0] == ["Field", "Value", "Unit"]
        assert ["location.y", "800.0", "cm"] in lines
        session.selection.select(Place(FRAME))
        assert any(
            str(FRAME + 1) in cell for line in copied(window, ATTRIBUTES, attributes.area, qtbot) for cell in line
        )
    with subtests.test("Bytes: as the column of the caret shows them, to be pasted again"):
        view = window.panes.get(BYTES).view
        session.selection.select_span(4, 9)
        qtbot.keyClick(shown(window, BYTES, view), KEYS.Key_C, CONTROL)
        assert QGuiApplication.clipboard().text() == "43 41 52 4c 41"
        assert session.messages[-1] == "Copied 5 bytes"
    with subtests.test("History, Notes, Timeline"):
        qtbot.keyClick(shown(window, SCENE, window.panes.get(SCENE).view), KEYS.Key_B)
        lines = copied(window, NOTES, window.panes.get(NOTES).table, qtbot)
        assert lines[1][2] == str(FRAME + 1)
        assert copied(window, HISTORY, window.panes.get(HISTORY).list, qtbot)[1][:2] == ["0", "Opened"]
        lines = copied(window, TIMELINE, window.panes.get(TIMELINE).canvas, qtbot)
        assert lines[0] == ["Lane", "From [s]", "To [s]", "What"]
        assert any(line[:2] == ["Notes", "0.500"] for line in lines)
        assert any(line[0] == "Actors" and line[3].startswith("100 ") for line in lines)


def test_signals_are_copied_by_the_part_that_has_the_keyboard(
    window: MainWindow, subtests: pytest.Subtests, qtbot: QtBot
) -> None:
    window.panes.show(SIGNALS.name)
    pane = window.panes.get(SIGNALS)
    parts = pane.parts
    pane.add(Key("motion", "speed", actor=FIRST), Key("field", "Position", "location.x", FIRST))
    parts.restore([OVER_TIME, XY, HISTOGRAM, STATISTICS])
    idle(window, qtbot)
    with subtests.test("curves: the values in the visible part, and their picture"):
        window.panes.get(TIMELINE).canvas.set_axis(pane.canvas.axis.showing(0.5, 1.0))
        lines = copied(window, SIGNALS, pane.plot_view, qtbot)
        assert lines[0][:3] == ["frame", "frame_id", "elapsed [s]"]
        assert len(lines[0]) == 5
        assert [line[0] for line in lines[1:3]] == ["11", "12"]
        assert picture(window, SIGNALS, pane.plot_view, qtbot).width() == 2 * pane.plot_view.width()
    for name in (XY, HISTOGRAM, STATISTICS):
        with subtests.test(name):
            body = parts.frames[name].body
            lines = copied(window, SIGNALS, body, qtbot)
            assert {len(line) for line in lines} == {len(lines[0])}
            assert picture(window, SIGNALS, body, qtbot).size() == parts.frames[name].size() * 2
    with subtests.test("values of signals"):
        assert len(copied(window, SIGNALS, pane.legend, qtbot)) == 3


def test_every_pane_gives_a_picture_and_offers_both_in_its_menu(
    window: MainWindow, subtests: pytest.Subtests, qtbot: QtBot
) -> None:
    window.session.selection.select_actor(FIRST)
    window.session.notes.make("here", range(2, 3))
    for spec in PANES:
        with subtests.test(spec.name):
            pane = window.panes.get(spec)
            assert pane.copy_parts
            if spec is DIFFERENCES:
                continue  # it is shown while comparing
            if spec.placement is not None:
                window.panes.show(spec.name)
            for part in pane.copy_parts:
                if part.widget.isVisible() and part.widget.focusPolicy() & Qt.FocusPolicy.StrongFocus:
                    image = picture(window, spec, part.widget, qtbot)
                    assert image.width() >= part.widget.width()
                    small = image.scaled(40, 40)
                    assert len({small.pixel(x, y) for x in range(40) for y in range(40)}) > 2
                menu = QMenu()
                pane.offer_copies(menu, part.widget)
                texts = [(action.text(), action.shortcut().toString()) for action in menu.actions()]
                assert texts == [("Copy", "Ctrl+C"), ("Copy picture", "Ctrl+Shift+C")]


def test_the_menu_edit_acts_on_the_pane_with_the_keyboard(window: MainWindow, qtbot: QtBot) -> None:
    table = window.panes.get(ACTORS).table
    shown(window, ACTORS, table)
    edit = window.menus["Edit"]
    actions = {action.objectName(): action for action in edit.actions()}
    actions["edit.copy"].trigger()
    assert QGuiApplication.clipboard().text().startswith("Id\t")
    actions["edit.copy_picture"].trigger()
    assert QGuiApplication.clipboard().image().width() == 2 * table.width()
    window.panes.get(PROBLEMS)
    qtbot.keyClick(shown(window, PROBLEMS, window.panes.get(PROBLEMS).list), KEYS.Key_C, CONTROL)
    assert window.session.messages[-1] == "There is nothing to copy here."
    line = window.panes.get(ACTORS).filter
    shown(window, ACTORS, line)
    qtbot.keyClicks(line, "hero")
    line.selectAll()
    qtbot.keyClick(line, KEYS.Key_C, CONTROL)
    assert QGuiApplication.clipboard().text() == "hero", "a field copies its own text"


def test_bytes_are_copied_with_their_offsets() -> None:
    data = bytes(range(0x3A, 0x4C))
    assert as_text(data, "dump", 0x1F4A0).split("\n") == [
        "0001f4a0  3a 3b 3c 3d 3e 3f 40 41 42 43 44 45 46 47 48 49  :;<=>?@ABCDEFGHI",
        "0001f4b0  4a 4b                                            JK",
    ]


def test_hostile_cells_stay_in_their_cells() -> None:
    table = copied_table(("a", "b"), [("<b>&", 'one\ttwo\n"three"')])
    assert table is not None
    assert table.text.split("\n")[1].split("\t") == ["<b>&", 'one two "three"']
    assert list(csv.reader(io.StringIO(table.more[CSV].decode())))[1] == ["<b>&", 'one\ttwo\n"three"']
    assert "<td>&lt;b&gt;&amp;</td>" in table.more["text/html"].decode()
    assert copied_table(("a",), []) is None
