"""The Timeline pane: the transport strip above, the timeline lanes below."""

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QMenu, QVBoxLayout

from ....recording import Edit
from ....texts import say
from ...session import Session
from ...session.player import Player
from ...style.boxes import fill
from ...style.theme import Theme
from ...widgets.copied import Copied, copied_table
from ...widgets.menus import make_checkable
from ...widgets.pane import Pane
from .canvas import Canvas
from .note_field import NoteField
from .transport import Transport

_NOTE_WIDTH = 240


class TimelinePane(Pane):
    """The Timeline pane.

    Attributes:
        player: Plays the recording.
        transport: The strip above.
        canvas: The timeline lanes and lives.
    """

    lowest = 54  # the transport and the overview

    def __init__(self, session: Session, theme: Theme, player: Player) -> None:
        super().__init__(session, theme)
        self.player = player
        self.transport = Transport(session, theme, player)
        self.canvas = Canvas(session, theme)
        fill(QVBoxLayout(self), self.transport, (self.canvas, 1), spacing=0)
        self.setFocusProxy(self.canvas)
        canvas = self.canvas
        self.keep("folded", lambda: canvas.is_folded, canvas.set_folded)
        self.keep("folds_kinds", lambda: canvas.folds_kinds, canvas.set_kinds_folded)
        self.keep("lanes", lambda: canvas.wishes, canvas.wish, _are_wishes)
        self.give(self.canvas, self.copied_marks)
        self.canvas.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.canvas.customContextMenuRequested.connect(self._menu)

    def ask_note(self, text: str) -> None:
        """Let the text of the newest note be typed in a field at the cursor, which begins with a text."""
        session = self.session
        note = session.notes.newest
        px = self.theme.px
        canvas = self.canvas
        seconds = float(canvas.axis.times[session.selection.frame_index])
        hint = say("Note at {time} s", time=f"{seconds:.3f}")

        def write(written: str) -> None:
            if note is not None and note in session.notes.items:
                session.notes.change(session.notes.items.index(note), text=written)

        field = NoteField(canvas, hint, text)
        field.written.connect(write)
        width = min(px(_NOTE_WIDTH), canvas.width())
        left = min(round(canvas.axis.x(seconds)) + px(4), canvas.width() - width)
        top = min(canvas.timeline_layout.timeline_lanes_top, canvas.height() - px(26))
        field.setGeometry(max(left, 0), max(top, 0), width, px(26))
        field.show()
        field.setFocus(Qt.FocusReason.OtherFocusReason)

    def copied_marks(self) -> Copied | None:
        """Return the marks of the lanes and the actors in the visible part, as a table with the moments of each."""
        rows = self.canvas.pointing.marks_in_view()
        heads = (say("Lane"), say("First frame"), say("Last frame"), say("What"))
        if self.canvas.axis.in_seconds:
            heads = (say("Lane"), say("From [s]"), say("To [s]"), say("What"))
        return copied_table(heads, rows)

    def _menu(self, point: QPoint) -> None:
        if self.session.frames:
            axis = self.canvas.axis
            menu = self.row_menu(QPointF(point))
            if point.x() >= axis.left:
                self.context_menu(axis.frame(point.x()), menu)
            elif self.canvas.pointing.life_at(QPointF(point)) is None:
                self.timeline_lane_menu(menu)
            self.offer_copies(menu, self.canvas)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(self.canvas.mapToGlobal(point))

    def row_menu(self, point: QPointF) -> QMenu:
        """Return a menu about the actor of the row under a point; empty without one."""
        menu = QMenu(self)
        canvas = self.canvas
        session = self.session
        life = canvas.pointing.life_at(point)
        if life is not None:
            if life.actor not in session.selection.actors:
                canvas.select_life(life, stays=True)
            self.menu_asked.emit(menu)
            menu.addSeparator()
        return menu

    def context_menu(self, frame: int, menu: QMenu | None = None) -> QMenu:
        """Return a menu about a frame.

        Args:
            frame: Index of the frame.
            menu: Menu to which it is added; None: a new one.
        """
        session = self.session
        if menu is None:
            menu = QMenu(self)
        text = say("Go to frame {frame:,}", frame=frame + 1)
        menu.addAction(text, partial(session.selection.go_to_frame, frame))
        menu.addSeparator()
        menu.addAction(say("Mark in here"), lambda: session.range.set_in(frame))
        menu.addAction(say("Mark out here"), lambda: session.range.set_out(frame))
        note = menu.addAction(say("Note of the range"), partial(self.action_asked.emit, "notes.range"))
        note.setEnabled(session.range.is_set)
        clear = menu.addAction(say("Clear range"), session.range.clear)
        clear.setEnabled(session.range.is_shown)
        menu.addSeparator()
        self._add_edits(menu, frame)
        menu.addSeparator()
        whole = menu.addAction(say("Show the whole recording"), lambda: self.canvas.zoom(0))
        whole.setEnabled(not self.canvas.axis.is_whole)
        return menu

    def _add_edits(self, menu: QMenu, frame: int) -> None:
        from .... import edits

        session = self.session
        row = 0
        if session.snapshot is not None:
            row = session.snapshot.table.row_of_frame(frame)

        def insert() -> Edit:
            return edits.insert_frame(session.snapshot_or_refuse(), row + 1)

        def duplicate() -> Edit:
            return edits.insert_frame(session.snapshot_or_refuse(), row + 1, row)

        def delete() -> Edit:
            return edits.delete_rows(session.snapshot_or_refuse(), row)

        for text, make in (
            (say("Insert empty frame after"), insert),
            (say("Duplicate frame {frame:,}", frame=frame + 1), duplicate),
            (say("Delete frame {frame:,}", frame=frame + 1), delete),
        ):
            action = menu.addAction(text, partial(session.editing.attempt, make))
            action.setEnabled(session.is_complete)

    def timeline_lane_menu(self, menu: QMenu | None = None) -> QMenu:
        """Return a menu that shows and hides timeline lanes.

        Args:
            menu: Menu to which it is added; None: a new one.
        """
        if menu is None:
            menu = QMenu(self)
        canvas = self.canvas
        fold = make_checkable(menu.addAction(say("Fold actors")), canvas.is_folded)
        fold.toggled.connect(canvas.set_folded)
        kinds = make_checkable(menu.addAction(say("Fold kinds of events")), canvas.folds_kinds)
        kinds.toggled.connect(canvas.set_kinds_folded)
        room = menu.addAction(say("Make room for all timeline lanes"), canvas.ask_room)
        room.setEnabled(canvas.timeline_layout.lacks > 0)
        menu.addSeparator()
        shown = {timeline_lane.name for timeline_lane in canvas.timeline_layout.timeline_lanes}
        for timeline_lane in canvas.timeline_lanes:
            name = say(timeline_lane.name)
            if timeline_lane.is_empty:
                name = say("{name} (none)", name=name)
            action = make_checkable(menu.addAction(name), timeline_lane.name in shown)
            action.toggled.connect(partial(canvas.show_timeline_lane, timeline_lane.name))
        return menu

    def show_keys(self, keys: Mapping[str, str]) -> None:
        super().show_keys(keys)
        self.transport.show_keys(keys)


def _are_wishes(values: dict[str, object]) -> bool:
    """Return whether values that were read say for timeline lanes whether they are shown."""
    return all(isinstance(value, bool) for value in values.values())
