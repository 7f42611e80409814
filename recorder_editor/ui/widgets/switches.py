"""Small switches of titles and strips: one of several (Segmented), on or off (ToggleChip, MenuChip), a count."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QLabel, QMenu, QSizePolicy, QToolButton, QWidget

from recorder_editor.ui.style.boxes import fill
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets.base import set_state

from ..style.colors import ColorName


class ToggleChip(QToolButton):
    """A switch in a title, 20 high; while it is on, it has the fill of hovering and text in the colour of selection.

    It is a checkable button of Qt, with ``setChecked`` and ``toggled(bool)``.
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
        """Make a switch; ``fill_menu`` adds the actions of the moment to its menu, which is empty."""
        super().__init__(text, on)
        menu = QMenu(self)
        menu.aboutToShow.connect(menu.clear)
        menu.aboutToShow.connect(lambda: fill_menu(menu))
        self.setMenu(menu)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(lambda _at: self.showMenu())


class Segmented(QFrame):
    """A switch between a few texts, one of which is always on; 22 high. Left and Right move it.

    Attributes:
        theme: The theme.

    Signals:
        changed(int): The user or ``set_current`` has moved it; has the index.
    """

    changed = Signal(int)

    def __init__(self, theme: Theme, options: Sequence[str], name: str = "") -> None:
        """Make a switch of which the first option is on; ``name`` is its name for screen readers."""
        super().__init__()
        self.theme = theme
        self.setProperty("segmented", True)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._group = QButtonGroup(self)
        row = fill(QHBoxLayout(self), spacing=0)
        places = dict.fromkeys(range(len(options)), "inner")
        places[0] = "first"
        places[len(options) - 1] = "last"
        for index, text in enumerate(options):
            segment = QToolButton()
            segment.setText(text)
            segment.setCheckable(True)
            segment.setAccessibleName(text)
            segment.setProperty("segment", places[index])
            segment.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self._group.addButton(segment, index)
            row.addWidget(segment)
        self._segments = self._group.buttons()
        self._segments[0].setChecked(True)
        self._group.idToggled.connect(self._toggled)
        theme.changed.connect(self.restyle)
        self.restyle()

    def restyle(self) -> None:
        """Keep the room of semi-bold texts for all, so that nothing moves when another is on."""
        for segment in self._segments:
            text_width = self.theme.metrics(self.theme.small_bold).horizontalAdvance(segment.text())
            segment.setFixedSize(text_width + 2 * self.theme.px(7), self.theme.px(22) - 2)

    @property
    def current(self) -> int:
        """The index of the option that is on."""
        return self._group.checkedId()

    def set_current(self, index: int) -> None:
        """Switch one option on."""
        self._segments[index].setChecked(True)

    def show_texts(self, words: Sequence[str]) -> None:
        """Show other texts, which may be shorter; screen readers and tooltips have those it was made with."""
        for segment, text in zip(self._segments, words, strict=True):
            segment.setText(text)
            if text == segment.accessibleName():
                segment.setToolTip("")
            else:
                segment.setToolTip(segment.accessibleName())
        self.restyle()

    def segment(self, index: int) -> QWidget:
        """Return the button of one option, to give it a tooltip or to disable it."""
        return self._segments[index]

    def _toggled(self, index: int, on: bool) -> None:
        if on:
            self.changed.emit(index)


class CountBadge(QLabel):
    """A small filled number, such as how many problems the checks found; nothing at 0."""

    def __init__(self, name: str = "") -> None:
        """Make a badge of 0; ``name`` is what is counted, for screen readers: "problems"."""
        super().__init__()
        self._name = name
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.set_count(0)

    def set_count(self, count: int, color: ColorName = "error") -> None:
        """Show a number; ``color`` is the name of the ground's colour, "error" or "warning"."""
        space = "\N{FOUR-PER-EM SPACE}"  # the padding of a rule that a label meets later is ignored
        if not count:
            self.setText("")
            set_state(self, "badge", "none")
        else:
            number = str(count) if count < 1000 else "999+"
            self.setText(f"{space}{number}{space}")
            set_state(self, "badge", color)
        self.setAccessibleName(f"{count} {self._name}".strip())
