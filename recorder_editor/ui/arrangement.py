"""Which layout the docks stand in: the designed one, following the window, or what a person made of it, which is kept.

Knows docks and lengths, nothing of what the panes show.
"""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QMainWindow

from .docks import INSPECT, PRESETS, Dock, arrange, measure, measure_below
from .settings import Settings
from .theme import Theme


class Arrangement(QObject):
    """The layout of one window.

    Signal: `settled()`: the panes have the lengths they keep. Attributes: `preset` (name of the layout), `is_laid_out`
    (the docks stand in it).
    """

    settled = Signal()

    def __init__(self, window: QMainWindow, docks: dict[str, Dock], settings: Settings, theme: Theme) -> None:
        super().__init__(window)
        self.preset = INSPECT.name
        self.is_laid_out = False
        self._window = window
        self._docks = docks
        self._settings = settings
        self._theme = theme
        self._is_designed = False  # nobody has moved anything: the lengths follow the window
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self.measure)
        arrange(window, docks, INSPECT)
        for dock in docks.values():
            dock.closed.connect(self.moved_by_hand)
            dock.topLevelChanged.connect(self.moved_by_hand)
            dock.dockLocationChanged.connect(self.moved_by_hand)

    def lay_out(self) -> None:
        """Put the docks where the layout has them: as they were kept, else as they were designed."""
        window, preset = self._window, PRESETS[self.preset]
        self.is_laid_out = self._is_designed = False
        kept = self._settings.layout(preset.name)
        arrange(window, self._docks, preset)
        is_designed = kept is None or not window.restoreState(kept)
        if is_designed:
            layout = window.layout()
            if layout is not None:
                layout.activate()
            measure(window, self._docks, preset, self._theme)
        # Qt settles the tabs of new docks only once its events have run: the lengths hold from then on.
        QTimer.singleShot(0, self, self._settling(preset.name, is_designed))
        self.is_laid_out = True

    def _settling(self, name: str, is_designed: bool) -> Callable[[], None]:
        def settle() -> None:
            if self.is_laid_out and name == self.preset:
                self._is_designed = is_designed
                self.measure()
            self.settled.emit()

        return settle

    def measure(self) -> None:
        """Give the panes the designed lengths for a window of this size, unless a person gave them others."""
        if self._is_designed:
            measure(self._window, self._docks, PRESETS[self.preset], self._theme)

    def measure_soon(self) -> None:
        """The same when Qt has laid the window out."""
        self._soon.start()

    def make_room_below(self) -> None:
        """Signals was shown or hidden: the timeline above gives way, or has its length again."""
        layout = self._window.layout()
        if self.is_laid_out and layout is not None:
            layout.activate()
            measure_below(self._window, self._docks, PRESETS[self.preset], self._theme)

    def moved_by_hand(self) -> None:
        """A person gave the panes other places or lengths: they stay."""
        self._is_designed = False

    def keep(self) -> None:
        """Remember what a person made of the layout."""
        if self.is_laid_out:
            self._settings.keep_layout(self.preset, None if self._is_designed else self._window.saveState())
