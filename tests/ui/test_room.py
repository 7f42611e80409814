"""What is said has its room at once: nothing is squeezed or cut while Qt has not yet come to lay it out."""

from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLineEdit, QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from recorder_editor import edits
from recorder_editor.recording.place import Place
from recorder_editor.ui.app import settle
from recorder_editor.ui.dialogs.base import BaseDialog
from recorder_editor.ui.dialogs.guide import GuideWindow
from recorder_editor.ui.dialogs.properties import PropertiesDialog
from recorder_editor.ui.dialogs.replace import ReplaceDialog
from recorder_editor.ui.panes.attributes.forms import RecordForm
from recorder_editor.ui.panes.packets.packets_delegate import ROW
from recorder_editor.ui.panes.repair.options import Options
from recorder_editor.ui.panes.repair.summary import RepairSummary
from recorder_editor.ui.panes.signals.signal_parts import HISTOGRAM, STATISTICS, XY
from recorder_editor.ui.session import Session
from recorder_editor.ui.shell.dock_layout import PRESETS
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import ATTRIBUTES, BYTES, HISTORY, PACKETS, REPAIR, SIGNALS, TIMELINE
from recorder_editor.ui.shell.status import Part
from recorder_editor.ui.style.boxes import Stretch, fill, make_scrolling
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets import DockTitle, Form, GroupHeading, Label, NumberEdit, NumberLabel
from recorder_editor.ui.widgets.figures import NAME, Column, Figure, Figures
from recorder_editor.views.outline import TreeLine
from recorder_editor.views.signal_key import Key

from .parts import in_turn
from .windows import OpenWindow, beginning, bring_up, idle

COLLISIONS = "carla-0.9.13-town05-collisions.log"
HERO = 3890
WIDTHS = 960, 1280, 1440, 1920
PARTS = ("Position", 5), ("AnimVehicle", 3), ("Position", None), ("State", 0), ("Position", 1)


@pytest.fixture
def window(open_window: OpenWindow, recordings: Path, tmp_path: Path) -> MainWindow:
    path = tmp_path / COLLISIONS
    path.write_bytes(beginning(recordings / COLLISIONS, frames=120, actor=HERO, others=8))
    window = open_window(path)
    settle()
    return window


@pytest.fixture
def whole(open_window: OpenWindow, recordings: Path) -> MainWindow:
    """A window with all of the recording, whose timeline has all lanes."""
    window = open_window(recordings / COLLISIONS)
    settle()
    return window


def choose(window: MainWindow, packet: str, record: int | None) -> None:
    """Select, and give Qt no time for it."""
    frame = window.session.selection.frame
    assert frame is not None
    found = frame.packet(packet)
    assert found is not None
    window.session.selection.select(Place(window.session.selection.row, found.index, record))


def lines(window: MainWindow) -> list[QRect]:
    """Where the lines of the panel stand, from top to bottom: headings, editors, values."""
    panel = window.panes.get(ATTRIBUTES)
    widgets: list[QWidget] = []
    for form in panel.findChildren(Form):
        widgets += [row.editor for row in form.rows()] + form.findChildren(GroupHeading)
    shown = [QRect(one.mapTo(panel, QRect().topLeft()), one.size()) for one in widgets if one.isVisible()]
    return sorted(shown, key=lambda rect: rect.top())


def the_lines_of_the_panel_never_overlap(window: MainWindow, subtests: pytest.Subtests) -> None:
    for width in WIDTHS:
        with subtests.test(width=width):
            window.resize(width, 900)
            window.session.selection.go_to_frame(40)
            for packet, record in PARTS:
                choose(window, packet, record)
                shown = lines(window)
                assert len(shown) > 3
                assert [(one, next) for one, next in pairwise(shown) if one.bottom() >= next.top()] == []
            before = [line.top() for line in lines(window)]
            settle()
            assert [line.top() for line in lines(window)] == before


