"""The tooltip with a link: real moves of the mouse over views, to the card and away from it; its link, and F1."""

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt
from PySide6.QtGui import QHelpEvent, QStandardItem, QStandardItemModel
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLabel, QListView, QToolTip, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from recorder_editor.ui.dialogs.guide import GuideWindow
from recorder_editor.ui.session import Session
from recorder_editor.ui.session.debounce import Debounce
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import PACKETS, PROBLEMS
from recorder_editor.ui.style.theme import Mode, Theme
from recorder_editor.ui.widgets import hover_card
from recorder_editor.ui.widgets.hover_card import GUIDE, HoverCard
from recorder_editor.ui.widgets.pane import Pane

from .windows import OpenWindow, bring_up, idle


class Shown:
    """A list of three items, of which the last one has nothing in the guide, and the card."""

    def __init__(self, session: Session, theme: Theme, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.pane = Pane(session, theme)
        qtbot.addWidget(self.pane)
        self.view, model = QListView(), QStandardItemModel(self.pane)
        for text, place in (("first", "packets.md#Position (6)"), ("second", "checks.md#junk"), ("third", "")):
            item = QStandardItem(text)
            item.setToolTip(f"About the {text}")
            item.setData(place, GUIDE)
            model.appendRow(item)
        self.view.setModel(model)
        self.view.setSpacing(20)  # on its way to the card the mouse is at no other item, however long it takes
        QVBoxLayout(self.pane).addWidget(self.view)
        self.pane.resize(500, 400)
        self.card = HoverCard(self.pane)
        self.card.watch(self.view, lambda point: self.pane.explained_at(self.view, point))
        bring_up(self.pane, qtbot)

    def at(self, row: int) -> QPoint:
        rect = self.view.visualRect(self.view.model().index(row, 0))
        return self.view.viewport().mapToGlobal(rect.topLeft() + QPoint(20, rect.height() // 2))

    names = ("first", "second", "third")

    def hover(self, row: int, *, waits: bool = True) -> None:
        """Move the mouse onto an item; the tooltip comes as soon as Qt asks for it, or without waiting for that."""
        point, viewport = self.at(row), self.view.viewport()
        move(self.pane, point - QPoint(1, 0))
        move(self.pane, point)
        if not waits:
            QApplication.sendEvent(viewport, QHelpEvent(QEvent.Type.ToolTip, viewport.mapFromGlobal(point), point))
        self.qtbot.waitUntil(lambda: self.card.isVisible() and f"About the {self.names[row]}" in self.card.text())

    @property
    def link(self) -> QPoint:
        """The middle of the first words of the link, on the screen."""
        card = self.card
        return card.mapToGlobal(QPoint(30, card.height() - card.margin() - card.fontMetrics().height() // 2))


def move(window: QWidget, point: QPoint) -> None:
    """Move the mouse to a point of the screen, where a window gets it."""
    handle = window.windowHandle()
    QTest.mouseMove(handle, handle.mapFromGlobal(point))


def click(window: QWidget, point: QPoint) -> None:
    """Press and release the mouse at a point of the screen, where a window gets it."""
    handle, button = window.windowHandle(), Qt.MouseButton.LeftButton
    QTest.mouseClick(handle, button, Qt.KeyboardModifier.NoModifier, handle.mapFromGlobal(point))


@pytest.fixture
def shown(session: Session, theme: Theme, qtbot: QtBot) -> Shown:
    return Shown(session, theme, qtbot)


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mouse has all the time of the world to reach the card, however busy the machine is."""
    monkeypatch.setattr(hover_card, "MS_TO_REACH_IT", 60_000)


@pytest.mark.xcb
@pytest.mark.usefixtures("endless")
def test_the_mouse_goes_to_the_card_and_clicks_its_link(shown: Shown, qtbot: QtBot) -> None:
    shown.hover(0)
    card, start = shown.card, shown.at(0)
    edge = shown.view.viewport().mapToGlobal(shown.view.visualRect(shown.view.model().index(0, 0)).bottomLeft()).y()
    assert edge + 2 < card.y() - 1
    for y in (edge + 2, card.y() - 1):
        move(shown.pane, QPoint(start.x() + 1, y))
        assert card.isVisible()
    move(card, shown.link)
    qtbot.waitUntil(lambda: card.cursor().shape() == Qt.CursorShape.PointingHandCursor)
    with qtbot.waitSignal(card.asked) as asked:
        click(card, shown.link)
    assert asked.args == ["packets.md#Position (6)"]
    assert not card.isVisible()


@pytest.mark.usefixtures("endless")
def test_nothing_ends_it_while_the_mouse_is_on_its_row_or_on_itself(shown: Shown) -> None:
    shown.hover(0, waits=False)
    for window, point in ((shown.pane, shown.at(0) + QPoint(200, 0)), (shown.card, shown.link)):
        move(shown.pane, shown.pane.mapToGlobal(QPoint(450, 380)))
        assert any(rest.isActive() for rest in shown.card.findChildren(Debounce))
        move(window, point)
        assert not any(rest.isActive() for rest in shown.card.findChildren(Debounce))
        assert shown.card.isVisible()


def test_the_next_row_is_told_in_its_place(shown: Shown) -> None:
    shown.hover(0, waits=False)
    shown.hover(1, waits=False)
    assert shown.card.place() == "checks.md#junk"


def test_after_a_key_what_the_mouse_rests_at_is_not_meant(shown: Shown, qtbot: QtBot) -> None:
    shown.view.setFocus()
    shown.hover(0, waits=False)
    assert shown.card.place() == "packets.md#Position (6)"
    QTest.keyClick(shown.pane.windowHandle(), Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: not shown.card.place())


@pytest.mark.parametrize("end", ["away", "key", "click", "wheel", "another window", "closed"])
def test_it_goes_as_tooltips_go(shown: Shown, end: str, qtbot: QtBot) -> None:
    shown.hover(0, waits=False)
    far = shown.pane.mapToGlobal(QPoint(480, 390))
    if end == "away":
        move(shown.pane, far)
    elif end == "key":
        QTest.keyClick(shown.pane.windowHandle(), Qt.Key.Key_Down)
    elif end == "click":
        click(shown.pane, far)
    elif end == "wheel":
        handle = shown.pane.windowHandle()
        QTest.wheelEvent(handle, handle.mapFromGlobal(far), QPoint(0, -120))
    elif end == "another window":
        other = QWidget()
        qtbot.addWidget(other)
        bring_up(other, qtbot)
    else:
        shown.pane.close()
    qtbot.waitUntil(lambda: not shown.card.isVisible())


def test_an_item_without_a_place_in_the_guide_has_an_ordinary_tooltip(shown: Shown, qtbot: QtBot) -> None:
    move(shown.pane, shown.at(2) - QPoint(1, 0))
    move(shown.pane, shown.at(2))
    qtbot.waitUntil(lambda: QToolTip.text() == "About the third")
    assert not shown.card.isVisible()
    assert not shown.card.place()
    QToolTip.hideText()


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_it_looks_like_other_tooltips(shown: Shown, theme: Theme, mode: Mode, qtbot: QtBot) -> None:
    theme.set_mode(mode)
    shown.hover(0, waits=False)
    card = shown.card
    QToolTip.showText(shown.pane.mapToGlobal(QPoint(200, 300)), card.text())
    qtbot.waitUntil(QToolTip.isVisible)
    tip = next(each for each in QApplication.topLevelWidgets() if each.inherits("QTipLabel") and each.isVisible())
    assert isinstance(tip, QLabel)
    assert card.size() == tip.size()
    assert card.font() == tip.font()
    assert card.grab().toImage() == tip.grab().toImage()
    QToolTip.hideText()


# --- in the window --------------------------------------------------------------------------------------


@pytest.fixture
def window(open_window: OpenWindow, recordings: Path) -> MainWindow:
    return open_window(recordings / "carla-0.9.13-town05-collisions.log")


def hovered(window: MainWindow, view: QAbstractItemView, index: QModelIndex) -> HoverCard:
    """The card, after the mouse was moved onto an item of a view."""
    view.scrollTo(index)
    point = view.viewport().mapToGlobal(view.visualRect(index).center())
    move(window, point - QPoint(1, 0))
    move(window, point)
    return window.panes.card


def guide_of(window: MainWindow) -> tuple[str, str]:
    """The page, and the words that are marked or headed in it."""
    guide = window.findChild(GuideWindow)
    assert isinstance(guide, GuideWindow)
    cursor = guide.browser.textCursor()
    page = guide.pages.currentItem().data(Qt.ItemDataRole.UserRole)
    return page, cursor.selectedText() or cursor.block().text()


def test_the_link_of_a_packet_opens_the_guide_at_it(window: MainWindow, qtbot: QtBot) -> None:
    tree = window.panes.get(PACKETS).tree
    window.panes.focus(PACKETS.name)
    window.session.selection.select_actor(3890)
    card = hovered(window, tree, tree.currentIndex())
    qtbot.waitUntil(card.isVisible)
    at = QPoint(30, card.height() - card.margin() - card.fontMetrics().height() // 2)
    click(card, card.mapToGlobal(at))
    assert guide_of(window) == ("packets.md", "Position (6)")


def test_f1_explains_what_the_mouse_is_at_wherever_the_keyboard_is(window: MainWindow, qtbot: QtBot) -> None:
    problems = window.panes.get(PROBLEMS)
    qtbot.waitUntil(lambda: problems.model.rowCount() > 0)
    window.session.selection.select_actor(3890)
    window.panes.focus(PACKETS.name)
    window.panes.show(PROBLEMS.name)
    idle(window, qtbot)
    qtbot.waitUntil(problems.list.isVisible)
    card = hovered(window, problems.list, problems.model.index(0, 0))
    qtbot.waitUntil(card.isVisible)
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_F1)
    assert guide_of(window) == ("checks.md", problems.model.rows[0].code)
