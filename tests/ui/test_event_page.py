"""The chosen traffic event in Attributes: its numbers, its frames, and the seconds about it as range and as file."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QToolButton, QWidget
from pytestqt.qtbot import QtBot

import recorder_editor
from recorder_editor.reading.events.moments import Seconds
from recorder_editor.reading.measures import closing_speed, distance, drac, ttc2d
from recorder_editor.reading.road_users import RoadUsers, boxes_of
from recorder_editor.recording import Place
from recorder_editor.ui.panes.attributes.attributes_pane import AttributePanel
from recorder_editor.ui.panes.attributes.event_page import EventPage
from recorder_editor.ui.panes.attributes.frame_page import FramePage
from recorder_editor.ui.panes.attributes.pages import RecordPage
from recorder_editor.ui.panes.events.events_pane import EventsPane
from recorder_editor.ui.panes.signals.signals_pane import SignalsPane
from recorder_editor.ui.session import Session
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import ATTRIBUTES, EVENTS, SCENE, SIGNALS, TIMELINE
from recorder_editor.ui.widgets import NumberEdit
from recorder_editor.views.signal_key import Key

from ..reading.films import STEP, Actor, along, braking, film
from .parts import in_turn
from .test_events import open_other
from .windows import bring_up, idle

ACTORS = {
    # Brakes just before the one ahead.
    4: Actor(along(0, 80, 0, braking(12, -3.9))),
    5: Actor(along(12 + 12**2 / 7.8 + 5.1, 80, 0, 0), role="hero"),
    # Brakes hard.
    3: Actor(along(0, 40, 0, braking(14, -4.5))),
}
NEAR_MISS = "near-miss"


@pytest.fixture
def window(open_window: Callable[..., MainWindow], tmp_path: Path, qtbot: QtBot) -> MainWindow:
    window = open_window(film(tmp_path / "near.log", ACTORS, 12.0))
    window.show()
    idle(window, qtbot)
    return window


@pytest.fixture
def pane(window: MainWindow, qtbot: QtBot) -> EventsPane:
    window.panes.show(EVENTS.name)
    pane = window.panes.get(EVENTS)
    bring_up(pane, qtbot)
    return pane


@pytest.fixture
def panel(window: MainWindow, pane: EventsPane, qtbot: QtBot) -> AttributePanel:
    """Attributes with the near miss, which was chosen by a click."""
    click(pane, qtbot, NEAR_MISS)
    return window.panes.get(ATTRIBUTES)


def click(pane: EventsPane, qtbot: QtBot, kind: str) -> None:
    pane.filter.setText(f"kind == '{kind}'")
    rect = pane.table.visualRect(pane.model.index(0, 0))
    qtbot.mouseClick(pane.table.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())


def page_of(panel: AttributePanel) -> EventPage:
    page = panel._stack.currentWidget()
    assert isinstance(page, EventPage)
    return page


def numbers(page: EventPage) -> dict[str, tuple[str, str, str]]:
    """Title, text and unit of the numbers that are seen."""
    found = {}
    for name, (line, label) in page.numbers.items():
        if label.isVisible():
            found[name] = (line.label.text(), label.text(), label.unit)
    return found


def type_in(field: NumberEdit, text: str, qtbot: QtBot) -> None:
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def about(session: Session, before: float, after: float) -> range:
    """The frames so many seconds before and after the worst moment, at the usual step."""
    assert session.events.found is not None
    assert session.events.chosen is not None
    worst = int(session.events.found.table["worst"][session.events.chosen])
    return range(max(worst - round(before / STEP), 0), min(worst + round(after / STEP), session.frames))


def it_tells_the_worst_moment_in_numbers(panel: AttributePanel, window: MainWindow) -> None:
    page = page_of(panel)
    session = window.session
    events = session.events.found
    row = session.events.chosen
    assert events is not None
    assert row is not None
    event = events.table[row]
    count = event["last"] - event["first"] + 1
    assert page.heading.title.text() == "Near miss of 5 and 4"
    assert page.heading.detail.text() == f"2D-TTC below 1.5 s within {count} frames"
    snapshot = session.snapshot_or_refuse()
    worst = int(event["worst"])
    assert page._worst.text() == f"Worst, at {snapshot.elapsed[worst]:.3f} s"
    rows = RoadUsers(snapshot).rows(range(worst, worst + 1), (4, 5))
    first, second = boxes_of(rows[1:]), boxes_of(rows[:1])
    shown = numbers(page)
    assert list(shown) == ["ttc2d", "distance", "closing", "drac", "x", "y"]
    for name, function, unit in (
        ("ttc2d", ttc2d, "s"),
        ("distance", distance, "m"),
        ("closing", closing_speed, "m/s"),
        ("drac", drac, "m/s²"),
    ):
        assert shown[name][1:] == (f"{function(first, second)[0]:.3f}", unit)
    assert shown["ttc2d"] == ("2D-TTC", f"{event['value']:.3f}", "s")
    assert shown["x"][1] == f"{event['x']:.3f}"


def an_event_of_one_has_its_value_and_its_limit(panel: AttributePanel, pane: EventsPane, qtbot: QtBot) -> None:
    click(pane, qtbot, "hard-braking")
    page = page_of(panel)
    assert page.heading.title.text() == "Hard braking of 3"
    assert page.heading.detail.text().startswith("Acceleration below -4 m/s² within ")
    shown = numbers(page)
    assert list(shown) == ["value", "x", "y"]
    title, value, unit = shown["value"]
    assert (title, unit) == ("Minimum acceleration", "m/s²")
    assert float(value) == pytest.approx(-4.5, abs=0.01)


def its_frames_are_clicks_and_it_stays_meanwhile(panel: AttributePanel, window: MainWindow, qtbot: QtBot) -> None:
    page = page_of(panel)
    session = window.session
    assert session.events.found is not None
    event = session.events.found.table[session.events.chosen]
    for name in ("first", "last", "worst"):
        link = page.links[name]
        assert link.text() == str(event[name] + 1)
        qtbot.mouseClick(link, Qt.MouseButton.LeftButton)
        assert session.selection.frame_index == event[name]
    page.links["first"].setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(page.links["first"], Qt.Key.Key_Space)
    assert session.selection.frame_index == event["first"]
    session.selection.step(1)
    assert page_of(panel) is page
    assert page.heading.title.text() == "Near miss of 5 and 4"


def what_is_selected_next_is_shown_and_the_event_again_when_it_is_chosen_again(
    panel: AttributePanel, window: MainWindow, pane: EventsPane, qtbot: QtBot
) -> None:
    assert panel.event_footer.isVisible()
    window.session.selection.select_actor(5)
    record = panel._stack.currentWidget()
    assert isinstance(record, RecordPage)
    assert record.heading.title.text() == "Position of 5"
    assert not panel.event_footer.isVisible()
    click(pane, qtbot, NEAR_MISS)
    assert page_of(panel).isVisible()
    # The actor of an event of one is selected already.
    click(pane, qtbot, "hard-braking")
    window.session.selection.select_actor(3)
    assert isinstance(panel._stack.currentWidget(), RecordPage)


def handles_show_the_seconds_about_it_before_anything_is_done(
    panel: AttributePanel, window: MainWindow, qtbot: QtBot
) -> None:
    page = page_of(panel)
    session = window.session
    transport = window.panes.get(TIMELINE).transport
    assert session.range.shown == about(session, 5, 5)
    type_in(page.before, "1.5", qtbot)
    type_in(page.after, "0.5", qtbot)
    kept = about(session, 1.5, 0.5)
    assert len(kept) == 40
    assert session.range.shown == kept
    start, stop = (f"{index * STEP:.3f} s" for index in (kept.start, kept.stop))
    assert (transport.start.text(), transport.stop.text(), transport.kept.text()) == (start, stop, "40 frames")
    assert page.kept.text().startswith(f"{start} to {stop}, 40 frames, about ")
    # Nothing is done: no range is set, and there is nothing to undo.
    assert not session.range.is_set
    assert not window.registry["edit.undo"].isEnabled()


def seconds_that_are_none_are_refused(
    panel: AttributePanel, window: MainWindow, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    page = page_of(panel)
    for typed in ("nan", "f32:00000000", "-1"):
        with subtests.test(typed):
            type_in(page.before, typed, qtbot)
            assert page.before.reason
            assert window.session.events.seconds == (5.0, 5.0)


def esc_leaves_it_and_takes_the_handles_back(
    panel: AttributePanel, window: MainWindow, pane: EventsPane, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    session = window.session
    session.events.set_seconds(Seconds(1.0, 1.0))
    views: dict[str, QWidget] = {
        "events": pane.table,
        "scene": window.panes.get(SCENE).view,
        "timeline": window.panes.get(TIMELINE).canvas,
        "attributes": panel.area,
    }
    for where, view in views.items():
        with subtests.test(where):
            click(pane, qtbot, NEAR_MISS)
            assert session.range.shown == about(session, 1, 1)
            view.setFocus()
            qtbot.keyClick(view, Qt.Key.Key_Escape)
            assert session.events.chosen is None
            assert not session.range.is_shown
            assert isinstance(panel._stack.currentWidget(), RecordPage)
            assert not panel.event_footer.isVisible()


def a_handle_that_is_moved_makes_them_the_range(panel: AttributePanel, window: MainWindow) -> None:
    session = window.session
    kept = session.range.shown
    session.selection.go_to_frame(kept.start + 7)
    window.registry.run("range.in")
    assert session.range.is_set
    assert session.range.frames == session.range.shown == range(kept.start + 7, kept.stop)
    window.registry.run("edit.undo")
    assert not session.range.is_set


def buttons_beside_in_and_out_set_5_s_around_the_cursor_and_the_event(
    panel: AttributePanel, window: MainWindow, qtbot: QtBot
) -> None:
    session = window.session
    cursor, event = window.panes.get(TIMELINE).transport.around[1].findChildren(QToolButton)
    assert (cursor.text(), event.text()) == ("Cursor", "Event")
    session.selection.go_to_frame(0)
    qtbot.waitUntil(event.isEnabled)
    qtbot.mouseClick(event, Qt.MouseButton.LeftButton)
    assert session.range.frames == about(session, 5.0, 5.0)
    session.events.leave()
    qtbot.waitUntil(lambda: not event.isEnabled())
    assert "Choose an event first" in event.toolTip()
    assert session.actors is not None
    birth = session.actors.events[0]
    session.selection.select(Place(int(birth["row"]), int(birth["packet"]), int(birth["record"])))
    qtbot.waitUntil(event.isEnabled)
    qtbot.mouseClick(event, Qt.MouseButton.LeftButton)
    assert session.range.frames == range(round(5.0 / STEP)), "a recorded event is one, too"
    session.editing.undo()
    session.selection.go_to_frame(round(3.0 / STEP))
    cursor.setFocus()
    qtbot.keyClick(cursor, Qt.Key.Key_Space)
    assert session.range.frames == range(round(8.0 / STEP))
    session.editing.undo()
    session.editing.undo()
    assert not session.range.is_set
    window.registry.run("range.around_cursor")
    assert session.range.frames == range(round(8.0 / STEP))


def trim_keeps_them_and_undo_brings_the_rest_back(panel: AttributePanel, window: MainWindow, qtbot: QtBot) -> None:
    page = page_of(panel)
    session = window.session
    frames = session.frames
    type_in(page.before, "1", qtbot)
    type_in(page.after, "1", qtbot)
    told: list[str] = []
    session.informed.connect(told.append)
    qtbot.mouseClick(panel.event_footer.trim, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: session.frames == 40)
    assert told == ["Kept 40 frames. Undo takes it back."]
    assert not session.range.is_shown
    qtbot.waitUntil(lambda: session.events.is_current)
    # All that is left are these seconds: there is nothing more to trim.
    assert page_of(panel) is page
    assert not panel.event_footer.trim.isEnabled()
    assert panel.event_footer.save.isEnabled()
    window.registry.run("edit.undo")
    assert session.frames == frames
    qtbot.waitUntil(lambda: panel.event_footer.trim.isEnabled())


def it_is_saved_as_a_recording_of_its_own(
    panel: AttributePanel, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    session = window.session
    type_in(page_of(panel).before, "2", qtbot)
    type_in(page_of(panel).after, "0", qtbot)
    kept = about(session, 2, 0)
    proposed: list[str] = []
    target = tmp_path / "moment.log"

    def choose(_parent: QWidget, _title: str, place: str, _kinds: str) -> tuple[str, str]:
        proposed.append(Path(place).name)
        return str(target), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    told: list[str] = []
    session.informed.connect(told.append)
    qtbot.mouseClick(panel.event_footer.save, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(told) == 1)
    worst = kept.stop
    assert proposed == [f"near-near-miss-{worst + 1:05}-5.log"]
    # The worst moment itself is in.
    assert told[0].startswith("Wrote moment.log: 41 frames, ")
    with recorder_editor.open(target) as moment:
        assert len(moment) == 41
    assert session.frames == 241
    assert not session.is_modified


# --- its measures in Signals --------------------------------------------------------------------------------

TTC = Key("pair", "ttc2d", actor=5, other=4)
DISTANCE = Key("pair", "distance", actor=5, other=4)
SPEED = Key("motion", "speed", actor=4)


@pytest.fixture
def signals(window: MainWindow, qtbot: QtBot) -> SignalsPane:
    window.panes.show(SIGNALS.name)
    pane = window.panes.get(SIGNALS)
    bring_up(pane, qtbot)
    return pane


def keys(signals: SignalsPane) -> list[Key]:
    return [trace.key for trace in signals.traces]


def signals_show_the_two_as_long_as_their_event_is_chosen(
    signals: SignalsPane, window: MainWindow, pane: EventsPane, qtbot: QtBot
) -> None:
    signals.add(SPEED)
    click(pane, qtbot, NEAR_MISS)
    assert keys(signals) == [TTC, DISTANCE, SPEED]
    qtbot.waitUntil(lambda: all(trace.is_read for trace in signals.traces))
    events = window.session.events.found
    assert events is not None
    event = events.table[window.session.events.chosen]
    assert signals.traces[0].at(int(event["worst"])) == pytest.approx(float(event["value"]))
    # They are in no workspace, and what was plotted before comes back.
    assert signals.workspace_values["signals"].read() == [list(SPEED)]
    click(pane, qtbot, "hard-braking")
    assert keys(signals) == [SPEED]
    click(pane, qtbot, NEAR_MISS)
    assert keys(signals) == [TTC, DISTANCE, SPEED]
    qtbot.keyClick(pane.table, Qt.Key.Key_Escape)
    assert keys(signals) == [SPEED]


def what_was_plotted_by_hand_stays(signals: SignalsPane, pane: EventsPane, qtbot: QtBot) -> None:
    signals.add(TTC)
    click(pane, qtbot, NEAR_MISS)
    assert keys(signals) == [DISTANCE, TTC]
    signals.add(DISTANCE)
    qtbot.keyClick(pane.table, Qt.Key.Key_Escape)
    assert keys(signals) == [DISTANCE, TTC]


def one_of_them_that_is_removed_does_not_come_back(
    signals: SignalsPane, window: MainWindow, pane: EventsPane, qtbot: QtBot
) -> None:
    click(pane, qtbot, NEAR_MISS)
    assert signals.caption == "of the pair 5, 4"
    signals.model.remove(signals.traces[1])
    type_in(page_of(window.panes.get(ATTRIBUTES)).before, "2", qtbot)
    assert keys(signals) == [TTC]


def the_action_opens_signals_for_an_event_of_two(window: MainWindow, pane: EventsPane, qtbot: QtBot) -> None:
    action = window.registry["event.plot"]
    click(pane, qtbot, "hard-braking")
    qtbot.waitUntil(lambda: not action.isEnabled())
    click(pane, qtbot, NEAR_MISS)
    qtbot.waitUntil(action.isEnabled)
    assert not window.panes.is_open(SIGNALS.name)
    action.trigger()
    assert window.panes.is_open(SIGNALS.name)
    assert keys(window.panes.get(SIGNALS)) == [TTC, DISTANCE]


# --- exported -----------------------------------------------------------------------------------------------


BEGINNINGS = {
    "CSV (*.csv)": (".csv", b"frame,frame_id,"),
    "JSON (*.json)": (".json", b'{"file": '),
    "MCAP (*.mcap)": (".mcap", b"\x89MCAP0"),
}
"""Suffix and first bytes of each kind of file."""


def the_listed_events_are_exported_as_the_chosen_kind(
    pane: EventsPane, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    pane.filter.clear()
    for kind, (suffix, begins) in BEGINNINGS.items():
        with subtests.test(kind):
            monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, kind=kind: (str(tmp_path / "events"), kind))
            pane.ask_export()
            written = (tmp_path / "events").with_suffix(suffix)
            assert written.read_bytes().startswith(begins)


def the_overview_of_a_frame_leads_to_the_events_about_it(
    panel: AttributePanel, window: MainWindow, qtbot: QtBot
) -> None:
    session = window.session
    chosen = session.events.chosen
    session.selection.select(Place(session.snapshot_or_refuse().table.row_of_frame(0)))
    page = panel._stack.currentWidget()
    assert isinstance(page, FramePage)
    texts = [str(page.model.index(row, 0).data()) for row in range(page.model.rowCount())]
    index = page.model.index(texts.index("Near miss: 5, 4"), 0)
    session.events.choose(None)
    qtbot.mouseClick(page.list.viewport(), Qt.MouseButton.LeftButton, pos=page.list.visualRect(index).center())
    assert session.events.chosen == chosen
    assert page_of(panel).heading.title.text() == "Near miss of 5 and 4"


# --- in one window ------------------------------------------------------------------------------------------


def begin_again(window: MainWindow, pane: EventsPane, path: Path, qtbot: QtBot) -> None:
    """Open the recording again, and put back the filter and the seconds."""
    pane.filter.clear()
    window.session.events.set_seconds(Seconds(5.0, 5.0))
    open_other(window, path, qtbot)
    bring_up(pane, qtbot)


def test_the_chosen_event_in_attributes(
    request: pytest.FixtureRequest,
    window: MainWindow,
    pane: EventsPane,
    panel: AttributePanel,
    tmp_path: Path,
    qtbot: QtBot,
) -> None:
    def begin() -> None:
        begin_again(window, pane, tmp_path / "near.log", qtbot)
        click(pane, qtbot, NEAR_MISS)
        assert page_of(panel).isVisible()

    in_turn(
        request,
        window,
        it_tells_the_worst_moment_in_numbers,
        an_event_of_one_has_its_value_and_its_limit,
        its_frames_are_clicks_and_it_stays_meanwhile,
        what_is_selected_next_is_shown_and_the_event_again_when_it_is_chosen_again,
        handles_show_the_seconds_about_it_before_anything_is_done,
        a_handle_that_is_moved_makes_them_the_range,
        buttons_beside_in_and_out_set_5_s_around_the_cursor_and_the_event,
        trim_keeps_them_and_undo_brings_the_rest_back,
        it_is_saved_as_a_recording_of_its_own,
        the_overview_of_a_frame_leads_to_the_events_about_it,
        esc_leaves_it_and_takes_the_handles_back,
        seconds_that_are_none_are_refused,
        the_listed_events_are_exported_as_the_chosen_kind,
        the_action_opens_signals_for_an_event_of_two,
        opens=False,
        between=begin,
    )


def test_its_measures_in_signals(
    request: pytest.FixtureRequest,
    window: MainWindow,
    pane: EventsPane,
    signals: SignalsPane,
    tmp_path: Path,
    qtbot: QtBot,
) -> None:
    def begin() -> None:
        signals.workspace_values["signals"].show([])
        begin_again(window, pane, tmp_path / "near.log", qtbot)
        assert keys(signals) == []

    in_turn(
        request,
        window,
        signals_show_the_two_as_long_as_their_event_is_chosen,
        what_was_plotted_by_hand_stays,
        one_of_them_that_is_removed_does_not_come_back,
        opens=False,
        between=begin,
    )
