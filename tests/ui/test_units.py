"""Units of the window: what is shown in others is stored as it was, and all panes agree."""

import struct
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from recorder_editor.format.schema import Field
from recorder_editor.format.values import exact_text, pack_value, parse_value, unpack_value
from recorder_editor.ui.dialogs.goto_parser import target_of
from recorder_editor.ui.panes.attributes.attributes_pane import AttributePanel
from recorder_editor.ui.panes.scene.layers.overlays import Overlays
from recorder_editor.ui.panes.signals.signal_table import table_of
from recorder_editor.ui.session import Session
from recorder_editor.ui.session.preferences import LENGTH, SPEED, TIME
from recorder_editor.ui.session.settings import Settings
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import ACTORS, ATTRIBUTES, PACKETS, SCENE, SIGNALS, TIMELINE, TRIM
from recorder_editor.ui.shell.recent_files import RecentRow
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets import NumberEdit
from recorder_editor.views.outline import Outline
from recorder_editor.views.signal_key import Key
from recorder_editor.views.units import AS_STORED, Units

from .parts import begin_anew
from .windows import OpenWindow, actors_column, bring_up

STORED = ("cm", "m", "cm/s", "m/s", "km/h", "°", "°/s", "s", "%")
ALL = [Units("cm", "km/h", "rad", "clock"), Units("m", "m/s", "rad", "seconds"), Units("m", "km/h"), AS_STORED]
OTHER = Units("m", "km/h", "rad")


def sizes(kind: str) -> st.SearchStrategy[bytes]:
    width = {"f32": 4, "f64": 8}[kind]
    return st.binary(min_size=width, max_size=width)


# --- numbers --------------------------------------------------------------------------------------------


@given(st.data(), st.sampled_from(["f32", "f64"]), st.sampled_from(STORED), st.sampled_from(ALL))
def test_a_value_that_is_shown_and_read_back_has_the_same_bits(
    data: st.DataObject, kind: str, unit: str, units: Units
) -> None:
    field = Field("x", kind, "", unit)  # type: ignore[arg-type] # one of the two
    stored = data.draw(sizes(kind))
    text = units.exact(exact_text(field, unpack_value(field, stored)), unit)
    assert pack_value(field, parse_value(field, units.stored(text, unit))) == stored


@given(st.decimals(-100_000, 100_000, places=3))
def test_typing_in_the_unit_shown_stores_what_typing_in_the_recordings_unit_does(metres: Decimal) -> None:
    field = Field("x", "f32", "", "cm")
    assert parse_value(field, OTHER.stored(str(metres), "cm")) == parse_value(field, str(metres * 100))


def test_what_is_no_finite_number_stays_as_it_was_typed() -> None:
    for text in ("nan", "-inf", "f32:7fc00001", "1e999999999", "", "abc", "0x10"):
        assert OTHER.stored(text, "cm") == text
        assert OTHER.exact(text, "cm") == text


def test_units_decimals_and_labels() -> None:
    assert OTHER.text(10.0, "m/s", 1) == "36.0 km/h"
    assert OTHER.text(250.0, "cm", 2) == "2.50 m"
    assert Units("cm").text(2.5, "m", 2) == "250 cm"
    assert OTHER.text(90.0, "°", 1) == "1.571 rad"
    assert OTHER.text(4.0, "s", 1) == "4.0 s"
    assert AS_STORED.text(250.0, "cm", 2) == "250.00 cm"
    assert OTHER.stored("36", "m/s") == "10"
    assert OTHER.exact("10700.0", "cm") == "107"


def test_moments_have_a_clock_where_it_was_chosen() -> None:
    assert [Units(time="auto").has_clock(end) for end in (10.0, 100.0)] == [False, True]
    assert not Units(time="seconds").has_clock(100.0)
    assert Units(time="clock").has_clock(10.0)
    assert AS_STORED.moment(15.5, 75.5, "15.500") == ("0:00:15.500", "")
    assert AS_STORED.moment(15.5, 15.5, "15.500") == ("15.500", "s")
    assert Units(time="clock").moment(15.5, 15.5, "15.500") == ("0:00:15.500", "")
    assert Units(time="seconds").moment(75.5, 75.5, "75.500") == ("75.500", "s")
    for odd in ("nan", "1e300", "-inf"):
        assert Units(time="clock").moment(float(odd), 75.5, odd) == (odd, "s")


def test_moments_and_lengths_of_recordings_are_written_as_their_end_has_it() -> None:
    assert AS_STORED.time_label(17.6, 27.7) == "17.600 s"
    assert AS_STORED.time_label(17.6, 87.7) == "0:00:17.600"
    assert Units(time="seconds").time_label(87.7, 87.7, 1) == "87.7 s"
    assert Units(time="clock").time_parts(7.25, 8.0) == ("0:00:07.250", "")