def the_status_bar_says_everything_in_full(window: MainWindow, qtbot: QtBot, subtests: pytest.Subtests) -> None:
    for width in WIDTHS:
        with subtests.test(width=width):
            window.resize(width, 900)
            for frame in (8, 98, 8):
                window.session.selection.go_to_frame(frame)
                # Once the new texts have their room.
                qtbot.waitUntil(
                    lambda: all(part.width() >= part.sizeHint().width() for part in window.findChildren(Part))
                )


def the_status_bar_is_laid_out_as_soon_as_text_is_larger(window: MainWindow, theme: Theme) -> None:
    for size in (13, 14, 13):
        theme.set_text_size(size)
        assert [part for part in window.findChildren(Part) if part.width() < part.sizeHint().width()] == []


def a_caption_is_whole_where_there_is_room(window: MainWindow, subtests: pytest.Subtests) -> None:
    title = next(one for one in window.findChildren(DockTitle) if one.titles() == ("Scene",))
    for width in WIDTHS[1:]:
        with subtests.test(width=width):
            window.resize(width, 900)
            for words in ("1 road user", "1,190 road users"):
                title.set_caption(words, "left")
                assert title._caption.width() >= title._caption.sizeHint().width()


def numbers_and_bytes_are_whole_in_a_narrow_panel(window: MainWindow) -> None:
    window.resize(1280, 800)
    window.session.selection.go_to_frame(40)
    settle()
    for packet, record in (("Position", 5), ("AnimVehicle", 3), ("State", 0)):
        choose(window, packet, record)
        form = next(one for one in window.panes.get(ATTRIBUTES).findChildren(RecordForm) if one.isVisible())
        for path, line in form.lines.items():
            raw = line.row.raw
            assert raw.shown() in ("", raw.text()), path
            if raw.shown():
                assert raw.needed <= raw.width() + 1, path
            edit = line.editor.widget
            if isinstance(edit, NumberEdit) and isinstance(edit.value, float) and not edit.hasFocus():
                assert edit.text() == f"{edit.value:.3f}", path


def test_bytes_that_have_no_room_beside_their_field_are_left_out(theme: Theme, qtbot: QtBot) -> None:
    form = Form(theme)
    qtbot.addWidget(form)
    short = form.row("x", NumberEdit(theme, "cm"), "4f fc 77 c6")
    long = form.row("frame id", NumberEdit(theme, ""), "4f fc 77 c6 00 00 00 00")
    form.show()
    for width, shown in (
        (460, ["4f fc 77 c6", "4f fc 77 c6 00 00 00 00"]),
        (300, ["4f fc 77 c6", ""]),
        (230, ["", ""]),
    ):
        form.resize(width, 80)
        settle()
        assert [row.raw.shown() for row in (short, long)] == shown
        assert short.editor.width() >= 96


