"""The tour: seven notes that point at controls of the window one after the other, which stay usable meanwhile."""

import re
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QKeyEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPolygonF,
    QShortcut,
)
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from ...texts import N_, listed, say
from ..style.boxes import Stretch, fill, push_button
from ..style.painting import RADIUS, set_colors
from ..widgets import Label, ThemedWidget
from .panes import Services

_WIDTH = 320
_ARROW = 14


class TourStep(NamedTuple):
    """A note of the tour.

    Attributes:
        widget: Object name of the control that it points at; that of a dock is `dock.` and the name of its pane.
        title: Its title. Ids of actions in braces stand for their keys, in the text, too.
        text: Its text.
    """

    widget: str
    title: str
    text: str


STEPS = (
    TourStep(
        "sceneView",
        title=N_("The scene: who is where"),
        text=N_(
            "Click an actor to select it. Drag the ground to move, turn the wheel to zoom, press "
            "{scene.fit} to see all."
        ),
    ),
    TourStep(
        "dock.timeline",
        title=N_("The timeline: when it happens"),
        text=N_(
            "{play.toggle} plays. A click or drag goes to a moment; {range.in} and {range.out} set the "
            "range to keep or export."
        ),
    ),
    TourStep(
        "dock.packets",
        title=N_("Packets: what a frame is made of"),
        text=N_(
            "All panes share one selection: what you select in the scene is shown here, in Bytes and in "
            "Attributes, too."
        ),
    ),
    TourStep(
        "dock.bytes",
        title=N_("Bytes: the file itself"),
        text=N_("Each field has its own tint. Type to change a byte; nothing is written to the file before you save."),
    ),
    TourStep(
        "dock.attributes",
        title=N_("Attributes: fields as a form"),
        text=N_("Type another value, for this frame or for more of them under Apply to. {edit.undo} takes it back."),
    ),
    TourStep(
        "workspaces",
        title=N_("Trim, Repair, Checks"),
        text=N_("Cut out a part that still replays, restore a damaged file, or list what is wrong with a recording."),
    ),
    TourStep(
        "palette",
        title=N_("Everything else: {palette.open}"),
        text=N_(
            "Type a few letters of what you want to do, or a frame, time or actor. {help.guide} opens the "
            "guide; Help > Tour shows these steps again."
        ),
    ),
)


