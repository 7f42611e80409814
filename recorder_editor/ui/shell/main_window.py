"""The window: panes in their docks, menus, toolbar and status bar around one session.

It joins the parts; what a pane shows, how a file is saved and what an action is called stands elsewhere.
"""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QKeyEvent,
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
    QWidget,
)

from ...texts import say
from ..dialogs.palette import PaletteField
from ..dialogs.search import Search
from ..session import Session
from ..session.debounce import Debounce
from ..session.jobs import Job
from ..session.player import Player
from ..session.preferences import (
    APPLY_TO,
    KEYS,
    LANGUAGE,
    MAP_FOLDERS,
    ROADS,
    TEXT_SIZE_PIXELS,
    THEME,
    THRESHOLDS,
    UNDO_MEMORY,
    AnyPreference,
)
from ..session.settings import Settings
from ..style.boxes import Does, make_scrolling, room_for
from ..style.theme import Theme
from ..widgets import CountBadge, ElidedLabel
from ..widgets.actions import Actions, ActionSpec
from ..widgets.keyboard import next_tab_stop
from ..widgets.menus import add_to_menu, fill_menus, fit_tools, make_toolbar
from ..widgets.pane import Pane
from .action import MENUS, NO_ACTOR
from .commands import first_actions, last_actions, later_actions
from .commands.file import import_trajectories
from .commands.help import show_guide
from .commands.situations import begin_cut, begin_repair
from .dock_layout import PRESETS
from .documents import Documents
from .gestures import GESTURES
from .message_bar import ComparedNotice, LanguageNotice, MessageBar, PacketsNotice, RoadNotice, WrittenNotice
from .pane_list import PANES, SCENE
from .panes import Panes, Services
from .recovery import Recovery
from .status import Status
from .workspace_switch import WorkspaceSwitch, add_own
from .workspaces import Workspaces

if TYPE_CHECKING:
    from .library import Library
    from .start_page import StartPage

SMALLEST = QSize(960, 600)
_TITLE = "Recorder Editor"
_NOT_ON_RECORDING = ("file", "help", "sample", "palette", "view", "workspace")
"""The first words of actions that do nothing to the recording, or show it themselves."""


