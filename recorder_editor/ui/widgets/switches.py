"""Small switches of titles and strips: one of several (Segmented), on or off (ToggleChip, MenuChip), a count."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QLabel, QMenu, QSizePolicy, QToolButton, QWidget

from recorder_editor.ui.style.boxes import fill
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets.base import set_state

from ..style.colors import ColorName


class ToggleChip(QToolButton):
    """A switch in a title, 20 high: on, it has the hover fill and selection-coloured text.

    Signal: ``toggled(bool)``, as with every checkable button of Qt. ``setChecked`` sets it.
    """

    def __init__(self, text: str, on: bool = False) -> None:
        super().__init__()
        self.setText(text)
        self.setCheckable(True)
        self.setChecked(on)
        self.setProperty("chip", True)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(text)


class MenuChip(ToggleChip):
    """A switch with a menu behind the arrow at its right; a click with the right button opens it, too."""

    def __init__(self, text: str, fill_menu: Callable[[QMenu], None], on: bool = False) -> None:
        """``fill_menu`` adds the actions of the moment."""
        super().__init__(text, on)
        menu = QMenu(self)
        menu.aboutToShow.connect(menu.clear)
        menu.aboutToShow.connect(lambda: fill_menu(menu))
        self.setMenu(menu)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(lambda _at: self.showMenu())


class Segmented(QFrame):
    """A switch between a few words, one of which is always on; 22 high. Left and Right move it.

    Signal: ``changed(int)`` with the index, when the user or ``set_current`` has moved it.
    """

    changed = Signal(int)

    def __init__(self, theme: Theme, options: Sequence[str], name: str = "") -> None:
        """``name`` says to a screen reader what is switched."""
        super().__init__()
        self.theme = theme
        self.setProperty("segmented", True)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._group = QButtonGroup(self)
        row = fill(QHBoxLayout(self), spacing=0)
        for index, text in enumerate(options):
            segment = QToolButton()
            segment.setText(text)
            segment.setCheckable(True)
            segment.setAccessibleName(text)
            segment.setProperty("segment", {0: "first", len(options) - 1: "last"}.get(index, "inner"))
            segment.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self._group.addButton(segment, index)
            row.addWidget(segment)
        self._segments = self._group.buttons()
        self._segments[0].setChecked(True)
        self._group.idToggled.connect(self._toggled)
        theme.changed.connect(self.restyle)
        self.restyle()

    def restyle(self) -> None:
        """Keep the room of semi-bold words for all, so that nothing moves when another is on."""
        for segment in self._segments:
            words = self.theme.metrics(self.theme.small_bold).horizontalAdvance(segment.text())
            segment.setFixedSize(words + 2 * self.theme.px(7), self.theme.px(22) - 2)

    @property
    def current(self) -> int:
        """The index of the option that is on."""
        return self._group.checkedId()

    def set_current(self, index: int) -> None:
        """Turn one option on."""
        self._segments[index].setChecked(True)

    def show_words(self, words: Sequence[str]) -> None:
        """Show other words, as short as there is room for; screen readers say those it was made with."""
        for segment, text in zip(self._segments, words, strict=True):
            segment.setText(text)
            segment.setToolTip(segment.accessibleName() if text != segment.accessibleName() else "")
        self.restyle()

    def segment(self, index: int) -> QWidget:
        """The button of one option, to give it a tooltip or to switch it off."""
        return self._segments[index]

    def _toggled(self, index: int, on: bool) -> None:
        if on:
            self.changed.emit(index)


class CountBadge(QLabel):
    """A small filled number, such as how many problems the checks found; nothing at 0."""

    def __init__(self, name: str = "") -> None:
        """``name`` is what is counted, for a screen reader: "problems"."""
        super().__init__()
        self._name = name
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.set_count(0)

    def set_count(self, count: int, color: ColorName = "error") -> None:
        """Show a number on "error" or "warning"."""
        beside = "\N{FOUR-PER-EM SPACE}"  # the padding of a rule that a label meets later is ignored
        self.setText(f"{beside}{count if count < 1000 else '999+'}{beside}" if count else "")
        self.setAccessibleName(f"{count} {self._name}".strip())
        set_state(self, "badge", color if count else "none")
