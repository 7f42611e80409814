"""Parts of panes: a table with a filter; and for panes that preview an edit a page that scrolls and a footer."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QSizePolicy, QStackedLayout, QVBoxLayout, QWidget

from ...texts import say
from ..session import Session
from ..style.boxes import Stretch, fill, icon_button, make_scrolling
from ..style.theme import Theme
from . import EmptyState, SearchField, ThemedWidget
from .job_panel import JobPanel
from .pane import Pane

_LEAST = 176


class Hairline(ThemedWidget):
    """A line of one pixel across."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(1)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), self.theme.palette.hairline)


class WrappedRow(QWidget):
    """Widgets beside each other; one above the other where they have no room for that."""

    def __init__(self, *parts: QWidget) -> None:
        super().__init__()
        self._parts = parts
        self._box = fill(QHBoxLayout(), *parts, spacing=8)
        self._box.setSizeConstraint(QHBoxLayout.SizeConstraint.SetNoConstraint)
        self.setLayout(self._box)

    def minimumSizeHint(self) -> QSize:
        width = max(part.minimumSizeHint().width() for part in self._parts)
        return QSize(width, self._box.minimumSize().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        needed = sum(part.sizeHint().width() + self._box.spacing() for part in self._parts) - self._box.spacing()
        if needed <= self.width():
            self._box.setDirection(QHBoxLayout.Direction.LeftToRight)
        else:
            self._box.setDirection(QHBoxLayout.Direction.TopToBottom)


class PaneFooter(ThemedWidget):
    """Below a hairline: progress and a sentence, a button that copies the command, and buttons.

    `command` returns the command line that does the same.

    Attributes:
        job_panel: Progress and result of the job.
        copy: The button that copies the command.
    """

    def __init__(self, session: Session, theme: Theme, command: Callable[[], str]) -> None:
        super().__init__(theme)
        self.job_panel = JobPanel(session, theme)
        copy_icon = theme.icons.icon("copy")
        tip = say("Copy command")
        self._command = command
        self.copy = icon_button(copy_icon, tip, self.copy_command, 16)
        self._buttons = fill(QHBoxLayout(), self.copy, Stretch(), spacing=8)
        fill(QVBoxLayout(self), self.job_panel, self._buttons, spacing=6, margins=(8, 11, 12, 10))

    def copy_command(self) -> None:
        """Copy the command that does the same to the clipboard."""
        QGuiApplication.clipboard().setText(self._command())

    def add_buttons(self, *buttons: QWidget) -> None:
        """Add buttons at the right."""
        for button in buttons:
            button.setProperty("large", True)
            self._buttons.addWidget(button)

    def minimumSizeHint(self) -> QSize:
        # Wide enough for the texts of two short buttons: a style sheet lets buttons be narrower than these.
        return super().minimumSizeHint().expandedTo(QSize(60 + self.theme.px(_LEAST), 0))

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(0, 0, self.width(), 1, self.theme.palette.hairline)


class PageStack(QWidget):
    """A page that scrolls downwards, or a message in its place."""

    def __init__(self, page: QWidget, empty: EmptyState) -> None:
        super().__init__()
        self.setMinimumHeight(1)  # so that the widgets below it have their height
        scroll = make_scrolling(page)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(scroll)
        self._stack.addWidget(empty)

    def hasHeightForWidth(self) -> bool:
        return False  # it may be lower than its page

    @property
    def shows_page(self) -> bool:
        """Whether the page is shown, not the message."""
        return self._stack.currentIndex() == 0

    def show_page(self, on: bool) -> None:
        """Show the page, or the message."""
        self._stack.setCurrentIndex(0 if on else 1)


class FilteredPane(Pane):
    """A pane with a table and its filter.

    Attributes:
        filter: The line of the filter.
        empty: The message where no row is shown.
        strip: The layout of the line of the filter.
        column: The layout of the pane.
    """

    def __init__(self, session: Session, theme: Theme, table: QAbstractItemView, hint: str) -> None:
        super().__init__(session, theme)
        self.filter = SearchField(theme, hint, icon="")
        self.search = self.filter
        self.filter.setClearButtonEnabled(True)
        self.keep("filter", self.filter.text, self.filter.setText)
        self.filter.lead_to(table, Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape)
        self.empty = EmptyState(theme, "")
        self.empty.lie_over(table)
        self.strip = fill(QHBoxLayout(), (self.filter, 1), spacing=8, margins=(8, 5, 8, 5))
        self.column = fill(QVBoxLayout(self), self.strip, (table, 1), spacing=0)
        self.setFocusProxy(table)

    def show_counts(self, shown: int, every: int, no_match: str, none: str, about: str) -> None:
        """Show how many rows the filter leaves, and where none is left why.

        Args:
            shown: How many rows are shown.
            every: How many there are.
            no_match: The message where the filter leaves none.
            none: The message where there is no row.
            about: The smaller text beneath that message.
        """
        self.empty.setVisible(not shown)
        if not every:
            self.set_caption("")
            self.empty.set_text(none, about)
            return
        if shown != every:
            self.set_caption(say("{shown:,} of {every:,}", shown=shown, every=every), short=f"{shown:,}")
        else:
            self.set_caption(f"{every:,}")
        self.empty.set_text(no_match, say("Clear the filter to see all of them."))
