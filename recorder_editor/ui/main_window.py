"""The window: panes in their docks, menus, toolbar and status bar around one session.

It joins the parts; what a pane shows, how a file is saved and what an action is called stands elsewhere.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QShortcut,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QApplication,
    QComboBox,
    QMainWindow,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from .actions import Actions, ActionSpec
from .arrangement import Arrangement
from .attributes import AttributePanel
from .boxes import fill
from .commands import MENUS, every_action
from .commands.operations import add_to_menu
from .dialogs.dialect import DialectDialog
from .dialogs.palette import WIDTH, PaletteField
from .dialogs.search import Search
from .differences import DifferencesPane
from .docks import INSPECT, PRESETS, REPAIR, Dock, Grips
from .documents import Documents
from .focus import next_stop
from .hex_view import HexPane
from .history_view import HistoryView
from .jobs import Job
from .leftovers import Leftovers
from .menus import fill_menus, make_toolbar
from .notice import Notice
from .packet_tree import PacketPane
from .player import Player
from .repairing import RepairPane
from .scene import ScenePane
from .session import Session
from .settings import Settings
from .signal_key import Key
from .signals.pane import SignalsPane
from .start_page import StartPage
from .status import Status
from .tables import ActorsTable, ProblemsTable
from .theme import Theme
from .timeline import TimelinePane
from .trimming import TrimPane
from .widgets import CountBadge, DockTitle, ElidedLabel

SMALLEST = QSize(960, 600)
_TITLE = "Recorder Editor"
_LETTERS = {
    Qt.Key.Key_J: "play.backward",
    Qt.Key.Key_K: "play.stop",
    Qt.Key.Key_L: "play.forward",
    Qt.Key.Key_I: "range.in",
    Qt.Key.Key_O: "range.out",
    Qt.Key.Key_BracketLeft: "play.slower",
    Qt.Key.Key_BracketRight: "play.faster",
}


class MainWindow(QMainWindow):
    """One recording.

    Signals: `window_asked(str)` (another window, with this path or none), `restore_asked(Leftover)` (another window,
    with what a crash left), `closed()`.
    """

    window_asked = Signal(str)
    restore_asked = Signal(object)
    closed = Signal()

    def __init__(self, theme: Theme, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.icons = theme.icons
        self.settings = settings
        self.session = Session(self)
        self.player = Player(self.session, self)
        self.documents = Documents(self.session, settings, theme, self)
        self.leftovers = Leftovers(self.documents, theme, self)
        self._is_new = False
        self._may_close = False
        self._keeps_edits = False
        self._judged: Path | None = None
        self._preset_before: str | None = None
        self.setMinimumSize(SMALLEST)
        self.setAcceptDrops(True)
        self.setDockNestingEnabled(True)
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        for corner in (Qt.Corner.BottomLeftCorner, Qt.Corner.BottomRightCorner):
            self.setCorner(corner, Qt.DockWidgetArea.BottomDockWidgetArea)
        self._make_panes()
        self._make_centre()
        self.registry = Actions(self, self.icons)
        self.search_field = PaletteField(theme, Search(self.session, self.registry))
        self._make_chrome()
        self._connect()
        self._show_start()
        self._retitle()

    # --- parts ------------------------------------------------------------------------------------------

    def _make_panes(self) -> None:
        parts = (self.session, self.theme, self.icons)
        self.packets = PacketPane(*parts)
        self.actors = ActorsTable(*parts)
        self.problems = ProblemsTable(*parts)
        self.bytes = HexPane(*parts)
        self.attributes = AttributePanel(*parts)
        self.history = HistoryView(*parts)
        self.differences = DifferencesPane(*parts)
        self.trim = TrimPane(*parts)
        self.repair = RepairPane(*parts)
        self.scene = ScenePane(*parts)
        self.timeline = TimelinePane(*parts, self.player)
        self.signals = SignalsPane(*parts, self.timeline.canvas, self.settings)
        panes: tuple[tuple[str, str, QWidget], ...] = (
            ("packets", self.tr("Packets"), self.packets),
            ("actors", self.tr("Actors"), self.actors),
            ("problems", self.tr("Problems"), self.problems),
            ("bytes", self.tr("Bytes"), self.bytes),
            ("attributes", self.tr("Attributes"), self.attributes),
            ("history", self.tr("History"), self.history),
            ("differences", self.tr("Differences"), self.differences),
            ("trim", self.tr("Trim"), self.trim),
            ("repair", self.tr("Repair"), self.repair),
            ("timeline", self.tr("Timeline"), self.timeline),
            ("signals", self.tr("Signals"), self.signals),
        )
        self.docks = {
            name: Dock(name, title, pane, self.theme, self, quiet=name == "timeline") for name, title, pane in panes
        }
        self.arrangement = Arrangement(self, self.docks, self.settings, self.theme)
        self._grips = Grips(self, self.docks.values(), self.theme)

    def _make_centre(self) -> None:
        self.start_page = StartPage(self.settings, self.theme)
        centre = QWidget()
        self.scene_title = DockTitle(self.theme, self.tr("Scene"))
        for switch in self.scene.title_switches:
            self.scene_title.add_switch(switch)
        fill(QVBoxLayout(centre), self.scene_title, (self.scene, 1), spacing=0)
        self.centre = QStackedWidget()
        self.centre.addWidget(self.start_page)
        self.centre.addWidget(centre)
        self.setCentralWidget(self.centre)

    def _make_chrome(self) -> None:
        self.registry.add(*every_action(self))
        for pane in (
            self.packets,
            self.actors,
            self.problems,
            self.bytes,
            self.attributes,
            self.history,
            self.scene,
            self.timeline,
            self.signals,
        ):
            offered: Callable[[], list[ActionSpec]] | None = getattr(pane, "actions_offered", None)
            if offered is not None:
                self.registry.add(*offered())
        self.badge = CountBadge(self.theme, self.tr("problems"))
        self.toolbar = make_toolbar(self.registry, self.badge, self.search_field)
        self.addToolBar(self.toolbar)
        self.notice = Notice(self.theme)
        self.addToolBarBreak()
        self.addToolBar(self.notice)
        self.menus = fill_menus(self.menuBar(), MENUS, self.registry, self.tr)
        recent = self.menus["File"].addMenu(self.tr("Open recent"))
        recent.setObjectName("menu.recent")
        self.menus["File"].insertMenu(self.registry["file.reload"], recent)
        recent.aboutToShow.connect(self._fill_recent)
        self.menus["recent"] = recent
        self.file_name = ElidedLabel(self.theme, "", "small", "muted")
        # With the margin of the menu bar: above the end of the field below.
        self.file_name.setContentsMargins(12, 0, 4, 0)
        self.menuBar().setCornerWidget(self.file_name, Qt.Corner.TopRightCorner)
        self.status = Status(self.session, self.theme)
        self.setStatusBar(self.status)
        self.theme.changed.connect(self._restyle)
        self._restyle()
        self._space = QShortcut(QKeySequence(Qt.Key.Key_Space), self, lambda: self.registry.run("play.toggle"))

    def _restyle(self) -> None:
        """What has a length of its own follows the size of the text."""
        self.toolbar.setFixedHeight(self.theme.px(36))
        self.search_field.setFixedWidth(self.theme.px(WIDTH))
        self.file_name.setFixedHeight(self.theme.px(24))
        self._fit_name()
        self.arrangement.measure_soon()

    def _fit_name(self) -> None:
        self.file_name.adjustSize()
        self.menuBar().setCornerWidget(self.file_name, Qt.Corner.TopRightCorner)
        self.file_name.show()

    def _connect(self) -> None:
        session, documents = self.session, self.documents
        session.opened.connect(self._take_over)
        session.state_changed.connect(self._retitle)
        session.checked.connect(self._count_problems)
        session.comparing.changed.connect(self._show_differences)
        for signal in (
            session.opened,
            session.changed,
            session.selected,
            session.range_changed,
            session.checked,
            session.comparing.changed,
            session.jobs.changed,
            self.player.changed,
            self.theme.changed,
            self.signals.changed,
            self.signals.looks.changed,
            session.traffic.changed,
            self.scene.view.toggled,
        ):
            signal.connect(self.registry.refresh_soon)
        # At once, and rare enough for it: a key that is pressed next must find its action.
        session.state_changed.connect(self.registry.refresh)
        for dock in self.docks.values():
            dock.visibilityChanged.connect(self._dock_changed)
        self._grips.dragged.connect(self.arrangement.moved_by_hand)
        self.arrangement.settled.connect(self._show_new)
        documents.began.connect(self._begin)
        documents.disk.told.connect(self.notice.say)
        documents.recents_changed.connect(self.start_page.refresh)
        documents.window_asked.connect(self.window_asked)
        documents.restore_asked.connect(self.restore_asked)
        self.leftovers.changed.connect(self._show_leftovers)
        self.start_page.leftovers_asked.connect(self.leftovers.ask_or_say)
        self.notice.reload.clicked.connect(documents.reload)
        self.notice.script.clicked.connect(lambda: self.registry.run("tools.save_script"))
        self.notice.compare.clicked.connect(documents.compare_with_disk)
        self.notice.follow.clicked.connect(documents.disk.follow)
        self.notice.keep.clicked.connect(documents.disk.keep_mine)
        self.start_page.open_asked.connect(documents.ask_open)
        self.start_page.demo_asked.connect(documents.ask_demo)
        self.start_page.recent_asked.connect(lambda path: documents.open(Path(path)))
        for pane in (self.actors, self.packets, self.scene):
            pane.menu_asked.connect(lambda menu: add_to_menu(menu, self.registry))
        for asking in (self.packets, self.attributes):
            asking.plot_asked.connect(lambda: self.plot(self.signals.selected_keys()))
        for pane in (self.actors, self.scene):
            pane.menu_asked.connect(lambda menu: menu.addAction(self.registry["signals.plot"]))
        self.actors.picked.connect(self.registry.refresh_soon)
        self.repair.save_asked.connect(lambda path: documents.ask_save_as(suggested=path))
        self.repair.changed.connect(self.registry.refresh_soon)
        self.scene.caption_changed.connect(lambda text: self.scene_title.set_caption(text, "left"))
        self.bytes.inserting_changed.connect(self._set_inserting)
        self.status.asked.connect(self._asked)
        self.history.script_asked.connect(lambda: self.registry.run("tools.save_script"))
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._focus_changed)

    # --- what is open -----------------------------------------------------------------------------------

    def _take_over(self) -> None:
        """Show the recording that was opened, or the start page."""
        shown = self.session.snapshot is not None
        if shown and self.centre.currentIndex() == 0:
            self.centre.setCurrentIndex(1)
            self._is_new = True
            self._lay_out()
            self.packets.setFocus(Qt.FocusReason.OtherFocusReason)
        elif not shown and self.centre.currentIndex() == 1:
            self.arrangement.keep()
            self._show_start()
        self._show_damage()
        self._retitle()

    def _show_start(self) -> None:
        for dock in self.docks.values():
            dock.hide()
        self.arrangement.is_laid_out = False
        self.centre.setCurrentIndex(0)
        self.start_page.refresh()
        self._show_leftovers()
        self.start_page.take_focus()

    def _show_leftovers(self) -> None:
        self.start_page.show_leftovers(self.leftovers.names())

    def _show_damage(self) -> None:
        """A damaged file opens in the layout for repair, and the next sound one in that from before.

        Only where another file is opened: who reads the same one again stays where they are.
        """
        recording = self.session.recording
        if recording is None or recording.path == self._judged:
            self._judged = self._judged if self.session.snapshot is not None else None
            return
        self._judged = recording.path
        if any(finding.severity == "error" for finding in recording.findings):
            if self.preset != REPAIR.name:
                self._preset_before = self.preset
                self.set_preset(REPAIR.name)
        elif self._preset_before is not None:
            before, self._preset_before = self._preset_before, None
            if self.preset == REPAIR.name:
                self.set_preset(before)

    def _begin(self, job: Job) -> None:
        if self.centre.currentIndex() == 0:
            self.start_page.show_job(job)

    def _retitle(self) -> None:
        path = self.documents.path
        name = path.name if path is not None else ""
        self.setWindowTitle(f"{name}[*] - {_TITLE}" if name else _TITLE)
        self.setWindowModified(bool(name) and self.session.is_modified)
        if self.file_name.text() != name:
            self.file_name.setText(name)
            self.file_name.setToolTip(str(path) if path is not None else "")
            self._fit_name()
        self.setWindowFilePath("")

    def _count_problems(self) -> None:
        errors = sum(finding.severity == "error" for finding in self.session.findings)
        warnings = sum(finding.severity == "warning" for finding in self.session.findings)
        self.badge.set_count(errors + warnings, "error" if errors else "warning")

    def _set_inserting(self, inserting: bool) -> None:
        self.status.is_inserting = inserting
        self.status.refresh()
        self.registry.refresh_soon()

    def _dock_changed(self) -> None:
        shows = not self.docks["bytes"].isHidden()
        if self.status.shows_bytes != shows:
            self.status.shows_bytes = shows
            self.status.refresh()
        self.registry.refresh_soon()

    # --- the layout -------------------------------------------------------------------------------------

    @property
    def preset(self) -> str:
        """The name of the layout."""
        return self.arrangement.preset

    def set_preset(self, name: str) -> None:
        """Arrange the panes as for inspecting, trimming or repairing."""
        if self.session.snapshot is not None and name != self.preset:
            self.arrangement.keep()
        self.arrangement.preset = name
        if self.session.snapshot is not None:
            self._lay_out()

    def toggle_preset(self, name: str) -> None:
        """To this layout, or from it back to inspecting."""
        self.set_preset(INSPECT.name if self.preset == name else name)

    def reset_layout(self) -> None:
        """All panes where they were designed to be, in every layout."""
        self.settings.forget_layouts()
        self._lay_out()

    def _lay_out(self) -> None:
        if not self.isVisible():
            self.arrangement.is_laid_out = False
            return
        preset, pane = PRESETS[self.preset], self.focused_pane()
        self.setUpdatesEnabled(False)
        self.arrangement.lay_out()
        # A kept layout tells of the bars, too, as they were then.
        self.toolbar.show()
        self.notice.setVisible(bool(self.notice.words.text()))
        self.setUpdatesEnabled(True)
        if self.session.comparing.other is not None:
            self.docks["differences"].show()
        self.status.shows_range = preset.name == "trim"
        self.status.refresh()
        if preset.tabs:
            self.docks[preset.tabs[0]].raise_()
        if pane is not None:
            # Its dock was taken out meanwhile, and perhaps it is in no dock of this layout.
            (pane if pane.isVisible() else self.scene).setFocus(Qt.FocusReason.OtherFocusReason)
        self._dock_changed()

    def _show_new(self) -> None:
        """The scene of a new recording, whole, once it has its room."""
        if self._is_new:
            self._is_new = False
            self.scene.view.fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.session.snapshot is not None and not self.arrangement.is_laid_out:
            self._lay_out()

    def show_dock(self, name: str, on: bool) -> None:
        """Show a pane, or hide it."""
        was_shown = not self.docks[name].isHidden()
        if was_shown != on:
            self.arrangement.moved_by_hand()
        self.docks[name].setVisible(on)
        if on:
            self.docks[name].raise_()
        if name == "signals" and was_shown != on:
            self.arrangement.make_room_below()

    def raise_dock(self, name: str) -> None:
        """Bring a pane to the front and give it the keyboard."""
        self.show_dock(name, True)
        self.docks[name].pane.setFocus(Qt.FocusReason.OtherFocusReason)

    # --- what actions do --------------------------------------------------------------------------------

    def quit(self) -> None:
        """Close this window; the program ends with its last one."""
        self.close()

    def focused_pane(self) -> QWidget | None:
        """The pane that has the keyboard, or will have it when the window does."""
        present: QWidget | None = QApplication.focusWidget()  # the stub leaves None out
        widget: QWidget | None = self.focusWidget() if present is None else present
        panes = {self.scene, *(dock.pane for dock in self.docks.values())}
        while widget is not None and widget not in panes:
            widget = widget.parentWidget()
        return widget

    def copy(self) -> None:
        """Copy what is selected, as the pane with the keyboard shows it."""
        if self.focused_pane() is self.bytes:
            self.bytes.copy("text" if self.bytes.view.in_text else "hex")
        else:
            self.packets.copy("hex")

    def find_in_pane(self) -> None:
        """Find in the pane that has the keyboard; elsewhere filter the packets."""
        pane = self.focused_pane()
        if pane is self.bytes:
            self.bytes.open_find()
            return
        name, field = ("actors", self.actors.filter) if pane is self.actors else ("packets", self.packets.filter)
        self.show_dock(name, True)
        field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        field.selectAll()

    def find_bytes(self) -> None:
        """Open the find bar of the bytes."""
        self.show_dock("bytes", True)
        self.bytes.open_find()

    def plot(self, keys: tuple[Key, ...]) -> None:
        """Show signals over time, and the pane that does."""
        if keys:
            self.show_dock("signals", True)
            self.signals.add(*keys)

    def show_problems(self) -> None:
        """Bring the problems to the front; a layout without them gives way to the one for repair."""
        if self.docks["problems"].isHidden():
            self.set_preset("repair")
        self.raise_dock("problems")

    def _show_differences(self) -> None:
        """Bring the differences to the front while something is compared, and put them away afterwards."""
        compares = self.session.comparing.other is not None
        if compares == self.docks["differences"].isHidden():
            self.show_dock("differences", compares)

    def show_dialect(self) -> None:
        """What the file speaks, and why."""
        DialectDialog(self.session, self.theme, self).open_()

    def _asked(self, part: str) -> None:
        does: dict[str, Callable[[], None]] = {
            "dialect": self.show_dialect,
            "offset": lambda: self.registry.run("go.to"),
            "frame": lambda: self.registry.run("go.to"),
            "problems": self.show_problems,
            "edits": lambda: self.raise_dock("history"),
            "mode": lambda: self.registry.run("tools.insert"),
        }
        if self.session.snapshot is not None:
            does[part]()

    def _fill_recent(self) -> None:
        menu = self.menus["recent"]
        menu.clear()
        for recent in self.settings.recents:
            words = "   ".join(part for part in (Path(recent.path).name, recent.map, recent.date) if part)
            menu.addAction(words, partial(self.documents.open, Path(recent.path))).setToolTip(recent.path)
        if menu.isEmpty():
            menu.addAction(self.tr("None yet")).setEnabled(False)
        else:
            menu.addSeparator()
            menu.addAction(self.tr("Forget these files"), self._forget)

    def _forget(self) -> None:
        self.settings.forget_recents()
        self.start_page.refresh()

    # --- events -----------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Single letters reach the window only where no pane has taken them as text."""
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        held = event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
        name = None if held else _LETTERS.get(Qt.Key(event.key()))
        if self.focused_pane() in (None, self.scene, self.packets, self.actors):
            if event.key() == Qt.Key.Key_Delete and not held:
                name = "edit.delete"
            elif event.key() == Qt.Key.Key_D and control:
                name = "edit.duplicate"
        if name is not None and self.session.snapshot is not None:
            self.registry.run(name)
            event.accept()
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        present = QApplication.focusWidget()
        if present is not None and not (present.isEnabled() and present.isVisible()):
            # It went, or went grey, beneath the keyboard. At the next stop, Space would press what nobody chose.
            present.clearFocus()
            return True
        docks = [dock for dock in self.docks.values() if dock.isVisible() and not dock.isFloating()]
        columns: list[QWidget] = [dock for dock in docks if dock.geometry().right() >= 0 and dock.name != "timeline"]
        columns = sorted([*columns, self.centre], key=lambda part: (part.x(), part.y()))
        parts = [self.toolbar, self.notice, *columns, self.docks["timeline"]]
        there = next_stop(self, parts, present, forward=forward)
        if there is not None:
            there.setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
        return there is not None

    def _focus_changed(self, _before: QWidget | None, now: QWidget | None) -> None:
        # A button that has the keyboard is pressed by Space.
        self._space.setEnabled(not isinstance(now, (QAbstractButton, QComboBox, QAbstractSlider)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.search_field.close_list(give_back=False)
        self.arrangement.measure_soon()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _files(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        files = _files(event)
        if files:
            event.acceptProposedAction()
            self.documents.dropped(files)

    def closeEvent(self, event: QCloseEvent) -> None:
        if self.documents.wait_for_saving(self.close):
            event.ignore()
            return
        if self.session.is_modified and not self._may_close:
            event.ignore()
            self.documents.before_losing_edits(self.close_anyway)
            return
        self.player.pause()
        self.arrangement.keep()
        self.settings.geometry = self.saveGeometry()
        self.session.jobs.cancel_all()
        self.session.close(keep_edits=self._keeps_edits)
        event.accept()
        self.closed.emit()

    def close_anyway(self, *, keep_edits: bool = False) -> None:
        """Close, whatever was not saved; `keep_edits` leaves that to the next start of the program."""
        self._may_close = True
        self._keeps_edits = keep_edits
        self.close()


def _files(event: QDropEvent) -> list[Path]:
    """The local files that are dragged."""
    return [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