def test_a_head_that_grows_by_a_line_gets_the_room_for_it(theme: Theme, qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    table = Figures(theme, "Result", (NAME, Column("now"), Column("saved")), "After the repair")
    table.show_rows([("bytes", "1", "2")])
    fill(QVBoxLayout(page), table, Stretch())
    bring_up(page, qtbot)
    page.resize(250, 200)
    settle()
    before = table.height()
    table.heads[1].setText("a name that is longer")
    settle()
    heading = next(label for label in table.findChildren(Label) if label.text() == "After the repair")
    assert table.height() - before >= theme.metrics(theme.bold).lineSpacing()
    assert heading.height() >= heading.heightForWidth(heading.width())
    assert heading.geometry().right() < table.heads[1].geometry().left()


def test_what_was_lost_is_named_in_full_beside_its_numbers(theme: Theme, qtbot: QtBot) -> None:
    summary = RepairSummary(theme)
    qtbot.addWidget(summary)
    summary.losses.show_rows([("行人骨骼 (WalkerBones)", "0", "1,012")])
    summary.resize(352, 600)
    bring_up(summary, qtbot)
    settle()
    name = next(cell for cell in summary.losses.findChildren(Label) if "WalkerBones" in cell.text())
    assert name.width() >= name.fontMetrics().horizontalAdvance(name.text())


@pytest.mark.parametrize("size", [9, 12, 24])
def test_numbers_are_never_cut(theme: Theme, qtbot: QtBot, size: int) -> None:
    theme.set_text_size(size)
    trim, loss = Figures(theme, "Trim"), Figures(theme, "Loss", (NAME, Column("now"), Column("lost")), "After")
    trim.show_rows([Figure("created later", "1,234,567", "actors", "of 12,345,678 kB")])
    loss.show_rows([("seconds", "1,234,567.125", "98,765.432")])
    page = QWidget()
    fill(QVBoxLayout(page), trim, loss, Stretch())
    area = make_scrolling(page)
    qtbot.addWidget(area)
    bring_up(area, qtbot)
    cells = [one for one in page.findChildren(Label) if any(map(str.isdigit, one.text()))]
    assert len(cells) == 4
    drawn = set()
    for width in range(100, 700, 20):
        area.resize(width, 300)
        settle()
        bar = area.horizontalScrollBar()
        assert bar.isVisible() == (page.width() > area.viewport().width())
        for cell in cells:
            assert cell.mapTo(page, cell.rect().topRight()).x() < area.viewport().width() + bar.maximum()
            is_whole = cell.width() >= cell.fontMetrics().horizontalAdvance(cell.text())
            assert is_whole or cell.text().startswith("of")  # a remark gives way
            drawn.add(is_whole)
    assert drawn == {True, False}


def test_the_column_of_numbers_is_as_wide_as_the_text_is_large(theme: Theme, qtbot: QtBot) -> None:
    table = Figures(theme, "Trim")
    qtbot.addWidget(table)
    for size in (9, 24):
        theme.set_text_size(size)
        table.show_rows([Figure("frames", "3", "", "of 5")])
        table.resize(table.sizeHint().width() + 200, 100)
        bring_up(table, qtbot)
        settle()
        number = next(label for label in table.findChildren(Label) if label.text() == "3")
        assert number.width() == theme.px(64)


def is_blank(widget: QWidget) -> bool:
    """Nothing is drawn in it."""
    picture = widget.grab().toImage()
    return len({picture.pixel(x, y) for x in range(picture.width()) for y in range(picture.height())}) <= 1


def test_a_dialog_keeps_its_height_whatever_it_shows_and_follows_larger_text(theme: Theme, qtbot: QtBot) -> None:
    dialog = BaseDialog(theme)
    qtbot.addWidget(dialog)
    dialog.say("Title", "Heading")
    line = dialog.add_line("A few words. " * 10)
    button = dialog.add_button("Go", dialog.accept)
    dialog.open_()
    settle()
    size, place = dialog.size(), button.geometry()
    for words, scrolls in (("A few words.", False), ("A few words. " * 60, True), ("A few words.", True)):
        line.setText(words)
        dialog.make_room()
        settle()
        assert (dialog.size(), button.geometry()) == (size, place)
        assert bool(dialog.findChildren(QScrollArea)) == scrolls
    line.setText("A few words. " * 10)
    theme.set_text_size(18)
    settle()
    assert size.height() < dialog.height() < 2 * size.height()


def test_a_count_of_bytes_has_its_thousands_apart(theme: Theme, qtbot: QtBot) -> None:
    label = NumberLabel(theme, "B", name="bytes")
    qtbot.addWidget(label)
    label.set_value(14008)
    assert label.text() == "14,008"
    label.set_value(14008.5)
    assert label.text() == "14008.500"


def a_name_goes_on_where_no_value_stands(theme: Theme, window: MainWindow) -> None:
    delegate = window.panes.get(PACKETS).tree.delegate
    bare, small, large = (
        TreeLine("name", Place(0), value=value, unit=unit)
        for value, unit in (("", ""), ("3.6", "m/s"), ("-15871.077", "cm"))
    )
    assert delegate.value_width(bare) == 0
    assert 0 < delegate.value_width(small) < delegate.value_width(large)
    assert delegate.value_width(TreeLine("name", Place(0), value="Green")) > 0


def test_lines_captions_and_bars_are_whole_at_every_width(request: pytest.FixtureRequest, window: MainWindow) -> None:
    in_turn(
        request,
        window,
        the_lines_of_the_panel_never_overlap,
        the_status_bar_says_everything_in_full,
        a_caption_is_whole_where_there_is_room,
        numbers_and_bytes_are_whole_in_a_narrow_panel,
        a_name_goes_on_where_no_value_stands,
        the_status_bar_is_laid_out_as_soon_as_text_is_larger,
        opens=False,
    )


TINY = QSize(675, 344)
"""What a window has on a screen of 1366x768 at twice the size."""


@pytest.fixture
def tiny_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("shell.main_window", "dialogs.base", "dialogs.guide", "dialogs.properties"):
        monkeypatch.setattr(f"recorder_editor.ui.{name}.room_for", lambda _window: TINY)


def is_inside(widget: QWidget, window: QWidget) -> bool:
    return window.rect().contains(QRect(widget.mapTo(window, QPoint()), widget.size()))


def the_window_fits_a_screen_that_is_smaller_than_the_design(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(TINY)
    assert window.size() == TINY
    for preset in PRESETS:
        window.panes.set_preset(preset)
        settle()
        parts = [window.search_field, *(dock for dock in window.panes.docks.values() if dock.is_in_front())]
        assert [part for part in parts if not is_inside(part, window)] == []
        assert window.panes.centre.width() >= 180, preset
        assert window.panes.centre.height() >= 90, preset
    # What looks for damage may take so long that it is shown, with what is left of it.
    repair = window.panes.get(REPAIR)
    qtbot.waitUntil(lambda: repair.preview is not None and not window.session.jobs.running)
    before = repair.width()
    repair.strip.set_progress("Looking for recoverable data", 0.5, 12)
    repair.strip.show()
    settle()
    assert (repair.strip.isVisible(), repair.width()) == (True, before)
    repair.strip.hide()
    window.panes.set_preset("inspect")
    settle()
    assert window.panes.get(PACKETS).height() > window.panes.get(BYTES).height()
    window.search_field.open_list()
    assert is_inside(window.search_field.list, window)


@pytest.mark.usefixtures("tiny_screen")
def test_the_start_page_scrolls_where_it_does_not_fit(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window()
    window.resize(TINY.width(), 300)
    page = window.start_page
    qtbot.waitUntil(lambda: page.height() >= page.minimumSizeHint().height() > page.parentWidget().height())


def test_the_parts_of_a_dialog_stay_together_where_it_is_higher_than_its_words(theme: Theme, qtbot: QtBot) -> None:
    dialog = BaseDialog(theme)
    qtbot.addWidget(dialog)
    dialog.say("Title", "Heading")
    first, second, third = (dialog.add_line(text) for text in ("One.", "Two.", "Three."))
    dialog.add_button("Go", dialog.accept)
    dialog.open_()
    settle()
    before = [part.geometry() for part in (dialog.heading, first, second)]
    third.hide()
    dialog.make_room()
    dialog.resize(dialog.width(), dialog.height() + 60)
    settle()
    assert [part.geometry() for part in (dialog.heading, first, second)] == before


def test_what_begins_to_scroll_stays_visible_and_keeps_the_keyboard(theme: Theme, qtbot: QtBot) -> None:
    dialog = BaseDialog(theme)
    qtbot.addWidget(dialog)
    dialog.say("Title", "Heading")
    field = QLineEdit()
    dialog.body.addWidget(field)
    line = dialog.add_line("One.")
    line.hide()
    dialog.open_()
    field.setFocus()
    settle()
    line.setMinimumHeight(dialog.height())
    line.show()
    dialog.make_room()
    assert [part.isVisible() for part in (dialog.heading, field, line)] == [True, True, True]
    assert dialog.focusWidget() is field


@pytest.mark.usefixtures("tiny_screen")
def test_a_dialog_scrolls_where_the_screen_is_too_small_for_it(theme: Theme, qtbot: QtBot) -> None:
    for height in (100, 900):
        dialog = BaseDialog(theme)
        qtbot.addWidget(dialog)
        dialog.say("Title", "Heading", "Words")
        field = QLineEdit()
        dialog.body.addWidget(field)
        tall = QWidget()
        tall.setMinimumHeight(height)
        dialog.body.addWidget(tall)
        button = dialog.add_button("Go", dialog.accept, filled=True)
        field.setFocus()
        dialog.open_()
        assert dialog.focusWidget() is field
        assert dialog.height() <= TINY.height()
        assert is_inside(button, dialog)
        areas = dialog.findChildren(QScrollArea)
        assert len(areas) == (height > TINY.height())
        for area in areas:
            assert area.verticalScrollBar().maximum() > 0
            assert area.isAncestorOf(tall)


@pytest.mark.usefixtures("tiny_screen")
def test_a_dialog_of_a_given_size_is_never_larger_than_the_screen(session: Session, theme: Theme, qtbot: QtBot) -> None:
    for dialog in (ReplaceDialog(session, theme), GuideWindow(theme)):
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
        qtbot.addWidget(dialog)
        dialog.show()
        assert dialog.size().boundedTo(TINY) == dialog.size(), dialog


def on_a_tiny_screen_sizes_and_their_names_stand_below_the_table(
    window: MainWindow, theme: Theme, qtbot: QtBot
) -> None:
    dialog = PropertiesDialog(window.session, theme)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
    qtbot.addWidget(dialog)
    qtbot.waitUntil(lambda: not dialog.counting.is_running)
    dialog.show()
    settle()
    assert dialog.size().boundedTo(TINY) == dialog.size()
    assert dialog.plot.mapTo(dialog, QPoint()).y() > dialog.table.mapTo(dialog, QPoint()).y() + dialog.table.height()
    assert dialog.plot.legend.sceneBoundingRect().right() <= dialog.plot.width()
    assert dialog.plot.plot.vb.width() > 100


def test_the_options_of_a_repair_fit_the_narrowest_pane(theme: Theme, qtbot: QtBot) -> None:
    options = Options(theme)
    area = make_scrolling(options)
    qtbot.addWidget(area)
    options.show_frames(508, None)
    options.show_map("", missing=True)
    area.show()
    for width in (theme.px(260), theme.px(187)):
        area.resize(width, 160)
        settle()
        assert options.width() == area.viewport().width() == width
        assert options.slider.isVisible() == (width > theme.px(200))


def the_filter_of_packets_has_room_in_small_windows_with_large_text(
    whole: MainWindow, theme: Theme, qtbot: QtBot
) -> None:
    whole.resize(1000, 700)
    theme.set_text_size(18)
    packets = whole.panes.get(PACKETS)
    segments = [packets.mode.segment(index) for index in (0, 1)]
    qtbot.waitUntil(lambda: [each.toolTip() for each in segments] == ["This frame", "Recording"])
    qtbot.waitUntil(lambda: packets.filter.width() >= theme.px(100))
    assert [each.accessibleName() for each in segments] == ["This frame", "Recording"]
    theme.set_text_size(12)
    qtbot.waitUntil(lambda: [each.toolTip() for each in segments] == ["", ""])


def packets_show_rows_beside_signals_in_small_windows_with_large_text(
    whole: MainWindow, theme: Theme, qtbot: QtBot
) -> None:
    whole.resize(1000, 700)
    theme.set_text_size(18)
    whole.panes.show("signals")
    packets, docks = whole.panes.get(PACKETS), whole.panes.docks
    qtbot.waitUntil(lambda: packets.filter.height() >= theme.px(24))
    settle()
    assert packets.tree.viewport().height() >= 2 * theme.px(ROW)
    assert packets.filter.height() >= packets.filter.sizeHint().height()
    assert packets.mode.height() >= packets.mode.sizeHint().height()
    assert docks["signals"].height() >= theme.px(64)
    assert docks["timeline"].height() >= theme.px(80)
    theme.set_text_size(12)
    qtbot.waitUntil(lambda: docks["timeline"].height() >= 142)
    assert packets.tree.header().isVisible()


def the_only_state_of_history_is_whole_beside_signals(whole: MainWindow) -> None:
    whole.resize(1280, 800)
    settle()
    whole.panes.show("signals")
    settle()
    states = whole.panes.get(HISTORY).list
    assert states.viewport().height() >= states.sizeHintForRow(0)


def packets_menus_and_tools_are_whole_on_the_smallest_screen(window: MainWindow, theme: Theme) -> None:
    window.badge.set_count(12)
    window.resize(TINY)
    packets, bar, tools = window.panes.get(PACKETS), window.menuBar(), window.toolbar
    for text_size, rows in ((9, 3), (12, 3), (14, 1), (16, 1), (18, 1)):
        theme.set_text_size(text_size)
        settle()
        assert window.size() == TINY
        assert packets.tree.viewport().height() >= rows * theme.px(ROW), text_size
        strip = packets.filter, packets.mode
        assert [part for part in strip if part.isVisible() and part.height() < part.sizeHint().height()] == []
        timeline = window.panes.get(TIMELINE)
        assert timeline.transport.y() + timeline.transport.height() <= timeline.canvas.y(), text_size
        assert timeline.canvas.height() >= theme.px(20)
        menus = [bar.actionGeometry(action).right() for action in bar.actions()]
        assert max(menus) < window.file_name.x(), text_size
        assert is_inside(window.search_field, window), text_size
        badge = QRect(window.badge.mapTo(tools, QPoint()), window.badge.size())
        checks = tools.widgetForAction(window.registry["tools.checks"])
        assert checks.geometry().right() < badge.left() < badge.right() < window.search_field.mapTo(tools, QPoint()).x()
    theme.set_text_size(12)
    for width in range(675, 705, 6):  # where words begin to fit
        window.resize(width, 344)
        settle()
        assert is_inside(window.search_field, window), width
    window.panes.focus("packets")
    assert packets.open_find()
    assert packets.filter.hasFocus()
    assert packets.filter.height() >= packets.filter.sizeHint().height()


def the_button_of_empty_signals_is_whole_on_the_smallest_screen(window: MainWindow, theme: Theme, qtbot: QtBot) -> None:
    window.resize(TINY)
    for text_size in (12, 14, 16, 18):
        theme.set_text_size(text_size)
        window.panes.show("signals")
        button = window.panes.get(SIGNALS).add_first
        settle()
        assert button.isVisible()
        assert button.height() >= button.sizeHint().height()
        assert is_inside(button, window.panes.get(SIGNALS)), text_size


@pytest.mark.usefixtures("tiny_screen")
def test_everything_is_whole_on_the_smallest_screen(
    request: pytest.FixtureRequest, window: MainWindow, theme: Theme
) -> None:
    in_turn(
        request,
        window,
        packets_menus_and_tools_are_whole_on_the_smallest_screen,
        the_button_of_empty_signals_is_whole_on_the_smallest_screen,
        on_a_tiny_screen_sizes_and_their_names_stand_below_the_table,
        the_window_fits_a_screen_that_is_smaller_than_the_design,
        opens=False,
        between=lambda: theme.set_text_size(12),
    )


def lanes_and_actors_stay_in_the_timeline_above_signals(whole: MainWindow, qtbot: QtBot) -> None:
    canvas = whole.panes.get(TIMELINE).canvas
    for size, rows in (((1440, 900), 3), ((1280, 800), 2), ((1000, 700), 1)):
        whole.resize(*size)
        for is_shown in (True, False):
            whole.panes.show("signals", is_shown)
            settle()
            qtbot.waitUntil(lambda rows=rows: canvas.timeline_layout.rows >= rows)
            assert lanes_shown(whole)[:3] == ["Events", "Collisions", "Problems"], size


def an_xy_plot_takes_its_room_from_the_panes_above_not_from_the_timeline(whole: MainWindow, qtbot: QtBot) -> None:
    whole.resize(1440, 900)
    signals = whole.panes.get(SIGNALS)
    whole.panes.show("signals")
    settle()
    canvas = whole.panes.get(TIMELINE).canvas
    before = canvas.height(), signals.height()
    signals.parts.show_part(XY, on=True)
    qtbot.waitUntil(lambda: signals.height() > before[1])
    assert lanes_shown(whole)[:2] == ["Events", "Collisions"]
    assert canvas.timeline_layout.rows >= 1
    signals.parts.show_part(XY, on=False)
    qtbot.waitUntil(lambda: (canvas.height(), signals.height()) == before)


def parts_of_signals_push_nothing_out_of_a_small_window(whole: MainWindow, qtbot: QtBot) -> None:
    whole.resize(960, 600)
    whole.session.selection.select_actor(HERO)
    whole.session.range.set(20, 40)
    signals = whole.panes.get(SIGNALS)
    whole.panes.show("signals")
    settle()
    before = signals.height()
    signals.add(Key("motion", "speed", "", HERO), Key("motion", "acceleration", "", HERO))
    for part in (XY, HISTOGRAM, STATISTICS):
        signals.parts.show_part(part, on=True)
    qtbot.waitUntil(lambda: signals.height() > before)
    idle(whole, qtbot)
    settle()
    assert whole.height() == 600
    foot = signals.mapTo(whole, signals.rect().bottomLeft()).y()
    assert foot < whole.status.y(), "the status bar is below it"
    assert whole.status.geometry().bottom() < 600
    for part in (XY, HISTOGRAM, STATISTICS):
        signals.parts.show_part(part, on=False)
    whole.session.range.clear()
    settle()


def an_edit_moves_no_lane(whole: MainWindow, qtbot: QtBot) -> None:
    for size in ((1280, 800), (1000, 700)):
        whole.resize(*size)
        whole.panes.show("signals")
        settle()
        canvas, session = whole.panes.get(TIMELINE).canvas, whole.session
        before, rows = lanes_shown(whole), canvas.timeline_layout.rows
        session.editing.apply(edits.overwrite(session.snapshot_or_refuse(), 90_000, b"\0"))
        idle(whole, qtbot)
        assert (lanes_shown(whole), canvas.timeline_layout.rows) == (before, rows)
        session.editing.undo()
        idle(whole, qtbot)
        assert (lanes_shown(whole), canvas.timeline_layout.rows) == (before, rows)


def room_for_all_lanes_is_asked_by_the_foot_and_by_a_command(whole: MainWindow, qtbot: QtBot) -> None:
    whole.resize(1280, 700)
    whole.panes.show("signals")
    settle()
    canvas = whole.panes.get(TIMELINE).canvas
    hidden = [lane.name for lane in canvas.timeline_layout.hidden_lanes]
    assert "Spawned, gone" in hidden
    menu = whole.panes.get(TIMELINE).timeline_lane_menu()
    assert not next(action for action in menu.actions() if action.text() == "Spawned, gone").isChecked()
    menu.deleteLater()
    foot = QPoint(40, canvas.height() - 5)
    qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=foot)
    qtbot.waitUntil(lambda: lanes_shown(whole)[-1] == hidden[-1])
    assert whole.registry.reason("view.timeline_lanes") == "All lanes of the timeline have room."
    whole.registry.run("view.reset")
    whole.panes.show("signals")
    settle()
    whole.registry.run("view.timeline_lanes")
    qtbot.waitUntil(lambda: lanes_shown(whole)[-1] == hidden[-1])
    whole.registry.run("view.reset")
    settle()


def lanes_shown(window: MainWindow) -> list[str]:
    return [lane.name for lane in window.panes.get(TIMELINE).canvas.timeline_layout.timeline_lanes]


def test_panes_have_room_above_and_beside_signals(request: pytest.FixtureRequest, whole: MainWindow) -> None:
    in_turn(
        request,
        whole,
        the_filter_of_packets_has_room_in_small_windows_with_large_text,
        the_only_state_of_history_is_whole_beside_signals,
        lanes_and_actors_stay_in_the_timeline_above_signals,
        an_xy_plot_takes_its_room_from_the_panes_above_not_from_the_timeline,
        parts_of_signals_push_nothing_out_of_a_small_window,
        packets_show_rows_beside_signals_in_small_windows_with_large_text,
        an_edit_moves_no_lane,
        room_for_all_lanes_is_asked_by_the_foot_and_by_a_command,
        opens=False,
        between=lambda: whole.panes.show("signals", False),
    )
