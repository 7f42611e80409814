"""The form of the selection with mouse and keys: what it shows, what an editor writes, what is refused in place."""

import math
import shutil
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QAbstractButton, QApplication, QCheckBox, QColorDialog, QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from recorder_editor import edits
from recorder_editor.recording.place import Place
from recorder_editor.recording.recording import open_recording
from recorder_editor.texts import speaking
from recorder_editor.ui.app import settle
from recorder_editor.ui.panes.attributes.attribute_list import AttributeList
from recorder_editor.ui.panes.attributes.attributes_pane import AttributePanel
from recorder_editor.ui.panes.attributes.editors import colour_text, linear_shares
from recorder_editor.ui.panes.attributes.forms import HeaderForm, RecordForm
from recorder_editor.ui.panes.attributes.frame_page import FramePage
from recorder_editor.ui.panes.attributes.pages import RecordPage
from recorder_editor.ui.session import Session, editing
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets import CheckEdit, ChoiceEdit, ColourEdit, FlagsEdit, NumberEdit, NumberLabel, TextEdit
from recorder_editor.ui.widgets.dates import MomentEdit
from recorder_editor.ui.widgets.value_edit import ValueEdit
from recorder_editor.views.selection import HEADER

from .. import builders as b
from ..edits.cargo import CARGO, DIALECT, story
from .windows import bring_up

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
KEYS = Qt.Key

HERO, CAR, WALKER, LIGHT = 1, 2, 3, 9
FRAMES = 10
RED = b.attribute(4, "color", "255,0,0")
ROLE = b.attribute(3, "role_name", "hero")


def births() -> bytes:
    return b.packet(
        2,
        b.event_add(
            [
                b.actor(HERO, 1, "vehicle.tesla.model3", attributes=[RED, ROLE]),
                b.actor(CAR, 1, "vehicle.audi.tt"),
                b.actor(WALKER, 2, "walker.pedestrian.0001"),
                b.actor(LIGHT, 3, "traffic.traffic_light"),
            ]
        ),
    )


def moment(index: int) -> bytes:
    poses = [b.pose(n, b.xyz(100.0 * n, 10.0 * index, 5.0), b.turn(0.0, 0.0, 170.0)) for n in (HERO, CAR, WALKER)]
    scene = [{"id": 5, "intensity": 2.0, "color": {"r": 1.0, "g": 0.0, "b": 0.0, "a": 1.0}, "on": True, "group": 2}]
    packets = [
        *([births(), b.packet(11, b.scene_light(scene))] if index == 0 else []),
        b.packet(6, b.position(poses)),
        b.packet(7, b.traffic_light_state([{"id": LIGHT, "frozen": False, "elapsed": 4.5, "state": 2}])),
        b.packet(9, b.anim_walker([{"id": WALKER, "speed": 120.0}])),
        b.packet(10, b.vehicle_light([{"id": HERO, "lights": 0x1000_0001}, {"id": CAR, "lights": 0}])),
    ]
    return b.frame(index + 1, index * 0.1, 0.1, packets)


TOWN = b.recording(*(moment(index) for index in range(FRAMES)))


@pytest.fixture
def show(qtbot: QtBot, theme: Theme, session: Session, tmp_path: Path) -> Callable[..., AttributePanel]:
    """Opens bytes, or a file, in a panel of 292 x 700."""

    def make(
        data: bytes | Path | None, dialect: str | None = "ue4-0.9.12", size: tuple[int, int] = (292, 700)
    ) -> AttributePanel:
        if data is not None:
            path = data if isinstance(data, Path) else tmp_path / "town.log"
            if isinstance(data, bytes):
                path.write_bytes(data)
            session.open(path, dialect=dialect)
        panel = AttributePanel(session, theme)
        qtbot.addWidget(panel)
        panel.resize(*size)
        bring_up(panel, qtbot)
        panel.setFocus()
        return panel

    return make


@pytest.fixture
def panel(show: Callable[..., AttributePanel]) -> AttributePanel:
    return show(TOWN)


def select(session: Session, name: str, actor: int, field: str | None = None, frame: int = 0) -> Place:
    """Select the record of an actor in the packet of that name."""
    assert session.snapshot is not None
    packet = session.snapshot.frame(frame).packet(name)
    assert packet is not None
    record = packet.decoded.find_actor(actor) if packet.type.actor_field is not None else actor
    assert record is not None
    session.selection.select(Place(session.snapshot.table.row_of_frame(frame), packet.index, record, field))
    return session.selection.place


def select_all(session: Session, name: str, *actors: int) -> None:
    places = [select(session, name, actor) for actor in actors]
    session.selection.select(places[0], more=tuple(places[1:]))


def page_of(panel: AttributePanel) -> RecordPage:
    return next(page for page in panel.findChildren(RecordPage) if page.isVisible())


def editor(panel: AttributePanel, name: str, kind: type[Any] = QLineEdit) -> Any:
    """The visible editor of that accessible name."""
    return next(one for one in panel.findChildren(kind) if one.isVisible() and one.accessibleName() == name)


def typed(qtbot: QtBot, line: QWidget, text: str, end: Any = KEYS.Key_Return) -> None:
    qtbot.mouseClick(line, LEFT)
    assert isinstance(line, QLineEdit)
    line.selectAll()
    qtbot.keyClicks(line, text)
    if end is not None:
        qtbot.keyClick(line, end)


def values(session: Session, name: str, actor: int, path: str) -> list[Any]:
    assert session.snapshot is not None
    found = []
    for frame in session.snapshot:
        packet = frame.packet(name)
        record = packet.decoded.find_actor(actor) if packet is not None else None
        if packet is not None and record is not None:
            found.append(packet.decoded.get(record, path))
    return found


def scoped(panel: AttributePanel, scope: str, *, adds: bool = False) -> None:
    """Choose in the form what a commit is meant for."""
    apply = page_of(panel).apply
    index = apply.scope.findData(scope)
    apply.scope.setCurrentIndex(index)
    apply.scope.activated.emit(index)
    apply.typing.findChildren(QAbstractButton)[int(adds)].click()


def steps(session: Session) -> int:
    return session.recording.history.position if session.recording is not None else 0


# --- what is shown ------------------------------------------------------------------------------------------


def test_a_record_is_shown_with_values_and_raw_bytes(panel: AttributePanel, session: Session) -> None:
    select(session, "Position", CAR, "location.x")
    page = page_of(panel)
    assert page.heading.title.text() == f"Position of {CAR}"
    assert page.heading.detail.text() == "vehicle.audi.tt"
    line = page.form.lines["location.x"]
    assert float(editor(panel, "location x").text()) == 200.0
    assert line.row.raw.text() == struct.pack("<f", 200.0).hex(" ")
    assert line.editor.widget.property("selected")
    assert not page.form.lines["location.y"].editor.widget.property("selected")