# --- editors --------------------------------------------------------------------------------------------


def test_an_editor_shows_and_takes_the_unit_chosen(theme: Theme, qtbot: QtBot) -> None:
    editor = NumberEdit(theme, "cm", low=-1e6, high=1e6, step=10)
    qtbot.addWidget(editor)
    bring_up(editor, qtbot)
    editor.clearFocus()
    asked: list[str] = []
    editor.committed.connect(asked.append)
    editor.set_value(10700.123046875, "10700.123")
    theme.set_units(OTHER)
    assert editor.text() == "107.001"
    assert editor.toolTip() == "107.00123 m (10700.123 cm)"
    editor.setFocus()
    assert editor.text() == "107.00123"
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert asked == []
    editor.selectAll()
    qtbot.keyClicks(editor, "1.07")
    theme.set_units(AS_STORED)
    assert editor.text() == "10700.123"
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert asked == []
    theme.set_units(OTHER)
    editor.selectAll()
    qtbot.keyClicks(editor, "1.07")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert asked == ["107"]
    editor.set_value(107.0)
    qtbot.keyClick(editor, Qt.Key.Key_Up)
    assert asked[-1] == "117"
    editor.selectAll()
    qtbot.keyClicks(editor, "20000")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert editor.reason == "The largest value here is 10000 m."


@pytest.fixture
def panel(session: Session, theme: Theme, path: Path, qtbot: QtBot) -> AttributePanel:
    session.open(path)
    qtbot.waitUntil(lambda: not session.jobs.running)
    panel = AttributePanel(session, theme)
    qtbot.addWidget(panel)
    panel.resize(292, 700)
    bring_up(panel, qtbot)
    session.selection.go_to_frame(5)
    session.selection.select_actor(100)
    return panel


def test_looking_at_fields_in_other_units_changes_no_byte(
    panel: AttributePanel, session: Session, theme: Theme, path: Path, qtbot: QtBot
) -> None:
    theme.set_units(OTHER)
    for editor in panel.area.widget().findChildren(NumberEdit):
        if editor.isVisible():
            editor.setFocus()
            qtbot.keyClick(editor, Qt.Key.Key_Return)
    theme.set_units(AS_STORED)
    assert not session.is_modified
    assert session.snapshot is not None
    assert session.snapshot.read(0, session.snapshot.size) == path.read_bytes()


def test_a_place_typed_in_metres_is_stored_in_centimetres(
    panel: AttributePanel, session: Session, theme: Theme, qtbot: QtBot
) -> None:
    theme.set_units(OTHER)
    editor = next(
        each
        for each in panel.area.widget().findChildren(NumberEdit)
        if each.isVisible() and each.accessibleName() == "location x"
    )
    editor.setFocus()
    editor.selectAll()
    qtbot.keyClicks(editor, "1.07")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    packet = session.selection.target.packet
    assert packet is not None
    assert session.selection.target.record is not None
    assert struct.pack("<f", packet.decoded.get(session.selection.target.record, "location.x")) == struct.pack(
        "<f", 107.0
    )


# --- the window -----------------------------------------------------------------------------------------


def value_of(window: MainWindow, field: str) -> str:
    outline, session = window.panes.get(PACKETS).model.outline, window.session
    assert isinstance(outline, Outline)
    session.selection.select(session.selection.place._replace(field=field))
    line = window.panes.get(PACKETS).tree.currentIndex()
    return str(line.siblingAtColumn(1).data())


def test_units_in_a_window(open_window: OpenWindow, settings: Settings, path: Path, qtbot: QtBot) -> None:
    window = open_window(path, size=(1440, 900))
    all_panes_agree_and_follow_at_once(window, settings, qtbot)
    for preference in (LENGTH, SPEED, TIME):
        settings[preference] = preference.default
    a_cell_of_the_tree_is_typed_in_the_unit_it_shows(window, settings, qtbot)
    settings[LENGTH] = LENGTH.default
    begin_anew(window, path, qtbot)()
    window.panes.set_preset("trim")
    lengths_of_time_and_distance_follow_at_once_wherever_they_are_told(window, settings, qtbot)