class Tour(ThemedWidget):
    """A note with an arrow. Left and Right go through the steps, Esc ends them.

    Attributes: `number` (of the step, from 0), `title`, `words`, `back`, `next`, `skip`, `tip` (of the arrow).
    """

    def __init__(self, services: Services) -> None:
        super().__init__(services.theme, services.window)
        self.setObjectName("tour")
        self._services = services
        self.number = 0
        self._target = services.window
        self.tip = QPoint()
        self.title = Label(self.theme, "", "bold", wraps=True)
        self.words = Label(self.theme, "", wraps=True)
        self._count = Label(self.theme, "", "small", "muted")
        self.skip = push_button(say("Skip"), self.end)
        self.back = push_button(say("Previous"), lambda: self.go(-1))
        self.next = push_button(say("Next"), lambda: self.go(1), primary=True)
        row = fill(QHBoxLayout(), self._count, Stretch(), self.skip, self.back, self.next, spacing=8)
        fill(QVBoxLayout(self), self.title, self.words, 8, row, spacing=4, margins=_ARROW + 12)
        for key, does in (("Left", self.back.click), ("Right", self.next.click), ("Esc", self.end)):
            QShortcut(key, self, does, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
        services.panes.set_preset("inspect")
        services.session.taken_over.connect(self.end)
        services.window.installEventFilter(self)
        self.go(0)

    def go(self, by: int) -> None:
        """Show the next step or the one before; behind the last one the tour ends."""
        self.number += by
        if self.number == len(STEPS):
            self.end()
            return
        step = STEPS[self.number]
        panes = self._services.panes
        title = self._with_keys(step.title)
        words = self._with_keys(step.text)
        dock = step.widget.removeprefix("dock.")
        if dock in panes.docks:
            panes.show(dock)
        self._target = self._services.window.findChild(QWidget, step.widget) or self._services.window
        self.title.setText(title)
        self.words.setText(words)
        count = say("{number} of {count}", number=self.number + 1, count=len(STEPS))
        self._count.setText(count)
        self.back.setEnabled(self.number > 0)
        if self.number + 1 < len(STEPS):
            self.next.setText(say("Next"))
        else:
            self.next.setText(say("Done"))
        self.setAccessibleName(listed((say("{title}.", title=title), words, count), "sentences"))
        self.next.setAccessibleDescription(self.accessibleName())
        self._place()
        self.show()
        self.raise_()
        self.next.setFocus(Qt.FocusReason.OtherFocusReason)
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, self.accessibleName()))

    def _with_keys(self, text: str) -> str:
        """Return a text in the language that is set, with the keys of the actions that it names."""
        actions = self._services.actions
        return re.sub(r"\{([\w.]+)\}", lambda match: actions.spec(match[1]).key_text, say(text))

    def end(self) -> None:
        """Go away."""
        self._services.window.removeEventFilter(self)
        self.hide()
        self.deleteLater()
        self._services.panes.focus_next(1)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._place()
        return super().eventFilter(watched, event)

    def restyle(self) -> None:
        """Take over palette, fonts and lengths of this moment."""
        super().restyle()
        self._place()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Letters are keys of the window, which must not act while the tour is shown.
        event.setAccepted(event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter))

    def _place(self) -> None:
        """Stand at the side of the target where the least of it is covered; the arrow's tip is at its edge."""
        window = self._services.window
        layout = self.layout()
        width = min(self.theme.px(_WIDTH) + 2 * _ARROW, window.width())
        height = 0
        if layout is not None:
            height = layout.totalHeightForWidth(width)
        self.resize(width, height)
        target = QRect(self._target.mapTo(window, QPoint()), self._target.size())
        centre = target.center()
        height = self.height()
        sides = (
            (QPoint(target.right(), centre.y()), QPoint(0, -height // 2)),
            (QPoint(target.left(), centre.y()), QPoint(-width, -height // 2)),
            (QPoint(centre.x(), target.bottom()), QPoint(-width // 2, 0)),
            (QPoint(centre.x(), target.top()), QPoint(-width // 2, -height)),
        )
        room = QPoint(window.width() - width, window.height() - height)

        def placed(tip: QPoint, shift: QPoint) -> QRect:
            corner = tip + shift
            return QRect(QPoint(max(0, min(corner.x(), room.x())), max(0, min(corner.y(), room.y()))), self.size())

        def covered(side: tuple[QPoint, QPoint]) -> int:
            tip, shift = side
            common = placed(tip, shift) & target
            return common.width() * common.height()

        best_tip, best_shift = min(sides, key=covered)
        self.move(placed(best_tip, best_shift).topLeft())
        self.tip = best_tip - self.pos()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self.theme.palette
        painter = QPainter(self)
        box = QRectF(self.rect()).adjusted(_ARROW, _ARROW, -_ARROW, -_ARROW)
        note = QPainterPath()
        arrow = QPainterPath()
        note.addRoundedRect(box, RADIUS, RADIUS)
        tip = QPointF(self.tip)
        inner = box.adjusted(_ARROW, _ARROW, -_ARROW, -_ARROW)
        base = QPointF(max(inner.left(), min(tip.x(), inner.right())), max(inner.top(), min(tip.y(), inner.bottom())))
        aside = QPointF(base.y() - tip.y(), tip.x() - base.x()) / 2
        arrow.addPolygon(QPolygonF([tip, base + aside, base - aside]))
        arrow.closeSubpath()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        set_colors(painter, palette.control, QPen(palette.selection, 2))
        painter.drawPath(note.united(arrow))
