"""The panes of a window: how one is declared, what it is made with, and the docks that it is shown in."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Generic, NamedTuple, TypeVar, cast

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QMainWindow, QWidget

from ...texts import say
from ..session import Session
from ..session.player import Player
from ..session.settings import Settings
from ..style.theme import Theme
from ..widgets.actions import Actions, ActionSpec
from ..widgets.focus_ring import FocusRing
from ..widgets.hover_card import HoverCard
from ..widgets.pane import Pane
from .dock_layout import PRESETS, DockLayout
from .dock_places import Place
from .docks import CentralPane, Dock, Grips, Placement
from .documents import Documents
from .focus import FocusKeeper
from .recovery import Recovery

P = TypeVar("P", bound=Pane, covariant=True)
_REPAIR = "repair"


class Services(NamedTuple):
    """What panes are made with and commands work with.

    Attributes:
        session: The session of the window.
        settings: What the program remembers.
        theme: Colours, fonts and lengths.
        player: Playback.
        documents: Opening and saving.
        recovery: Edits that a crash left.
        actions: All actions of the window.
        panes: Its panes.
        open_search: Opens the field under Ctrl+K.
        window: The parent of dialogs.
    """

    session: Session
    settings: Settings
    theme: Theme
    player: Player
    documents: Documents
    recovery: Recovery
    actions: Actions
    panes: "Panes"
    open_search: Callable[[], None]
    window: QWidget

    def not_ready_reason(self) -> str:
        """Return why no recording can be edited, a sentence; empty where one was read to its end."""
        if self.session.snapshot is None:
            return say("Open a recording first.")
        if self.session.is_complete:
            return ""
        return say("The recording is still being read.")

    def is_open(self) -> bool:
        """A recording is shown, perhaps its first frames only."""
        return self.session.snapshot is not None

    def is_complete(self) -> bool:
        """A recording was read to its end: it can be edited."""
        return self.session.is_complete

    def has_frames(self) -> bool:
        """A recording with frames is shown."""
        return self.session.frames > 0


class PaneSpec(NamedTuple, Generic[P]):
    """The declaration of a pane.

    Attributes:
        name: Its name in settings and declarations.
        title: Its title, in English.
        make: Returns the pane; imports its modules only then.
        placement: The place of its dock in each layout; None: in the centre of the window.
        actions: Returns the actions of this pane, which are in the menus before it is made.
        shown_while: The pane is opened when this becomes true, and closed when it becomes false.
        guide: Its place in the guide: a page, and after `#` a heading.
    """

    name: str
    title: str
    make: Callable[[Services], P]
    placement: Placement | None
    actions: Callable[[Services], Sequence[ActionSpec]] = lambda _services: ()
    shown_while: Callable[[Session], bool] | None = None
    guide: str = "guide.md#The window"


def _reading_order(place: QWidget) -> tuple[int, int]:
    """The key of the order from left to right, then from above; what is at the bottom comes last."""
    corner = place.mapTo(place.window(), QPoint())
    if isinstance(place, Dock) and place.placement.side == "bottom":
        return 1 << 20, corner.y()
    return corner.x(), corner.y()


class Panes(QObject):
    """The panes of one window, each made when it is first shown or asked for.

    Attributes:
        specs: The declarations, by name.
        docks: The docks, by name.
        made_panes: The panes that were made, by name.
        centre: Holds the pane without a dock.
        layout: The layout of the docks.
        ring: The line around the view that the keyboard was moved to.
        card: Tooltips that lead to the guide.
        judged: The file whose damage chose the layout.

    Signals: `made(Pane)`, `guide_asked(str)` (the guide is to be opened at a place), `changed` (a dock was opened or
    closed, or a pane announced a change), `laid_out` (the docks were put into a layout).
    """

    made = Signal(Pane)
    guide_asked = Signal(str)
    changed = Signal()
    laid_out = Signal()

    def __init__(
        self,
        window: QMainWindow,
        specs: Iterable[PaneSpec[Pane]],
        make: Callable[[PaneSpec[Pane]], Pane],
        session: Session,
        settings: Settings,
        theme: Theme,
    ) -> None:
        super().__init__(window)
        self.specs = {spec.name: spec for spec in specs}
        self.docks: dict[str, Dock] = {}
        self._window = window
        self._make = make
        self._session = session
        self._settings = settings
        self.made_panes: dict[str, Pane] = {}
        self._is_new = False
        self.judged: object = None
        self._before_repair: tuple[str, str] | None = None
        for spec in self.specs.values():
            title = say(spec.title)
            if spec.placement is None:
                self.centre = CentralPane(title, theme)
                self.centre.seen.connect(partial(self.get, spec))
            else:
                dock = self.docks[spec.name] = Dock(spec.name, title, spec.placement, theme, window)
                dock.seen.connect(partial(self.get, spec))
                dock.visibilityChanged.connect(self.changed)
        self.ring = FocusRing(theme, window)
        self.focus_keeper = FocusKeeper(window, self.docks, self.centre)
        self.card = HoverCard(window)
        self.card.asked.connect(self.guide_asked)
        self.layout = DockLayout(window, self.docks, settings, theme)
        self.layout.settled.connect(self._fit)
        grips = Grips(window, self.docks.values(), theme)
        grips.dragged.connect(self.layout.moved_by_hand)
        self.laid_out.connect(grips.place)  # not after the first picture, which would be painted again beneath them
        session.comparison.changed.connect(self._show_wanted)
        session.selection.changed.connect(self._show_selected)
        self.close()

    # --- single panes -----------------------------------------------------------------------------------

    def get(self, spec: PaneSpec[P]) -> P:
        """Return the pane; it is made if it was not shown yet."""
        pane = self.made_panes.get(spec.name)
        if pane is None:
            pane = self._make(spec)
            self.made_panes[spec.name] = pane
            if spec.placement is None:
                self.centre.set_pane(pane)
            else:
                self.docks[spec.name].set_pane(pane)
            pane.changed.connect(self.changed)
            pane.guide_asked.connect(self.guide_asked)
            for view in pane.findChildren(QAbstractScrollArea):
                self.card.watch(view, partial(pane.explained_at, view))
            self.made.emit(pane)
        return cast("P", pane)

    def if_made(self, spec: PaneSpec[P]) -> P | None:
        """Return the pane; None if it was not shown yet."""
        return cast("P | None", self.made_panes.get(spec.name))

    def is_so(self, spec: PaneSpec[P], ask: Callable[[P], object]) -> bool:
        """Whether `ask` is true of a pane; it is not of one that was not shown yet."""
        pane = self.if_made(spec)
        return pane is not None and bool(ask(pane))

    def focused(self) -> Pane | None:
        """The pane that has the keyboard, or will have it when the window does."""
        present: QWidget | None = QApplication.focusWidget()  # the stub leaves None out
        widget: QWidget | None = present
        if present is None:
            widget = self._window.focusWidget()
        panes: set[QWidget] = set(self.made_panes.values())
        while widget is not None and widget not in panes:
            widget = widget.parentWidget()
        if isinstance(widget, Pane):
            return widget
        return None

    def guide_place(self) -> str:
        """Return the place in the guide of what the mouse is at, else of the pane that has the keyboard; or empty."""
        if self.card.place():
            return self.card.place()
        pane = self.focused()
        if pane is None:
            return ""
        page, _, heading = self.specs[self.name_of(pane)].guide.partition("#")
        return f"{page}#{pane.guide_topic() or heading}"

    def name_of(self, pane: Pane) -> str:
        """Return the name of a pane of this window."""
        return next(name for name, made_pane in self.made_panes.items() if made_pane is pane)

    def has_focus(self, *specs: PaneSpec[Pane]) -> bool:
        """One of these has the keyboard."""
        focused = self.focused()
        return focused is not None and focused in (self.if_made(spec) for spec in specs)

    def is_open(self, name: str) -> bool:
        """The dock is open, perhaps behind another one in its place."""
        return not self.docks[name].isHidden()

    def show(self, name: str, on: bool = True) -> None:
        """Open a dock and bring it to the front, or close it."""
        dock = self.docks[name]
        was_open = self.is_open(name)
        if was_open != on:
            self.layout.opened_or_closed()
        dock.setVisible(on)
        self.layout.opened_by_hand(dock, on)
        if on:
            dock.raise_()
            self.ring.raise_()  # Qt has put the middle of the window above it
        if was_open != on and dock.placement.joins == "below":
            self.layout.make_room()

    def focus(self, name: str) -> None:
        """Bring a pane to the front and give it the keyboard."""
        self.show(name)
        self.get(self.specs[name]).setFocus(Qt.FocusReason.OtherFocusReason)

    def status(self) -> str:
        """Return the texts for the status bar of the panes whose docks are open."""
        texts = []
        for name, pane in self.made_panes.items():
            if name in self.docks and self.is_open(name) and pane.status:
                texts.append(pane.status)
        return " ".join(texts)

    # --- all of them ------------------------------------------------------------------------------------

    def focus_next(self, step: int) -> None:
        """Give the keyboard to the next pane in sight, or to the one before: by column, from above."""
        places: list[CentralPane | Dock] = []
        for dock in self.docks.values():
            if dock.isVisible() and dock.is_in_front():
                places.append(dock)
        places.append(self.centre)
        panes = []
        for place in sorted(places, key=_reading_order):
            if place.pane is not None:
                panes.append(place.pane)
        if not panes:
            return
        focused = self.focused()
        index = 0
        if focused in panes:
            index = panes.index(focused) + step
        pane = panes[index % len(panes)]
        pane.activateWindow()  # that of a dock that floats, too
        pane.setFocus(Qt.FocusReason.TabFocusReason)

    @property
    def preset(self) -> str:
        """The name of the layout."""
        return self.layout.preset

    def set_preset(self, name: str, own: str = "", places: list[Place] | None = None) -> None:
        """Arrange the panes in a designed layout, or as in an `own` workspace."""
        self.layout.use(name, own, places)
        if self._session.snapshot is not None:
            self.lay_out()

    def reset_layout(self) -> None:
        """All panes where they were designed to be, in every layout."""
        self._settings.forget_layouts()
        self.layout.forget_closed()
        self.lay_out()

    def open(self) -> None:
        """Show the panes of a recording where the start page was."""
        self._is_new = True
        self.lay_out()
        first = self.made_panes.get(next(iter(self.specs)))
        if first is not None:
            first.setFocus(Qt.FocusReason.OtherFocusReason)

    def close(self) -> None:
        """Hide all panes."""
        self.layout.keep()
        for dock in self.docks.values():
            dock.hide()
        self.layout.is_laid_out = False

    @property
    def is_damaged(self) -> bool:
        """Whether the recording was opened with errors."""
        recording = self._session.recording
        return recording is not None and any(finding.severity == "error" for finding in recording.findings)

    def choose_preset(self) -> bool:
        """Show a damaged file in the layout for repair, and the next sound one in that from before.

        Returns:
            Whether another file is shown: one that is read again keeps its layout.
        """
        recording = self._session.recording
        if recording is None or recording.path == self.judged:
            if self._session.snapshot is None:
                self.judged = None
            return False
        self.judged = recording.path
        if self.is_damaged:
            if self.preset != _REPAIR:
                self._before_repair = self.preset, self.layout.name
                self.set_preset(_REPAIR)
        elif self._before_repair is not None:
            preset, name = self._before_repair
            self._before_repair = None
            if self.preset == _REPAIR:
                self.set_preset(preset, name)
        return True

    def lay_out(self) -> None:
        """Put the docks into the layout; at the latest when the window is shown."""
        window = self._window
        focused = self.focused()
        if not window.isVisible():
            self.layout.is_laid_out = False
            return
        window.setUpdatesEnabled(False)
        self._show_selected()
        self.layout.lay_out()
        window.setUpdatesEnabled(True)
        for dock in self.docks.values():
            dock.setUpdatesEnabled(True)  # one that floats is a window by now, and Qt leaves windows out
        for spec in self.specs.values():
            if spec.shown_while is not None and spec.shown_while(self._session):
                self.docks[spec.name].show()
        self.layout.raise_first()
        # Its dock was taken out meanwhile, and perhaps it is in no dock of this layout.
        if focused is not None and not focused.isVisible():
            focused = self.centre.pane
        if focused is not None:
            focused.setFocus(Qt.FocusReason.OtherFocusReason)
        self.laid_out.emit()
        self.changed.emit()

    def _fit(self) -> None:
        if self._is_new:
            self._is_new = False
            for pane in self.made_panes.values():
                pane.fit(closely=PRESETS[self.preset].is_close)

    def _show_selected(self) -> None:
        selection = self._session.selection
        self.layout.select(selection.actor is not None or bool(selection.place.packet))

    def _show_wanted(self) -> None:
        """Open what has something to show now, and close what has not."""
        for spec in self.specs.values():
            if spec.shown_while is not None:
                wanted = spec.shown_while(self._session)
                if wanted != self.is_open(spec.name):
                    self.show(spec.name, wanted)