def test_every_packet_of_every_dialect_has_a_form(show: Callable[..., AttributePanel], session: Session) -> None:
    panel = show(b.everything("ue4-2026"), "ue4-2026")
    assert session.snapshot is not None
    kinds = set()
    for frame in session.snapshot:
        for packet in frame.packets:
            session.selection.select(Place(frame.row, packet.index))
            for record in range(min(2, len(packet.decoded))):
                session.selection.select(Place(frame.row, packet.index, record))
                for leaf in packet.decoded.leaves(record):
                    session.selection.select(Place(frame.row, packet.index, record, leaf.path))
            kinds.add(packet.name)
    assert len(kinds) > 20
    assert panel.area.horizontalScrollBar().maximum() == 0


def test_the_editor_of_a_field_is_the_one_its_type_asks_for(panel: AttributePanel, session: Session) -> None:
    select(session, "State", LIGHT)
    lines = page_of(panel).form.lines
    assert isinstance(lines["state"].editor.widget, ChoiceEdit)
    assert isinstance(lines["frozen"].editor.widget, CheckEdit)
    assert isinstance(lines["elapsed"].editor.widget, NumberEdit)
    select(session, "VehicleLight", HERO)
    assert isinstance(page_of(panel).form.lines["lights"].editor.widget, FlagsEdit)
    select(session, "EventAdd", HERO)
    assert any(isinstance(line.editor.widget, TextEdit) for line in page_of(panel).form.lines.values())


def test_numbers_of_a_packet_stand_as_those_of_a_frame_and_its_meaning_stands_once(
    panel: AttributePanel, session: Session
) -> None:
    frame = session.snapshot_or_refuse().frame(session.selection.frame_index)
    packet = next(each for each in frame.packets if each.name == "Position")
    session.selection.select(Place(frame.row, packet.index))
    panel.grab()
    numbers = [label for label in panel.findChildren(NumberLabel) if label.isVisible()]
    assert len(numbers) == 4  # id, body, count, records
    assert len({label.geometry().right() for label in numbers}) == 1
    meant = [label for label in panel.findChildren(QLabel) if packet.type.meaning in label.text() and label.isVisible()]
    assert len(meant) <= 1


def test_the_life_of_an_actor_stands_beneath_its_record(panel: AttributePanel, session: Session) -> None:
    def fact(name: str) -> str:
        label, row = page_of(panel).actor._facts[name]
        return label.text() if row.label.isVisible() else ""

    select(session, "Position", HERO)
    assert fact("class") == "vehicle, hero"
    assert fact("role") == "hero"
    select(session, "Position", CAR)
    assert fact("role") == "–"
    assert fact("first frame") == "1"
    assert fact("last frame") == "to the end"


def test_frame_packet_and_raw_bytes_have_their_forms(show: Callable[..., AttributePanel], session: Session) -> None:
    panel = show(TOWN + b"junk" * 5)
    session.selection.select(Place(3))
    assert editor(panel, "frame id").text() == "4"
    session.selection.select(Place(3, 1))
    assert panel.findChild(RecordForm) is not None
    session.selection.select(Place(FRAMES))
    words = [label.text() for label in panel.findChildren(QWidget) if hasattr(label, "text") and label.isVisible()]
    assert "Outside of frames" in words
    session.selection.select(Place(HEADER))
    assert editor(panel, "map", TextEdit).text() == "Town01"


@pytest.mark.parametrize(
    "data",
    [b"", b"abc", b.header(), TOWN[:-30], b.recording(b.frame(1, 0.0, -1.0, [b.packet(77, b"?" * 40)])), bytes(300)],
    ids=["empty", "three bytes", "header", "torn", "unknown", "zeros"],
)
def test_odd_recordings_have_a_form_for_everything(
    show: Callable[..., AttributePanel], session: Session, data: bytes
) -> None:
    panel = show(data, None)
    assert session.snapshot is not None
    for position in range(0, session.snapshot.size, 3):
        session.selection.select_byte(position)
    session.selection.select(Place(HEADER))
    panel.grab()


def test_without_a_recording_the_panel_says_what_to_do(show: Callable[..., AttributePanel]) -> None:
    panel = show(None)
    assert panel.isVisible()
    panel.grab()


def test_a_hidden_panel_shows_the_selection_when_it_is_seen_again(panel: AttributePanel, session: Session) -> None:
    select(session, "Position", CAR)
    panel.hide()
    select(session, "Position", WALKER)
    panel.show()
    assert page_of(panel).heading.title.text() == f"Position of {WALKER}"


# --- one selection ------------------------------------------------------------------------------------------


def test_clicking_an_editor_a_label_or_the_bytes_selects_the_field(
    qtbot: QtBot, panel: AttributePanel, session: Session
) -> None:
    place = select(session, "Position", CAR)
    lines = page_of(panel).form.lines
    qtbot.mouseClick(lines["location.y"].editor.widget, LEFT)
    assert session.selection.place == place._replace(field="location.y")
    qtbot.mouseClick(lines["rotation.yaw"].row.label, LEFT)
    assert session.selection.place == place._replace(field="rotation.yaw")
    qtbot.mouseClick(lines["location.z"].row.raw, LEFT)
    assert session.selection.place == place._replace(field="location.z")


def test_tab_goes_from_field_to_field(qtbot: QtBot, panel: AttributePanel, session: Session) -> None:
    select(session, "Position", CAR)
    line = editor(panel, "location x")
    qtbot.mouseClick(line, LEFT)
    qtbot.keyClick(line, KEYS.Key_Tab)
    assert session.selection.place.field == "location.y"
    assert editor(panel, "location y").hasFocus()


def test_header_and_frame_fields_are_selected_too(qtbot: QtBot, panel: AttributePanel, session: Session) -> None:
    session.selection.select(Place(HEADER))
    qtbot.mouseClick(editor(panel, "map", TextEdit), LEFT)
    assert session.selection.place == Place(HEADER, field="map")
    session.selection.select(Place(2))
    qtbot.mouseClick(editor(panel, "elapsed"), LEFT)
    assert session.selection.place == Place(2, 0, 0, "elapsed")