class MainWindow(QMainWindow):
    """One recording.

    Attribute: `notices` (lines below the toolbar).

    Signals: `window_asked(str)` (another window, with this path or none), `restore_asked(Leftover)` (another window,
    with what a crash left), `reopen_asked()` (all windows are to be opened again, in another language), `closed()`.
    """

    window_asked = Signal(str)
    restore_asked = Signal(object)
    reopen_asked = Signal()
    closed = Signal()

    def __init__(self, theme: Theme, settings: Settings) -> None:
        super().__init__()
        self.theme = theme
        self.settings = settings
        self.session = Session(self)
        self.player = Player(self.session, self)
        self.documents = Documents(self.session, settings, theme, self)
        self.recovery = Recovery(self.documents, theme, self)
        self.session.set_undo_bytes(settings[UNDO_MEMORY] << 20)
        self.session.editing.scope = settings[APPLY_TO]
        self.session.events.set_thresholds(settings.thresholds)
        self.session.roads.folders = settings.map_folders
        self.session.roads.remembered = settings.road_maps
        self.session.segments.recall = settings.segments_of
        self.session.segments.list_changed.connect(settings.keep_segments)
        self.session.notes.elsewhere = lambda: [Path(recent.path) for recent in settings.recents]
        settings.changed.connect(self._take_preference)
        self._road_maps = self.session.roads.remembered  # as this window knew them last
        self._pane_before: Pane | None = None
        self._start_page: StartPage | None = None
        self._may_close = False
        self._keeps_edits = False
        self.setMinimumSize(SMALLEST.boundedTo(room_for(self)))
        self.setAcceptDrops(True)
        self.setDockNestingEnabled(True)
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        for corner in (Qt.Corner.BottomLeftCorner, Qt.Corner.BottomRightCorner):
            self.setCorner(corner, Qt.DockWidgetArea.BottomDockWidgetArea)
        self.panes = Panes(self, PANES, lambda spec: spec.make(self.services), self.session, settings, theme)
        self.workspaces = Workspaces(self.session, settings, self.panes)
        self.registry = Actions(self, theme.icons, lambda: self.services.not_ready_reason())
        self.registry.gestures = GESTURES
        self.registry.choose_keys(settings.keys)
        self.services = Services(
            session=self.session,
            settings=settings,
            theme=theme,
            player=self.player,
            documents=self.documents,
            recovery=self.recovery,
            actions=self.registry,
            panes=self.panes,
            open_search=self._open_search,
            window=self,
        )
        self._make_centre()
        self.panes.focus_keeper.home = self._home
        self.search_field = PaletteField(theme, Search(self.session, self.registry, theme, self.workspaces))
        self._make_chrome()
        self._connect()
        self._retitle()

    # --- parts ------------------------------------------------------------------------------------------

    def _make_centre(self) -> None:
        # From the outermost one: Qt gives a widget and all in it their styles anew with each further parent.
        self.centre = QStackedWidget()
        self.setCentralWidget(self.centre)
        self.home = QStackedWidget()
        self.centre.addWidget(self.home)
        self.centre.addWidget(self.panes.centre)

    @property
    def start_page(self) -> "StartPage":
        """The page without a recording, made when it is first shown: a window that opens with one needs none."""
        if self._start_page is None:
            from .start_page import StartPage

            page = StartPage(self.session, self.settings, self.theme)
            self._start_page = page
            self.home.insertWidget(0, make_scrolling(page))
            self._connect_start_page(page)
            page.show_keys(self._keys())
            page.refresh()
            page.show_leftovers(self.recovery.paths())
        return self._start_page

    def _make_chrome(self) -> None:
        first = first_actions(self.services)
        of_panes: list[ActionSpec] = []
        for spec in self.panes.specs.values():
            of_panes.extend(spec.actions(self.services))
        actions = first + last_actions(self.services) + of_panes
        self.registry.add(*actions)
        self.registry.add_later(len(first), partial(later_actions, self.services))
        self._complete = Debounce(self, self.registry.complete)  # the first picture does not wait for their modules
        self.badge = CountBadge(say("problems"))
        self.workspace_switch = WorkspaceSwitch(self.theme, self.workspaces, self.registry)
        self.toolbar = make_toolbar(self.registry, self.workspace_switch, self.badge, self.search_field)
        self.addToolBar(self.toolbar)
        self.message_bar = MessageBar(self.theme)
        self.compared_notice = ComparedNotice(self.theme)
        choose_map = partial(self.registry.run, "roads.choose")
        self.road_notice = RoadNotice(self.theme, self.session.roads, choose_map)
        self.packets_notice = PacketsNotice(self.theme, self.session)
        self.language_notice = LanguageNotice(self.theme)
        self.language_notice.reopen.clicked.connect(self.reopen_asked)
        about_files = (self.message_bar, self.compared_notice, WrittenNotice(self.theme, self.session))
        self.notices = (*about_files, self.road_notice, self.packets_notice, self.language_notice)
        for notice in self.notices:
            self.addToolBarBreak()
            self.addToolBar(notice)
        self.language_notice.look(self.settings[LANGUAGE])
        self.menus = fill_menus(self.menuBar(), MENUS, self.registry, say)
        recent = self.menus["File"].addMenu(say("Open recent"))
        self.menus["File"].insertMenu(self.registry["file.reload"], recent)
        recent.aboutToShow.connect(self._fill_recent)
        self.menus["recent"] = recent
        self.menus["View/Workspace"].aboutToShow.connect(self._fill_workspaces)
        self._click_first = self.menus["Actor"].addAction(say("Click a road user first"))
        self._click_first.setEnabled(False)
        self.menus["Actor"].aboutToShow.connect(self._show_click_first)
        self.file_name = ElidedLabel(self.theme, "", "small", "muted")
        # With the margin of the menu bar: above the end of the field below.
        self.file_name.setContentsMargins(12, 0, 4, 0)
        self.menuBar().setCornerWidget(self.file_name, Qt.Corner.TopRightCorner)
        self.status = Status(self.session, self.theme)
        self.setStatusBar(self.status)
        self.theme.changed.connect(self._restyle)
        self._restyle()
        bar = self.menuBar()
        QShortcut("F10", self, lambda: bar.setActiveAction(bar.actions()[0]))
        self._space = QShortcut("", self, self._play)
        self.registry.keys_changed.connect(self._show_keys)
        self._show_keys()

    def _play(self) -> None:
        if not self._hides_recording:
            self.registry.run("play.toggle")

    def _show_keys(self) -> None:
        """What shows a key of an action outside of menus shows the present one."""
        registry = self.registry
        space = ""
        if "play.toggle" not in registry.chosen_keys:
            space = registry.spec("play.toggle").shortcut
        self._space.setKey(space)
        self.search_field.set_shortcut(registry.spec("palette.open").key_text)
        keys = self._keys()
        if self._start_page is not None:
            self._start_page.show_keys(keys)
        for pane in self.panes.made_panes.values():
            pane.show_keys(keys)

    def _keys(self) -> dict[str, str]:
        """The first key of each action, as the system writes it."""
        return {spec.id: spec.key_text for spec in self.registry.present}

    def _restyle(self) -> None:
        """What has a length of its own follows the size of the text."""
        self.toolbar.setFixedHeight(self.theme.px(36))
        self.search_field.updateGeometry()
        self.file_name.setFixedHeight(self.theme.px(24))
        self._fit_bars()
        self.panes.layout.measure_soon()

    def _take_preference(self, changed: AnyPreference) -> None:
        settings = self.settings
        if changed is THEME:
            self.theme.set_mode(settings[THEME])
        elif changed is TEXT_SIZE_PIXELS:
            self.theme.set_text_size(settings[TEXT_SIZE_PIXELS])
        elif changed is APPLY_TO:
            self.session.editing.set_scope(settings[APPLY_TO])
        elif changed is UNDO_MEMORY:
            self.session.set_undo_bytes(settings[UNDO_MEMORY] << 20)
        elif changed in THRESHOLDS:
            self.session.events.set_thresholds(settings.thresholds)
        elif changed is MAP_FOLDERS:
            self.session.roads.set_folders(settings.map_folders)
        elif changed is KEYS:
            self.registry.choose_keys(settings.keys)
        elif changed is LANGUAGE:
            self.language_notice.look(settings[LANGUAGE])
        self.theme.set_units(settings.units)
        self.registry.refresh_soon()

    def _fit_bars(self) -> None:
        """The name of the file gives way to the menus, words of buttons to the field beside them."""
        fit_tools(self.toolbar, self.workspace_switch)
        bar = self.menuBar()
        menus = max(bar.actionGeometry(action).right() for action in bar.actions())
        self.file_name.setMaximumWidth(max(0, bar.width() - menus - self.theme.px(12)))
        self.file_name.adjustSize()
        bar.setCornerWidget(self.file_name, Qt.Corner.TopRightCorner)
        self.file_name.show()

    def _connect(self) -> None:
        session = self.session
        documents = self.documents
        session.taken_over.connect(self._take_over)
        session.state_changed.connect(self._retitle)
        session.background.findings_changed.connect(self._count_problems)
        for signal in (
            session.opened,
            session.editing.changed,
            session.selection.changed,
            session.range.changed,
            session.background.findings_changed,
            session.comparison.changed,
            session.jobs.changed,
            self.theme.changed,
            session.traffic.changed,
            session.roads.changed,
            session.events.changed,
            session.events.chosen_changed,
            self.panes.changed,
        ):
            signal.connect(self.registry.refresh_soon)
        self.player.changed.connect(self._show_playing)
        # At once, and rare enough for it: a key that is pressed next must find its action.
        session.state_changed.connect(self.registry.refresh)
        self.panes.made.connect(self._connect_pane)
        self.panes.changed.connect(self._show_mode)
        self.panes.guide_asked.connect(self._show_guide)
        self.panes.laid_out.connect(self._show_bars)
        self.panes.layout.named.connect(self.registry.refresh_soon)
        self.registry.refreshed.connect(self.workspace_switch.refresh)
        session.roads.chosen.connect(self._keep_road_maps)
        session.roads.wanted.connect(self._show_roads)
        self.settings.refused.connect(session.refused)
        documents.began.connect(self._begin)
        documents.watcher.reported.connect(self.message_bar.say)
        documents.recents_changed.connect(self._show_recents)
        documents.library_asked.connect(self.show_library)
        self.registry.ran.connect(self._show_what_is_done)
        self.panes.laid_out.connect(self.show_recording)
        session.taken_over.connect(self._name_way_back)
        documents.window_asked.connect(self.window_asked)
        documents.import_asked.connect(partial(import_trajectories, self.services))
        documents.restore_asked.connect(self.restore_asked)
        self.recovery.changed.connect(self._show_leftovers)
        self.recovery.seen.connect(self.registry.refresh)
        self.menus["File"].aboutToShow.connect(self.recovery.look)
        self.message_bar.reload.clicked.connect(documents.reload)
        self.message_bar.script.clicked.connect(lambda: self.registry.run("tools.save_script"))
        self.message_bar.compare.clicked.connect(documents.compare_with_disk)
        self.message_bar.follow.clicked.connect(documents.watcher.follow)
        self.message_bar.keep.clicked.connect(documents.watcher.keep_mine)
        documents.compared_watcher.reported.connect(self.compared_notice.say)
        self.compared_notice.reload.clicked.connect(documents.compare_again)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._focus_changed)

    def _connect_start_page(self, page: "StartPage") -> None:
        documents = self.documents
        page.open_asked.connect(lambda: documents.ask_open())
        page.cut_asked.connect(lambda: documents.ask_open(partial(begin_cut, self.services)))
        page.repair_asked.connect(lambda: documents.ask_open(partial(begin_repair, self.services)))
        page.library_asked.connect(self.show_library)
        page.library_folder_asked.connect(self._ask_library_folder)
        page.action_asked.connect(self.registry.run)
        page.demo_asked.connect(documents.ask_demo)
        page.recent_asked.connect(lambda path: documents.open(Path(path)))
        page.leftovers_asked.connect(self.recovery.ask_or_say)

    def _show_guide(self, place: str) -> None:
        show_guide(self.services, place)

    def _show_playing(self) -> None:
        self.registry.set_playing(self.player.is_playing)

    def _connect_pane(self, pane: Pane) -> None:
        self.registry.add_pane(self.panes.name_of(pane), pane)
        pane.show_keys(self._keys())
        pane.action_asked.connect(self.registry.run)
        pane.menu_asked.connect(lambda menu: add_to_menu(menu, self.registry))

    # --- what is open -----------------------------------------------------------------------------------

    def _take_over(self) -> None:
        """Show the recording that was opened, or the start page."""
        shown = self.session.snapshot is not None
        if shown and self.centre.currentIndex() == 0:
            self.centre.setCurrentIndex(1)
            self.panes.open()
        elif not shown and self.centre.currentIndex() == 1:
            self._show_start()
        if self.panes.choose_preset():
            self.workspaces.recall()
        self._retitle()
        self._count_problems()
        if shown:
            self._complete.begin(opening=True)

    def _show_start(self) -> None:
        self.panes.close()
        self.centre.setCurrentIndex(0)
        self.start_page.refresh()
        self._show_leftovers()
        if self.home.currentIndex() == 0:
            self.start_page.take_focus()

    # --- the Library ------------------------------------------------------------------------------------

    def _get_library(self) -> "Library":
        from .library import Library

        library = self.findChild(Library)
        if library is None:
            library = Library(self.session, self.theme, self.settings)
            library.open_asked.connect(self._open_from_library)
            library.back_button.clicked.connect(self._leave_library)
            library.indexed.connect(self.start_page.count_again)
            self.home.addWidget(library)
        return library

    def show_library(self, text: str = "") -> None:
        """Show the Library in the place of the panes, or of the start page; what is open stays open.

        Args:
            text: Its filter; empty: the one that it has.
        """
        library = self._get_library()
        self.home.setCurrentWidget(library)
        if self.centre.currentIndex() == 1:
            self._pane_before = self.panes.focused()
            self.player.pause()
            self.panes.close()
            self.centre.setCurrentIndex(0)
        self._name_way_back()
        if text:
            library.filter.setText(text)
        library.setFocus()

    @property
    def _hides_recording(self) -> bool:
        """Whether the Library is shown while a recording is open."""
        return self.session.snapshot is not None and self.centre.currentIndex() == 0

    def show_recording(self) -> None:
        """Show the panes again where the Library was."""
        if not self._hides_recording:
            return
        self.centre.setCurrentIndex(1)
        if not self.panes.layout.is_laid_out:
            self.panes.lay_out()
        pane = self._pane_before
        if pane is None or not pane.isVisible():
            pane = self.panes.centre.pane
        if pane is not None:
            pane.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_what_is_done(self, action: str) -> None:
        """Show the recording where an action has done something to it, or has chosen its layout."""
        if action.startswith("view.preset_") or action.partition(".")[0] not in _NOT_ON_RECORDING:
            self.show_recording()

    def _leave_library(self) -> None:
        if self._hides_recording:
            self.show_recording()
        else:
            self.home.setCurrentIndex(0)
            self.start_page.refresh()

    def _name_way_back(self) -> None:
        path = self.documents.path
        if self.home.currentIndex() > 0:
            self._get_library().name_way_back(path.name if path is not None else "")

    def _open_from_library(self, path: Path, then: Does) -> None:
        if path == self.documents.path and self.session.is_complete:
            self.show_recording()
            then()
        else:
            self.documents.open(path, then)

    def _ask_library_folder(self) -> None:
        library = self._get_library()
        if library.ask_folder():
            self.show_library()

    def _home(self) -> QWidget | None:
        """What has the keyboard while no recording is shown."""
        if self.centre.currentIndex() != 0:
            return None
        if self.home.currentIndex() == 0:
            return self.start_page.first_stop()
        return self.home.currentWidget()

    def _show_leftovers(self) -> None:
        if self._start_page is not None:
            self._start_page.show_leftovers(self.recovery.paths())

    def _show_recents(self) -> None:
        if self._start_page is not None:
            self._start_page.refresh()

    def _begin(self, job: Job) -> None:
        if self._start_page is not None and self._start_page.isVisibleTo(self):
            self._start_page.show_job(job)

    def _retitle(self) -> None:
        path = self.documents.path
        name = ""
        title = _TITLE
        tooltip = ""
        if path is not None:
            name = path.name
            title = f"{name}[*] - {_TITLE}"
            tooltip = str(path)
        self.setWindowTitle(title)
        self.setWindowModified(bool(name) and self.session.is_modified)
        if self.isWindowModified():
            name = f"{name} *"
        if self.file_name.text() != name:
            self.file_name.setText(name)
            self.file_name.setToolTip(tooltip)
            self._fit_bars()
        self.setWindowFilePath("")

    def _count_problems(self) -> None:
        errors = sum(finding.severity == "error" for finding in self.session.background.findings)
        warnings = sum(finding.severity == "warning" for finding in self.session.background.findings)
        self.badge.set_count(errors + warnings, "error" if errors else "warning")
        fit_tools(self.toolbar, self.workspace_switch)

    def _keep_road_maps(self) -> None:
        roads = self.session.roads
        # What was just chosen for this town holds, whatever another window has chosen for it meanwhile.
        before = dict(self._road_maps)
        before.pop(roads.town, None)
        present = self.settings.road_maps.get(roads.town)
        if present is not None:
            before[roads.town] = present
        self.settings.put(Settings.road_maps, roads.remembered, before=before)
        self._road_maps = self.settings.road_maps
        roads.remembered = self._road_maps

    def _show_roads(self) -> None:
        """Turn roads on, and the map that was asked for in place of recorded paths; without one these are drawn."""
        if self.settings[ROADS] == "none" or not self.session.roads.is_none:
            self.settings[ROADS] = "map"

    def _show_mode(self) -> None:
        """Tell the status bar what the panes and the layout say."""
        self.status.set_mode(self.panes.status(), shows_range=PRESETS[self.panes.preset].shows_range)

    def _show_bars(self) -> None:
        """A kept layout tells of the bars, too, as they were then."""
        self.toolbar.show()
        for bar in self.notices:
            bar.setVisible(bool(bar.words.text()))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.session.snapshot is None and self._start_page is None:
            self._show_start()
        elif self.session.snapshot is not None and not self.panes.layout.is_laid_out:
            self.panes.open()

    # --- what actions do --------------------------------------------------------------------------------

    def _open_search(self) -> None:
        self.recovery.look()
        self.toolbar.show()
        self.search_field.open_list()

    def _fill_recent(self) -> None:
        menu = self.menus["recent"]
        menu.clear()
        for recent in self.settings.recents:
            path = Path(recent.path)
            text = "   ".join(part for part in (path.name, recent.map, recent.date) if part)
            menu.addAction(text, partial(self.documents.open, path)).setToolTip(recent.path)
        if menu.isEmpty():
            menu.addAction(say("None yet")).setEnabled(False)
        else:
            menu.addSeparator()
            menu.addAction(say("Clear list"), self._forget)

    def _fill_workspaces(self) -> None:
        """Offer those that were saved, between the presets and the line below them."""
        menu = self.menus["View/Workspace"]
        for entry in menu.actions():
            if entry.objectName() == "own":
                menu.removeAction(entry)
                entry.deleteLater()
        line = menu.actions()[len(PRESETS)]
        for entry in add_own(menu, self.workspaces, line):
            entry.setObjectName("own")
            entry.setEnabled(self.session.snapshot is not None)

    def _show_click_first(self) -> None:
        """Say in the menu what is missing, in place of all that is left out of it without an actor."""
        self._click_first.setVisible(self.registry.reason("actor.table") == say(NO_ACTOR))

    def _forget(self) -> None:
        self.settings.forget_recents()
        self._show_recents()

    # --- events -----------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Single letters reach the window only where no pane has taken them as text."""
        self._hold(event, is_down=True)
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        held = event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
        if held or event.key() == Qt.Key.Key_Space:
            name = None
        else:
            name = self.registry.letter_of(Qt.Key(event.key()))
        pane = self.panes.focused()
        if pane is None or pane.edits_selection:
            if event.key() == Qt.Key.Key_Delete and not held:
                name = "edit.delete"
            elif event.key() == Qt.Key.Key_D and control:
                name = "edit.duplicate"
        button = QApplication.focusWidget()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(button, QAbstractButton):
            if not event.isAutoRepeat():
                button.click()  # as in dialogs
        elif not held and self._takes(event):
            event.accept()
        elif name is not None and self.centre.currentIndex() == 1:
            self.registry.run(name)
            event.accept()
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        self._hold(event, is_down=False)
        super().keyReleaseEvent(event)

    def _hold(self, event: QKeyEvent, *, is_down: bool) -> None:
        """Tell the scene which modifiers are held, whichever pane has the keyboard."""
        scene = self.panes.if_made(SCENE)
        if scene is not None:
            scene.hold(event.key(), is_down=is_down)

    def _takes(self, event: QKeyEvent) -> bool:
        """End the Library or a mode of the scene by Escape, and search for what is typed on the start page."""
        if event.key() != Qt.Key.Key_Escape:
            return self.session.snapshot is None and self._search_for(event.text())
        if self._hides_recording:
            self.show_recording()
            return True
        return self.panes.is_so(SCENE, lambda pane: pane.give_up()) or self.session.events.leave()

    def _search_for(self, text: str) -> bool:
        """Begin a search with what is typed on the start page; False where that is no text."""
        if not text.strip() or not text.isprintable() or not self.start_page.isVisible():
            return False
        self._open_search()
        self.search_field.insert(text)
        return True

    def focusNextPrevChild(self, forward: bool) -> bool:
        if self.panes.focus_keeper.keep(self):
            return True
        present = QApplication.focusWidget()
        docks = []
        for dock in self.panes.docks.values():
            if dock.isVisible() and not dock.isFloating():
                docks.append(dock)
        bottom = [dock for dock in docks if dock.placement.side == "bottom"]
        columns: list[QWidget] = []
        for dock in docks:
            if dock.geometry().right() >= 0 and dock not in bottom:
                columns.append(dock)
        columns.append(self.centre)
        columns.sort(key=lambda part: (part.x(), part.y()))
        parts: list[QWidget] = [self.toolbar]
        parts.extend(self.notices)
        parts.extend(columns)
        parts.extend(bottom)
        stop = next_tab_stop(self, parts, present, forward=forward)
        if stop is None:
            return False
        reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
        stop.setFocus(reason)
        return True

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.panes.focus_keeper.restore()

    def _focus_changed(self, _before: QWidget | None, now: QWidget | None) -> None:
        # A button that has the keyboard is pressed by Space.
        self._space.setEnabled(not isinstance(now, (QAbstractButton, QComboBox, QAbstractSlider)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.search_field.close_list(give_back=False)
        self._fit_bars()
        self.panes.layout.measure_soon()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        files = _files(event)
        if files:
            event.acceptProposedAction()
            self.start_page.show_dropped(files[0].name)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.start_page.show_dropped("")
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        files = _files(event)
        if files:
            event.acceptProposedAction()
            self.start_page.show_dropped("")
            self.documents.dropped(files)

    def closeEvent(self, event: QCloseEvent) -> None:
        if self.documents.wait_for_saving(self.close):
            event.ignore()
            return
        if not self._may_close and self.documents.ask_before_losing(self.close_anyway):
            event.ignore()
            return
        self.player.pause()
        self.panes.layout.keep()
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