def all_panes_agree_and_follow_at_once(window: MainWindow, settings: Settings, qtbot: QtBot) -> None:
    session, panes = window.session, window.panes
    qtbot.waitUntil(lambda: session.background.trajectories is not None)
    session.selection.go_to_frame(5)
    session.selection.select_actor(100)
    signals = panes.get(SIGNALS)
    panes.show(SIGNALS.name)
    signals.add(Key("field", "Position", "location.x", 100), Key("motion", "speed", "", 100))
    qtbot.waitUntil(lambda: all(trace.is_read for trace in signals.traces))
    actors = panes.get(ACTORS).model
    place, speed = signals.traces
    x, fast = place.at(5), speed.at(5)
    row = next(row for row in range(actors.rowCount()) if actors.life(row).actor == 100)
    driven = float(actors.index(row, actors_column("distance")).data())
    csv = table_of(session.snapshot_or_refuse(), signals.traces, range(10))

    settings[LENGTH], settings[SPEED] = "m", "km/h"
    assert value_of(window, "location.x") == f"{x / 100:.3f} m"
    assert place.at(5) == pytest.approx(x / 100)
    assert speed.at(5) == pytest.approx(fast * 3.6)
    assert [lane.unit for lane in signals.plot_view.plots] == ["m", "km/h"]
    assert [signals.legend.legend.index(row, 5).data() for row in (0, 1)] == ["m", "km/h"]
    top_speed = actors_column("top_speed")
    assert actors.headerData(top_speed, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole) == "Top speed (km/h)"
    assert table_of(session.snapshot_or_refuse(), signals.traces, range(10)) == csv
    scene = panes.get(SCENE).view
    assert scene.theme.units == settings.units
    settings[LENGTH] = "cm"
    assert float(actors.index(row, actors_column("distance")).data()) == pytest.approx(driven * 100, abs=10)
    assert panes.get(ATTRIBUTES).area.isVisible()

    settings[TIME] = "clock"
    axis = panes.get(TIMELINE).canvas.axis
    assert axis.label_of(5) == "0:00:00.250"
    transport = panes.get(TIMELINE).transport
    assert (transport.time.text(), transport.whole.text()) == ("0:00:00.250", " / 0:00:01.950")
    assert [line.text() for line in (transport.start, transport.stop)] == ["0:00:00.000", "0:00:01.950"]
    assert signals.plot_view.axis.has_clock
    settings[TIME] = "seconds"
    assert panes.get(TIMELINE).canvas.axis.label_of(5) == "0.250 s"


def lengths_of_time_and_distance_follow_at_once_wherever_they_are_told(
    window: MainWindow, settings: Settings, qtbot: QtBot
) -> None:
    session, panes = window.session, window.panes
    qtbot.waitUntil(lambda: not session.jobs.running)
    session.range.set_in(10)
    session.range.set_out(19)
    trim, signals, scene = panes.get(TRIM), panes.get(SIGNALS), panes.get(SCENE).view
    panes.show(SIGNALS.name)
    signals.set_cursor("A", 2)
    signals.set_cursor("B", 4)
    scale = next(layer for layer in scene.box.layers if isinstance(layer, Overlays))
    row = RecentRow(window.theme, settings.recents[0], window.start_page.recents)
    qtbot.addWidget(row)

    def told() -> list[str]:
        figures = {name: " ".join(words).strip() for name, *words in trim.figures.rows}
        go = target_of(session, "#11", window.theme.units)
        assert go is not None
        return [
            trim.heading.text(),
            figures["length"],
            signals.caption,
            go.detail,
            scale.bar()[1],
            row.accessibleName(),
        ]

    in_seconds = [
        "Keep 0.500 s to 1.000 s",
        "0.500 s of 1.950 s",
        "A 0.100 s   B 0.200 s   B − A 0.100 s, 2 frames",
        "0.500 s",
    ]
    assert told()[:4] == in_seconds
    assert told()[4].endswith(" m")
    assert ", 2.0 s, 40 frames" in told()[5]
    settings[LENGTH], settings[TIME] = "cm", "clock"
    assert told()[:4] == [
        "Keep 0:00:00.500 to 0:00:01.000",
        "0:00:00.500  of 0:00:01.950",
        "A 0:00:00.100   B 0:00:00.200   B − A 0:00:00.100, 2 frames",
        "0:00:00.500",
    ]
    assert told()[4].endswith("00 cm")
    assert ", 0:00:02.0, 40 frames" in told()[5]
    settings[TIME] = "seconds"
    assert told()[:4] == in_seconds


def a_cell_of_the_tree_is_typed_in_the_unit_it_shows(window: MainWindow, settings: Settings, qtbot: QtBot) -> None:
    settings[LENGTH] = "m"
    session, tree = window.session, window.panes.get(PACKETS).tree
    session.selection.select_actor(100)
    session.selection.select(session.selection.place._replace(field="location.x"))
    bring_up(window, qtbot)
    tree.setFocus()
    qtbot.keyClick(tree, Qt.Key.Key_F2)
    editor = tree.findChild(QLineEdit, "fieldEditor")
    assert isinstance(editor, QLineEdit)
    editor.selectAll()
    qtbot.keyClicks(editor, "2.5")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    packet, record = session.selection.target.packet, session.selection.target.record
    assert packet is not None
    assert record is not None
    assert packet.decoded.get(record, "location.x") == 250.0