@pytest.mark.parametrize("name", ["elapsed", "duration"])
def test_a_click_on_a_long_number_shows_its_first_digits(
    qtbot: QtBot, show: Callable[..., AttributePanel], session: Session, name: str
) -> None:
    frames = (b.frame(n + 1, 5.000000074505806 + n, 1 / 3) for n in range(3))
    panel = show(b.recording(*frames))
    session.selection.select(Place(1))
    line = editor(panel, name)
    qtbot.mouseClick(line, LEFT)
    assert line.selectedText() == line.text()
    assert len(line.text()) > 15
    assert line.cursorPosition() == 0
    settle()
    left = line.cursorPositionAt(QPoint(line.textMargins().left() + 8, line.height() // 2))
    assert left in (0, 1)


# --- changing -----------------------------------------------------------------------------------------------


def test_a_number_typed_is_stored_as_one_step(qtbot: QtBot, panel: AttributePanel, session: Session) -> None:
    place = select(session, "Position", CAR)
    typed(qtbot, editor(panel, "rotation yaw"), "92.5")
    assert values(session, "Position", CAR, "rotation.yaw")[:2] == [92.5, 170.0]
    assert session.selection.place == place._replace(field="rotation.yaw")
    assert page_of(panel).form.lines["rotation.yaw"].row.raw.text() == struct.pack("<f", 92.5).hex(" ")
    session.editing.undo()
    assert editor(panel, "rotation yaw").text() in ("170.0", "170.000")
    assert steps(session) == 0


@pytest.mark.parametrize(("text", "words"), [("1e99", "too large"), ("abc", "Not a number")])
def test_a_value_that_cannot_be_stored_is_refused_in_place(
    qtbot: QtBot, panel: AttributePanel, session: Session, text: str, words: str
) -> None:
    select(session, "Position", CAR)
    line = editor(panel, "location x")
    typed(qtbot, line, text)
    assert words in line.reason
    assert line.text() == text
    assert steps(session) == 0


def test_what_was_refused_stays_while_another_field_is_looked_at(
    qtbot: QtBot, panel: AttributePanel, session: Session
) -> None:
    select(session, "Position", CAR)
    line = editor(panel, "location x")
    typed(qtbot, line, "1e99", None)
    qtbot.mouseClick(editor(panel, "location y"), LEFT)
    assert session.selection.place.field == "location.y"
    assert line.text() == "1e99"
    assert "too large" in line.reason
    select(session, "Position", WALKER)
    assert line.reason == ""
    assert line.text() == "300.000"


def test_typing_survives_what_a_job_finds_out_meanwhile(qtbot: QtBot, panel: AttributePanel, session: Session) -> None:
    select(session, "Position", CAR)
    line = editor(panel, "location x")
    typed(qtbot, line, "12", None)
    session.background.trajectories_changed.emit()
    session.selection.step(1)
    assert line.text() == "12"
    qtbot.keyClick(line, KEYS.Key_Return)
    assert values(session, "Position", CAR, "location.x")[:3] == [200.0, 12.0, 200.0]


def test_escape_brings_back_what_is_stored(qtbot: QtBot, panel: AttributePanel, session: Session) -> None:
    select(session, "Position", CAR)
    line = editor(panel, "location x")
    typed(qtbot, line, "77", KEYS.Key_Escape)
    assert line.text() == "200.0"
    assert steps(session) == 0


def test_steps_of_the_arrow_keys_are_one_undo_step(qtbot: QtBot, panel: AttributePanel, session: Session) -> None:
    select(session, "Position", CAR)
    line = editor(panel, "rotation yaw")
    qtbot.mouseClick(line, LEFT)
    for _ in range(3):
        qtbot.keyClick(line, KEYS.Key_Up)
    assert values(session, "Position", CAR, "rotation.yaw")[0] == 173.0
    assert steps(session) == 1


def test_an_enumeration_a_switch_and_flags_are_chosen(qtbot: QtBot, panel: AttributePanel, session: Session) -> None:
    select(session, "State", LIGHT)
    choice = editor(panel, "state", ChoiceEdit)
    choice.setFocus()
    qtbot.keyClick(choice, KEYS.Key_Up)
    assert values(session, "State", LIGHT, "state")[0] == 1
    qtbot.keyClick(editor(panel, "frozen", CheckEdit), KEYS.Key_Space)
    assert values(session, "State", LIGHT, "frozen")[0] is True
    select(session, "VehicleLight", HERO)
    box = next(box for box in panel.findChildren(QCheckBox) if box.isVisible() and box.text() == "Brake")
    qtbot.keyClick(box, KEYS.Key_Space)
    assert values(session, "VehicleLight", HERO, "lights")[0] == 0x1000_0009


def test_a_text_is_stored_with_its_length(qtbot: QtBot, panel: AttributePanel, session: Session) -> None:
    select(session, "EventAdd", CAR)
    path, line = next(
        (path, line.editor.widget)
        for path, line in page_of(panel).form.lines.items()
        if isinstance(line.editor.widget, TextEdit)
    )
    assert line.length_text() == "15 bytes"
    typed(qtbot, line, "vehicle.audi.etron")
    assert values(session, "EventAdd", CAR, path) == ["vehicle.audi.etron"]
    assert session.snapshot is not None
    assert session.snapshot.size == len(TOWN) + 3


def test_text_that_is_no_utf_8_is_shown_and_not_edited(show: Callable[..., AttributePanel], session: Session) -> None:
    odd = b.actor(7, blueprint=b"\xff\xfe", attributes=[b.attribute(3, b"\xff", "x")])
    panel = show(b.recording(b.frame(1, 0.0, -1.0, [b.packet(2, b.event_add([odd]))])))
    select(session, "EventAdd", 7)
    line = next(line for line in panel.findChildren(TextEdit) if line.isVisible())
    assert line.isReadOnly()
    assert line.text() == "\\xff\\xfe"
    table = panel.findChild(AttributeList).table
    assert not table.item(0, 0).flags() & Qt.ItemFlag.ItemIsEditable
    assert table.item(0, 1).flags() & Qt.ItemFlag.ItemIsEditable


def test_types_of_attributes_are_shown_in_the_language_of_the_window_and_typed_in_it_or_in_english(
    theme: Theme, qtbot: QtBot
) -> None:
    types = AttributeList(theme, {0: "Bool", 2: "Float", 4: "RGBColor"})
    qtbot.addWidget(types)
    asked: list[int] = []
    types.changed.connect(lambda attributes, _said: asked.append(attributes[0]["type"]))
    with speaking("zh_CN"):
        types.show_attributes([{"type": 0, "id": "sticky", "value": "true"}])
        assert types.table.item(0, 2).text() == "布尔"
        for text in ("浮点数", "float", "RGBColor", "RGB 颜色", "布尔", "车"):
            types.table.item(0, 2).setText(text)
    assert asked == [2, 2, 4, 4]


def test_a_nan_is_shown_and_can_be_replaced(
    qtbot: QtBot, show: Callable[..., AttributePanel], session: Session
) -> None:
    poses = [b.pose(n, b.xyz(b.Bits32(0x7F800001), b.Bits32(0xFFC00000), math.inf)) for n in (1, 2)]
    panel = show(b.recording(b.frame(1, 0.0, -1.0, [b.packet(6, b.position(poses))])))
    select(session, "Position", 1)
    assert editor(panel, "location x").toolTip() == "f32:7f800001 cm"
    assert page_of(panel).form.lines["location.x"].row.raw.text() == "01 00 80 7f"
    select_all(session, "Position", 1, 2)
    assert not editor(panel, "location x").mixed
    select(session, "Position", 1)
    typed(qtbot, editor(panel, "location x"), "5")
    assert values(session, "Position", 1, "location.x") == [5.0]
    assert math.isnan(values(session, "Position", 2, "location.x")[0])


def test_the_file_header_is_edited_with_a_calendar(
    qtbot: QtBot, show: Callable[..., AttributePanel], session: Session
) -> None:
    panel = show(b.u16(0) + TOWN[2:])
    session.selection.select(Place(HEADER))
    typed(qtbot, editor(panel, "map", TextEdit), "Town10HD")
    typed(qtbot, editor(panel, "version", NumberEdit), "01")
    date = next(one for one in panel.findChildren(MomentEdit) if one.isVisible())
    assert date.calendarPopup()
    date.committed.emit("1700000000")
    assert session.snapshot is not None
    header = session.snapshot.header
    assert header is not None
    assert (header.map_name, header.version, header.date) == ("Town10HD", 1, 1700000000)
    form = panel.findChild(HeaderForm)
    assert form.field_rows["version"].raw.text() == "01 00"


@pytest.mark.parametrize(
    ("name", "text"), [("map", "x" * 256), ("version", "007x"), ("version", "70000"), ("version", "2")]
)
def test_a_header_value_that_cannot_be_stored_is_refused_in_place(
    qtbot: QtBot, panel: AttributePanel, session: Session, name: str, text: str
) -> None:
    session.selection.select(Place(HEADER))
    line = editor(panel, name, ValueEdit)
    typed(qtbot, line, text)
    assert line.reason
    assert steps(session) == 0


def test_a_date_that_would_make_the_file_unreadable_is_refused(
    qtbot: QtBot, panel: AttributePanel, session: Session
) -> None:
    session.selection.select(Place(HEADER))
    date = next(one for one in panel.findChildren(MomentEdit) if one.isVisible())
    before = date.value
    date.committed.emit("5")
    assert steps(session) == 0
    assert date.value == before


def test_the_times_of_a_frame_are_edited(qtbot: QtBot, panel: AttributePanel, session: Session) -> None:
    session.selection.select(Place(4))
    typed(qtbot, editor(panel, "duration"), "0.25")
    typed(qtbot, editor(panel, "frame id"), "77")
    assert session.snapshot is not None
    frame = session.snapshot.frame(4)
    assert (frame.frame_id, frame.duration) == (77, 0.25)
    typed(qtbot, editor(panel, "frame id"), "-1")
    assert editor(panel, "frame id").reason


def test_a_field_of_an_element_is_edited_where_it_is_selected(
    qtbot: QtBot, show: Callable[..., AttributePanel], session: Session
) -> None:
    panel = show(b.everything("ue4-0.9.12"))
    assert session.snapshot is not None
    frame, packet = next(
        (frame, packet)
        for frame in session.snapshot
        for packet in frame.packets
        if packet.name == "PhysicsControl" and len(packet.decoded)
    )
    for index in (0, 1):
        place = Place(frame.row, packet.index, 0, f"wheels[{index}].radius")
        session.selection.select(place)
        assert session.selection.place == place
        page = page_of(panel)
        typed(qtbot, page.nested.findChild(NumberEdit), str(40 + index))
        found = session.snapshot.row(frame.row).packets[packet.index].decoded
        assert found.get(0, f"wheels[{index}].radius") == 40.0 + index
    assert steps(session) == 2


def test_raw_bytes_of_a_wheel_of_unreal_5_are_shown_and_typed_as_hexadecimal_digits(
    qtbot: QtBot, show: Callable[..., AttributePanel], session: Session
) -> None:
    panel = show(b.everything("ue5-2026"), "ue5-2026")
    assert session.snapshot is not None
    packet = session.snapshot.frame(0).packet("PhysicsControl")
    assert packet is not None
    path = "wheels[1].lateral_slip_graph"
    session.selection.select(Place(0, packet.index, 0, path))
    line = page_of(panel).nested.findChild(TextEdit)
    assert line.text() == f"hex:{b.POINTERS.hex()}"
    typed(qtbot, line, "hex:00")
    assert line.reason
    typed(qtbot, line, "00" * 24)
    assert session.snapshot.frame(0).packets[packet.index].decoded.get(0, path) == b.NO_POINTERS
    assert steps(session) == 1


def test_a_file_that_is_still_read_is_not_changed(qtbot: QtBot, panel: AttributePanel, session: Session) -> None:
    select(session, "Position", CAR)
    recording, session.recording = session.recording, None
    line = editor(panel, "location x")
    typed(qtbot, line, "5")
    session.recording = recording
    assert "still being read" in line.reason
    assert steps(session) == 0


# --- apply to -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scope", "changed"),
    [("frame", range(4, 5)), ("range", range(2, 6)), ("onward", range(4, FRAMES)), ("life", range(FRAMES))],
)
def test_a_value_is_set_over_the_frames_that_were_chosen(
    qtbot: QtBot, panel: AttributePanel, session: Session, scope: str, changed: range
) -> None:
    session.range.set(2, 6)
    select(session, "Position", CAR, frame=4)
    scoped(panel, scope)
    typed(qtbot, editor(panel, "location z"), "99")
    found = values(session, "Position", CAR, "location.z")
    assert [index for index, value in enumerate(found) if value == 99.0] == list(changed)
    assert steps(session) == 1


def test_a_range_of_one_other_frame_leaves_the_shown_one_alone(
    qtbot: QtBot, panel: AttributePanel, session: Session
) -> None:
    session.range.set(7, 8)
    select(session, "Position", CAR, frame=4)
    scoped(panel, "range")
    typed(qtbot, editor(panel, "location z"), "99")
    found = values(session, "Position", CAR, "location.z")
    assert [index for index, value in enumerate(found) if value == 99.0] == [7]
    assert editor(panel, "location z").text() in ("5.0", "5.000")


def test_what_is_typed_is_added_where_the_switch_says_so(qtbot: QtBot, panel: AttributePanel, session: Session) -> None:
    select(session, "Position", CAR, frame=4)
    scoped(panel, "onward", adds=True)
    assert editor(panel, "rotation yaw").text() == "0.000"
    typed(qtbot, editor(panel, "rotation yaw"), "20")
    assert values(session, "Position", CAR, "rotation.yaw") == [170.0] * 4 + [-170.0] * 6
    scoped(panel, "frame", adds=True)
    typed(qtbot, editor(panel, "location x"), "-50")
    assert values(session, "Position", CAR, "location.x")[3:6] == [200.0, 150.0, 200.0]


def test_adding_to_a_place_over_the_whole_life_moves_the_birth_too(
    qtbot: QtBot, panel: AttributePanel, session: Session
) -> None:
    select(session, "Position", CAR, frame=4)
    scoped(panel, "life", adds=True)
    typed(qtbot, editor(panel, "location x"), "50")
    assert values(session, "Position", CAR, "location.x") == [250.0] * FRAMES
    assert values(session, "EventAdd", CAR, "location.x") == [50.0]
    assert steps(session) == 1


def test_names_and_switches_are_set_even_where_numbers_are_added(
    qtbot: QtBot, panel: AttributePanel, session: Session
) -> None:
    select(session, "State", LIGHT)
    scoped(panel, "frame", adds=True)
    choice = editor(panel, "state", ChoiceEdit)
    assert choice.value == 2
    choice.setFocus()
    qtbot.keyClick(choice, KEYS.Key_Up)
    assert values(session, "State", LIGHT, "state")[0] == 1


def test_adding_shows_nothing_also_on_a_page_that_is_shown_again(panel: AttributePanel, session: Session) -> None:
    select(session, "Position", CAR)
    scoped(panel, "frame", adds=True)
    select(session, "State", LIGHT)
    select(session, "Position", CAR)
    assert float(editor(panel, "location x").text()) == 0.0


def test_nothing_is_added_to_nan(qtbot: QtBot, show: Callable[..., AttributePanel], session: Session) -> None:
    poses = [b.pose(1, b.xyz(0.0, 0.0, 0.0), b.turn(0.0, 0.0, b.Bits32(0x7FC00001)))]
    panel = show(b.recording(b.frame(1, 0.0, -1.0, [b.packet(6, b.position(poses))])))
    select(session, "Position", 1)
    scoped(panel, "frame", adds=True)
    line = editor(panel, "rotation yaw")
    typed(qtbot, line, "1")
    assert "Nothing can be added" in line.reason
    assert steps(session) == 0


def test_many_frames_are_changed_by_a_job(
    qtbot: QtBot, panel: AttributePanel, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(editing, "FRAMES_AT_ONCE", 3)
    qtbot.waitUntil(lambda: session.background.trajectories is not None and not session.jobs.running)
    select_all(session, "Position", CAR, WALKER)
    scoped(panel, "life")
    typed(qtbot, editor(panel, "location z"), "44")
    qtbot.waitUntil(lambda: values(session, "Position", WALKER, "location.z") == [44.0] * FRAMES)
    assert values(session, "Position", CAR, "location.z") == [44.0] * FRAMES
    assert steps(session) == 1


GEARS = b.recording(
    *(
        b.frame(
            index + 1,
            index * 0.1,
            0.1,
            [
                *([births()] if index == 0 else []),
                b.packet(
                    8,
                    b.anim_vehicle(
                        [
                            {
                                "id": actor,
                                "steering": 0.0,
                                "throttle": 0.0,
                                "brake": 0.0,
                                "handbrake": False,
                                "gear": gear,
                            }
                            for actor, gear in ((CAR, 1), (HERO, 0x7FFF_FFFF))
                        ]
                    ),
                ),
            ],
        )
        for index in range(FRAMES)
    )
)


@pytest.mark.parametrize("at_once", [2_000, 3])
def test_what_one_of_several_refuses_leaves_everything_as_it_was(
    qtbot: QtBot, show: Callable[..., AttributePanel], session: Session, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(editing, "FRAMES_AT_ONCE", at_once)
    panel = show(GEARS)
    qtbot.waitUntil(lambda: session.background.trajectories is not None and not session.jobs.running)
    recording = session.recording
    assert recording is not None
    for throttle in (0.5, 0.75):
        session.editing.apply(edits.set_field(recording, select(session, "AnimVehicle", CAR, "throttle"), throttle))
    session.editing.undo()
    before, shown = list(recording.history.steps), recording.snapshot
    select_all(session, "AnimVehicle", CAR, HERO)
    scoped(panel, "life", adds=True)
    line = editor(panel, "gear")
    typed(qtbot, line, "1")
    qtbot.waitUntil(lambda: "does not fit" in line.reason)
    qtbot.waitUntil(lambda: not session.jobs.running)
    assert recording.history.steps == before
    assert recording.history.position == 1
    assert recording.snapshot is shown
    session.editing.redo()
    assert values(session, "AnimVehicle", CAR, "throttle")[0] == 0.75


@pytest.mark.parametrize("at_once", [2_000, 3])
def test_a_change_of_several_actors_over_many_frames_is_told_once(
    qtbot: QtBot, panel: AttributePanel, session: Session, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(editing, "FRAMES_AT_ONCE", at_once)
    select_all(session, "Position", CAR, WALKER)
    scoped(panel, "life")
    changes: list[object] = []
    session.editing.changed.connect(changes.append)
    typed(qtbot, editor(panel, "location z"), "44")
    qtbot.waitUntil(lambda: values(session, "Position", WALKER, "location.z") == [44.0] * FRAMES)
    assert len(changes) == 1
    assert session.recording is not None
    (step,) = session.recording.history.steps
    assert step.label == "Set z of 2 actors over 10 frames"
    assert sum(len(splice.inserted) for splice in step.forward) == FRAMES


# --- several records ----------------------------------------------------------------------------------------


def test_equal_values_of_several_actors_show_and_others_are_mixed(panel: AttributePanel, session: Session) -> None:
    select_all(session, "Position", HERO, CAR, WALKER)
    assert page_of(panel).heading.title.text() == "Position of 3 actors"
    assert editor(panel, "location x").mixed
    assert editor(panel, "location z").text() == "5.000"
    assert not page_of(panel).actor.isVisible()


def test_typing_sets_all_of_them_in_one_step(qtbot: QtBot, panel: AttributePanel, session: Session) -> None:
    select_all(session, "Position", HERO, CAR)
    typed(qtbot, editor(panel, "location x"), "7")
    assert [values(session, "Position", one, "location.x")[0] for one in (HERO, CAR, WALKER)] == [7.0, 7.0, 300.0]
    assert steps(session) == 1
    assert len(session.selection.actors) == 2


def test_adding_adds_to_each_of_them(qtbot: QtBot, panel: AttributePanel, session: Session) -> None:
    select_all(session, "Position", HERO, CAR)
    scoped(panel, "frame", adds=True)
    typed(qtbot, editor(panel, "location x"), "7")
    assert [values(session, "Position", one, "location.x")[0] for one in (HERO, CAR)] == [107.0, 207.0]
    scoped(panel, "onward", adds=True)
    typed(qtbot, editor(panel, "location y"), "1")
    for actor in (HERO, CAR):
        assert values(session, "Position", actor, "location.y") == [10.0 * index + 1.0 for index in range(FRAMES)]
    assert steps(session) == 2


def test_switching_a_bit_of_several_changes_that_bit_alone(
    qtbot: QtBot, panel: AttributePanel, session: Session
) -> None:
    select_all(session, "VehicleLight", HERO, CAR)
    flags = page_of(panel).form.lines["lights"].editor.widget
    assert isinstance(flags, FlagsEdit)
    boxes = {box.toolTip(): box for box in flags.findChildren(QCheckBox)}
    assert boxes["0x1"].checkState() == Qt.CheckState.PartiallyChecked
    assert boxes["0x8"].checkState() == Qt.CheckState.Unchecked
    boxes["0x8"].click()
    assert [values(session, "VehicleLight", one, "lights")[0] for one in (HERO, CAR)] == [0x1000_0009, 0x8]
    assert steps(session) == 1
    assert boxes["0x8"].checkState() == Qt.CheckState.Checked
    scoped(panel, "life")
    boxes["0x1"].click()
    assert values(session, "VehicleLight", HERO, "lights") == [0x1000_0009] * FRAMES
    assert values(session, "VehicleLight", CAR, "lights") == [0x9] * FRAMES


def test_bits_of_a_float_are_typed_as_the_dump_writes_them(
    qtbot: QtBot, panel: AttributePanel, session: Session
) -> None:
    select(session, "Position", CAR)
    typed(qtbot, editor(panel, "location x"), "f32:7fc00001")
    value = values(session, "Position", CAR, "location.x")[0]
    assert math.isnan(value)
    assert editor(panel, "location x").toolTip().startswith("f32:7fc00001")
    typed(qtbot, editor(panel, "location x"), "f64:7ff8000000000000")
    assert "takes a number" in editor(panel, "location x").reason


def test_records_of_another_kind_are_left_alone(qtbot: QtBot, panel: AttributePanel, session: Session) -> None:
    light, car = select(session, "State", LIGHT), select(session, "Position", CAR)
    session.selection.select(car, more=(light, select(session, "Position", WALKER)))
    assert page_of(panel).heading.title.text() == "Position of 2 actors"
    typed(qtbot, editor(panel, "location x"), "7")
    assert [values(session, "Position", one, "location.x")[0] for one in (CAR, WALKER)] == [7.0, 7.0]


def test_several_descriptions_show_no_list_of_attributes(panel: AttributePanel, session: Session) -> None:
    select(session, "EventAdd", HERO)
    attributes = panel.findChild(AttributeList)
    assert attributes.isVisible()
    select_all(session, "EventAdd", HERO, CAR)
    assert not attributes.isVisible()
    select(session, "EventAdd", CAR)
    assert attributes.isVisible()
    assert attributes.table.rowCount() == 0


# --- attributes and colours ---------------------------------------------------------------------------------


def stored(session: Session, actor: int) -> list[tuple[int, str, str]]:
    assert session.snapshot is not None
    packet = session.snapshot.frame(0).packet("EventAdd")
    assert packet is not None
    record = packet.decoded.find_actor(actor)
    assert record is not None
    return [(one["type"], one["id"], one["value"]) for one in packet.decoded.record(record)["attributes"]]


def press(qtbot: QtBot, attributes: AttributeList, name: str) -> None:
    button = attributes.findChild(QAbstractButton, f"attribute-{name}")
    qtbot.mouseClick(button, LEFT)


@pytest.fixture
def attributes(panel: AttributePanel, session: Session) -> AttributeList:
    select(session, "EventAdd", HERO)
    found = panel.findChild(AttributeList)
    assert isinstance(found, AttributeList)
    return found


def test_attributes_are_added_moved_and_removed(qtbot: QtBot, attributes: AttributeList, session: Session) -> None:
    before = [(4, "color", "255,0,0"), (3, "role_name", "hero")]
    assert stored(session, HERO) == before
    press(qtbot, attributes, "add")
    line = attributes.table.findChild(QLineEdit)
    assert line is not None
    qtbot.keyClicks(line, "driver")
    qtbot.keyClick(line, KEYS.Key_Return)
    qtbot.waitUntil(lambda: stored(session, HERO)[-1] == (3, "driver", ""))
    press(qtbot, attributes, "up")
    assert [name for _, name, _ in stored(session, HERO)] == ["color", "driver", "role_name"]
    attributes.table.setFocus()
    qtbot.keyClick(attributes.table, KEYS.Key_Up, CONTROL)
    assert [name for _, name, _ in stored(session, HERO)] == ["driver", "color", "role_name"]
    qtbot.keyClick(attributes.table, KEYS.Key_Delete)
    assert stored(session, HERO) == before
    assert attributes.table.currentRow() == 0
    assert steps(session) == 5


def test_the_list_can_be_emptied_and_its_buttons_know(
    qtbot: QtBot, attributes: AttributeList, session: Session
) -> None:
    attributes.table.setCurrentCell(1, 0)
    for _ in range(3):
        press(qtbot, attributes, "remove")
    assert stored(session, HERO) == []
    assert not attributes.findChild(QAbstractButton, "attribute-remove").isEnabled()
    session.editing.undo()
    session.editing.undo()
    assert len(stored(session, HERO)) == 2
    assert attributes.table.rowCount() == 2


def test_a_type_is_typed_by_name_or_number_and_an_unknown_one_refused(
    attributes: AttributeList, session: Session
) -> None:
    attributes.table.item(1, 2).setText("int")
    assert stored(session, HERO)[1][0] == 1
    attributes.table.item(1, 2).setText("9")
    assert stored(session, HERO)[1][0] == 9
    attributes.table.item(1, 2).setText("nonsense")
    assert "nonsense" in attributes._refusal.reason
    assert attributes.table.item(1, 2).text() == "9"
    attributes.table.item(1, 2).setText("300")
    assert "300" in attributes._refusal.reason
    assert attributes.table.item(1, 2).text() == "9"
    assert steps(session) == 2


def test_a_value_too_long_is_refused_in_place_and_the_stored_one_shown(
    attributes: AttributeList, session: Session
) -> None:
    attributes.table.item(1, 1).setText("x" * 70_000)
    assert attributes._refusal.reason
    assert attributes.table.item(1, 1).text() == "hero"
    assert steps(session) == 0
    assert "4 bytes" in attributes.table.item(1, 1).toolTip()


def test_a_colour_is_picked(qtbot: QtBot, attributes: AttributeList, session: Session) -> None:
    attributes.table.setCurrentCell(1, 0)
    assert not attributes.findChild(QAbstractButton, "attribute-colour").isEnabled()
    attributes.table.setCurrentCell(0, 0)
    press(qtbot, attributes, "colour")
    dialog = attributes.findChild(QColorDialog)
    assert dialog.currentColor() == QColor(255, 0, 0)
    dialog.setCurrentColor(QColor(1, 2, 3))
    dialog.accept()
    assert stored(session, HERO)[0] == (4, "color", "1,2,3")
    assert attributes.table.item(0, 0) is not None
    assert attributes.table.item(0, 1).data(Qt.ItemDataRole.DecorationRole) == QColor(1, 2, 3)


def test_the_attribute_of_the_selected_field_is_the_current_one(attributes: AttributeList, session: Session) -> None:
    session.selection.select(session.selection.place._replace(field="attributes[1].value"))
    assert attributes.table.currentRow() == 1


def test_an_attribute_being_typed_survives_a_refresh(qtbot: QtBot, attributes: AttributeList, session: Session) -> None:
    attributes.table.setCurrentCell(1, 1)
    attributes.table.setFocus()
    qtbot.keyClick(attributes.table, KEYS.Key_Return)
    line = attributes.table.findChild(QLineEdit)
    assert line is not None
    qtbot.keyClicks(line, "ego")
    session.background.trajectories_changed.emit()
    assert attributes.table.findChild(QLineEdit) is line
    qtbot.keyClick(line, KEYS.Key_Return)
    qtbot.waitUntil(lambda: stored(session, HERO)[1] == (3, "role_name", "ego"))


def test_a_scene_lights_colour_is_shown_as_on_a_screen_and_picked(
    qtbot: QtBot, panel: AttributePanel, session: Session
) -> None:
    select(session, "SceneLight", 0)
    colour = next(one for one in panel.findChildren(ColourEdit) if one.isVisible())
    assert colour.text() == "255,0,0"
    typed(qtbot, colour, "0,255,128")
    assert session.snapshot is not None
    packet = session.snapshot.frame(0).packet("SceneLight")
    assert packet is not None
    share = packet.records[0]["color"]
    assert (share["r"], share["g"]) == (0.0, 1.0)
    assert share["b"] == pytest.approx(0.2158605)
    assert colour.text() == "0,255,128"
    assert steps(session) == 1
    typed(qtbot, colour, "0,256,0")
    assert colour.reason


@pytest.mark.parametrize("text", ["0,0,0", "255,255,255", "1,2,3", "10,128,250"])
def test_a_picked_colour_comes_back_as_it_was(text: str) -> None:
    shares = dict(zip(("c.r", "c.g", "c.b"), linear_shares(text), strict=True))
    assert colour_text(shares, "c") == text
    assert colour_text(shares | {"c.r": math.nan}, "c") == "none"


# --- hostile use --------------------------------------------------------------------------------------------


def test_undo_while_a_value_is_typed_takes_the_typing_back_first(
    qtbot: QtBot, panel: AttributePanel, session: Session
) -> None:
    select(session, "Position", CAR)
    line = editor(panel, "location x")
    typed(qtbot, line, "1")
    typed(qtbot, line, "23", None)
    session.editing.undo()
    assert values(session, "Position", CAR, "location.x")[0] == 200.0
    assert line.text() in ("200.0", "200.000")


def test_a_record_that_vanishes_leaves_a_form_of_what_holds_it(
    qtbot: QtBot, panel: AttributePanel, session: Session
) -> None:
    place = select(session, "Position", WALKER)
    qtbot.mouseClick(editor(panel, "location x"), LEFT)
    session.editing.apply(edits.delete_record(session.snapshot_or_refuse(), place))
    assert session.selection.place.field is None
    panel.grab()
    session.editing.apply(edits.delete_rows(session.snapshot_or_refuse(), 0, FRAMES))
    assert session.frames == 0
    panel.grab()
    session.editing.undo()
    session.editing.undo()
    assert values(session, "Position", WALKER, "location.x") == [300.0] * FRAMES


def test_a_file_rewritten_on_disk_refuses_in_place(
    qtbot: QtBot, show: Callable[..., AttributePanel], session: Session, recordings: Path, tmp_path: Path
) -> None:
    path = tmp_path / "rewritten.log"
    shutil.copy(recordings / "carla-0.9.13-town01.log", path)
    panel = show(path, None)
    session.selection.go_to_frame(100)
    position = session.snapshot_or_refuse().frame(100).packet("Position")
    assert position is not None
    session.selection.select_actor(int(position.array["id"][0]))
    path.write_bytes(b"rewritten in place, and much shorter")
    scoped(panel, "life")
    line = editor(panel, "location x")
    typed(qtbot, line, "5")
    assert line.reason or line.text() == "5"
    session.selection.step(50)
    panel.grab()


def test_sixty_thousand_records_are_edited_as_one_is(
    qtbot: QtBot, show: Callable[..., AttributePanel], session: Session
) -> None:
    poses = [b.pose(n, b.xyz(float(n))) for n in range(60_000)]
    panel = show(b.recording(b.frame(1, 0.0, -1.0, [b.packet(6, b.position(poses))])))
    select(session, "Position", 54_321)
    typed(qtbot, editor(panel, "location x"), "-1")
    assert values(session, "Position", 54_321, "location.x") == [-1.0]


def test_another_recording_of_another_dialect_gets_forms_of_its_own(
    qtbot: QtBot, panel: AttributePanel, session: Session, tmp_path: Path
) -> None:
    select(session, "Position", CAR)
    wide = b.packet(6, b.position([b.pose(5, b.xyz(1.0))], wide=True))
    (tmp_path / "wide.log").write_bytes(b.recording(b.frame(1, 0.0, -1.0, [wide])))
    session.open(tmp_path / "wide.log", dialect="ue5-2026")
    select(session, "Position", 5)
    typed(qtbot, editor(panel, "location x"), "0.1")
    assert values(session, "Position", 5, "location.x") == [0.1]


# --- what it looks like -------------------------------------------------------------------------------------

TOWN05 = "carla-0.9.13-town05-collisions.log"
REAL = [
    (TOWN05, "Position", 3932, 330),
    (TOWN05, "EventAdd", 3890, 0),
    (TOWN05, "VehicleLight", 3890, 330),
    (TOWN05, "PhysicsControl", 3890, 0),
    ("carla-0.9.6-town03-walkers.rec", "Position", 4864, 238),
    ("carla-0.9.10-town01-scene-lights.log", "SceneLight", 0, 0),
]


@pytest.mark.parametrize(("width", "mode"), [pytest.param(292, "light", marks=pytest.mark.pictures), (268, "dark")])
@pytest.mark.parametrize(("name", "packet", "actor", "frame"), REAL, ids=[f"{one[1]}-{one[0][6:12]}" for one in REAL])
def test_pictures_of_real_recordings(
    show: Callable[..., AttributePanel],
    theme: Theme,
    session: Session,
    recordings: Path,
    artefacts: Path,
    mode: Any,
    width: int,
    name: str,
    packet: str,
    actor: int,
    frame: int,
) -> None:
    theme.set_mode(mode)
    panel = show(recordings / name, None, (width, 760))
    assert session.snapshot is not None
    found = (one.packet(packet) for one in session.snapshot[frame:])
    frame += next(index for index, one in enumerate(found) if one is not None and len(one.decoded))
    select(session, packet, actor, frame=frame)
    QApplication.processEvents()
    page = page_of(panel)
    assert page.width() <= panel.area.viewport().width()
    assert page.height() >= page.minimumSizeHint().height()
    assert all(line.editor.widget.geometry().right() < page.width() for line in page.form.lines.values())
    picture = panel.grab().toImage()
    assert picture.pixelColor(2, 2).lightness() > 200 if mode == "light" else picture.pixelColor(2, 2).lightness() < 60
    picture.save(str(artefacts / f"attributes-{name[6:12]}-{packet}-{width}-{mode}.png"))


def test_a_packet_type_of_no_release_has_a_form_with_a_line_for_each_field(
    qtbot: QtBot, theme: Theme, tmp_path: Path
) -> None:
    path = tmp_path / "cargo.log"
    path.write_bytes(story())
    with open_recording(path, dialect=DIALECT) as recording:
        packet = recording.snapshot.frame(1).packet(CARGO.name)
        assert packet is not None
        form = RecordForm(theme, packet.type)
        qtbot.addWidget(form)
        form.fill(packet, 0, packet.decoded.leaves(0))
    mass = form.lines["mass"].editor.widget
    assert sorted(form.lines) == sorted(CARGO.record.fields)
    assert isinstance(mass, NumberEdit)
    assert mass.text() == "10.000"


def test_a_short_form_has_no_scroll_bar_after_a_long_one(panel: AttributePanel, session: Session) -> None:
    panel.resize(panel.width(), 420)
    select(session, "EventAdd", 1)
    assert panel.area.verticalScrollBar().isVisible()
    session.selection.select(Place(0))
    settle()
    assert not panel.area.verticalScrollBar().isVisible()


# --- a frame --------------------------------------------------------------------------------------------


def overview(panel: AttributePanel) -> FramePage:
    page = panel._stack.currentWidget()
    assert isinstance(page, FramePage)
    return page


def lines(page: FramePage) -> list[str]:
    return [str(page.model.index(row, 0).data()) for row in range(page.model.rowCount())]


def test_a_frame_tells_who_is_in_it_and_leads_to_what_happens(
    panel: AttributePanel, session: Session, qtbot: QtBot
) -> None:
    session.selection.select(Place(0))
    qtbot.waitUntil(lambda: "Looking for traffic events" not in lines(overview(panel)))
    page = overview(panel)
    assert page.heading.detail.text() == "0.000 s, 8 packets, 481 bytes"
    shown = lines(page)
    assert shown[:6] == ["Road users", "2 vehicles", "1 walker", "Traffic lights", "1 Green", "Traffic events"]
    spoken = page.model.index(2, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "Road users, 1 walker"
    row = shown.index("3 pedestrian.0001")
    qtbot.mouseClick(page.list.viewport(), LEFT, pos=page.list.visualRect(page.model.index(row, 0)).center())
    assert session.selection.place == Place(0, 1, 2)
    session.selection.select(Place(0))
    page.list.setFocus()
    page.list.setCurrentIndex(page.model.index(shown.index("1 tesla.model3"), 0))
    qtbot.keyClick(page.list, KEYS.Key_Down)
    qtbot.keyClick(page.list, KEYS.Key_Return)
    assert session.selection.place == Place(0, 1, 1)


def test_the_keyboard_passes_over_titles_of_a_frame(panel: AttributePanel, session: Session, qtbot: QtBot) -> None:
    session.selection.select(Place(0))
    page = overview(panel)
    qtbot.waitUntil(lambda: "Looking for traffic events" not in lines(page))
    page.list.setFocus()
    page.list.setCurrentIndex(page.model.index(lines(page).index("1 Green"), 0))
    qtbot.keyClick(page.list, KEYS.Key_Down)
    assert page.list.currentIndex().row() == lines(page).index("Traffic events") + 1


def test_a_frame_says_that_there_is_no_event_when_all_frames_are_looked_at(
    panel: AttributePanel, session: Session, qtbot: QtBot
) -> None:
    session.selection.select(Place(0))
    events = session.events
    qtbot.waitUntil(lambda: events.is_whole)
    assert events.found is not None
    events.found = events.found.of(np.zeros(len(events.found), np.bool_))
    for is_whole, told in ((False, "Looking for traffic events"), (True, "None in this recording")):
        events.is_whole = is_whole  # not while only those about the frame are looked at, of a long recording
        events.changed.emit()
        settle()
        assert told in lines(overview(panel))


def test_a_frame_is_looked_at_only_while_it_is_seen(
    panel: AttributePanel, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.selection.select(Place(0))
    page = overview(panel)
    looked: list[int] = []
    fill = page.fill
    monkeypatch.setattr(page, "fill", lambda state, frame: (looked.append(frame.index), fill(state, frame)))
    panel.hide()
    session.selection.go_to_frame(3)
    settle()
    assert looked == []
    panel.show()
    assert looked == [3]
    assert page.heading.title.text() == "Frame 4"
