"""Small switches of titles and strips: one of several (Segmented), on or off (ToggleChip, MenuChip), a count.

Where a title or a strip is too narrow for its chips, the last ones are in a menu.
"""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QLabel, QMenu, QSizePolicy, QToolButton, QWidget

from recorder_editor.ui.style.boxes import Stretch, fill, icon_button
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets.base import set_state

from ...texts import say
from ..style.colors import ColorName

_SIGN = 12
_MORE = 20
_BETWEEN = 4
_ICON = 16
_BESIDE_WORD = 20  # an icon with room at its sides
_BESIDE_ICON = 16  # more than the icon then and Qt put between icon and text
_UNBOUND = (1 << 24) - 1  # of Qt


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

    def set_sign(self, icon: QIcon) -> None:
        """Show an icon before the text."""
        self.setIcon(icon)
        self.setIconSize(QSize(_SIGN, _SIGN))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)


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


class WordButton(QToolButton):
    """A button of an icon in a title, with a word beside it where there is room; ``tip`` says more than the word."""

    def __init__(self, icon: QIcon, word: str, tip: str, does: Callable[[], object]) -> None:
        super().__init__()
        self.setAutoRaise(True)
        self.setIcon(icon)
        self.setText(word)
        self.setToolTip(tip)
        self.setAccessibleName(tip)
        self.setProperty("chip", True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.clicked.connect(lambda: does())
        self.set_worded(False)

    @property
    def is_worded(self) -> bool:
        """Whether the word is shown."""
        return self.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonTextBesideIcon

    def set_worded(self, on: bool) -> None:
        """Show the word, or leave it out."""
        if on and not self.is_worded:
            self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            self.setIconSize(QSize(_BESIDE_WORD, _ICON))
        elif not on:
            self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
            self.setIconSize(QSize(_ICON, _ICON))

    @property
    def word_width(self) -> int:
        """The room that its word needs at most, px."""
        return self.fontMetrics().horizontalAdvance(self.text()) + _BESIDE_ICON


class FoldingSwitches:
    """Switches side by side; chips are in a menu behind them, the last ones first, while there is no room for all.

    Buttons have words where there is room for those of all.

    Attributes:
        row: The layout of the switches.
        more: The button that opens the menu; hidden while all have room.
    """

    def __init__(self) -> None:
        self.row = fill(QHBoxLayout(), spacing=_BETWEEN)
        self._switches: list[QWidget] = []
        self._folded: list[ToggleChip] = []
        self.more = icon_button(QIcon(), say("More switches"), self._show_more)
        self.more.setText("»")
        self.more.setFixedSize(_MORE, _MORE)
        self.more.hide()

    def __len__(self) -> int:
        return len(self._switches)

    def add(self, switch: QWidget) -> None:
        """Add a switch (``ToggleChip``, ``Segmented``, a tool button) at the end."""
        self.row.addWidget(switch, 0, Qt.AlignmentFlag.AlignVCenter)
        self._switches.append(switch)

    def width(self) -> int:
        """Return the room that all switches need that are not hidden, pixels."""
        shown = self._shown()
        # A switch of no width still has its space beside it.
        spaces = self.row.contentsMargins().left() + len(shown) * self.row.spacing()
        return spaces + sum(switch.sizeHint().width() for switch in shown)

    def fold(self, room: int) -> None:
        """Show the switches that so many pixels are enough for, and the others in the menu."""
        needed = self._fit_words(room)
        self._folded = []
        for switch in reversed(self._shown()):
            if not isinstance(switch, ToggleChip):
                continue
            # Not hidden, but without width: its pane decides whether it is hidden.
            if needed > room:
                if not self._folded:
                    room -= _MORE
                needed -= switch.sizeHint().width()
                self._folded.insert(0, switch)
                switch.setMaximumWidth(0)
                switch.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            else:
                switch.setMaximumWidth(_UNBOUND)
                switch.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.more.setVisible(bool(self._folded))

    def _fit_words(self, room: int) -> int:
        """Show words at buttons, or none, and return the room that all switches need then, px."""
        buttons = [switch for switch in self._shown() if isinstance(switch, WordButton)]
        bare = self.width() - sum(button.word_width for button in buttons if button.is_worded)
        words = sum(button.word_width for button in buttons)
        for button in buttons:
            button.set_worded(bare + words <= room)
        return self.width()

    def _shown(self) -> list[QWidget]:
        return [switch for switch in self._switches if not switch.isHidden()]

    def _show_more(self) -> None:
        menu = QMenu(self.more)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for switch in self._folded:
            action = menu.addAction(switch.icon(), switch.text(), switch.click)
            action.setCheckable(True)
            action.setChecked(switch.isChecked())
            action.setEnabled(switch.isEnabled())
        menu.popup(self.more.mapToGlobal(self.more.rect().bottomLeft()))


class SwitchStrip(QWidget):
    """Switches in the line of a pane, which takes no more room than they need, and may have less."""

    def __init__(self, *switches: QWidget) -> None:
        super().__init__()
        self._folding = FoldingSwitches()
        for switch in switches:
            self._folding.add(switch)
        fill(QHBoxLayout(self), self._folding.row, self._folding.more, Stretch(), spacing=0)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(self._folding.width(), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(min(_MORE, self._folding.width()), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._folding.fold(self.width())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._folding.fold(self.width())  # switches may have been shown meanwhile: a hidden strip is told only once

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:  # a switch was shown or hidden, or has another text
            self._folding.fold(self.width())
            self.updateGeometry()
        return super().event(event)


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
