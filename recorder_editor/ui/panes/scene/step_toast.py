"""The line at the foot of the scene that tells each step of editing, and offers its other reach and undo."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QWidget

from ....texts import say
from ....views.step_names import split_at_actor
from ...session import SCOPES
from ...session.debounce import Debounce
from ...session.preferences import TELLS_STEPS, AnyPreference
from ...session.settings import Settings
from ...style.colors import ColorName
from ...widgets.toast import EDGE, Offer, Toast
from .layers.label_layer import Labels
from .layers.overlays import Overlays
from .scene_view import SceneView

if TYPE_CHECKING:
    from ...session.new_actors import PlacedInside

_ABOVE = 6
"""Pixels of the design between it and the instruments beneath."""


class StepToast(Toast):
    """Follows the steps of a session, and keeps off the pointer and the selected actors.

    Attributes:
        view: The scene that it lies over.
    """

    def __init__(self, view: SceneView, settings: Settings, run: Callable[[str], object], parent: QWidget) -> None:
        """Make a toast that is hidden.

        Args:
            view: The scene.
            settings: Have the preference that switches it off.
            run: Runs the action of an id.
            parent: The pane of the scene.
        """
        super().__init__(view.theme, parent)
        self.view = view
        self._settings = settings
        self._run = run
        self._session = view.session
        self._keys: Mapping[str, str] = {}
        self._offers: Sequence[Offer] = ()
        self._version = self._session.steps.version
        self._labels = next(layer for layer in view.box.layers if isinstance(layer, Labels))
        self._instruments = next(layer for layer in view.box.layers if isinstance(layer, Overlays))
        self._place_soon = Debounce(self, self._place)
        view.installEventFilter(self)
        view.box.changed.connect(self._begin_placing)
        self._session.selection.changed.connect(self._begin_placing)
        # One edit that takes the place of another is an undo and a step: only what comes of both is told.
        self._follow_soon = Debounce(self, self._follow)
        self._session.opened.connect(self._begin_following)
        self._session.state_changed.connect(self._begin_following)
        self._session.new_actors.found.connect(self._show_overlaps)
        settings.changed.connect(self._take_preference)

    def show_keys(self, keys: Mapping[str, str]) -> None:
        """Show these keys of actions, by id, from now on."""
        self._keys = keys

    def _take_preference(self, changed: AnyPreference) -> None:
        if changed is TELLS_STEPS and not self._settings[TELLS_STEPS]:
            self.hide()

    # --- what is shown ----------------------------------------------------------------------------------

    def _begin_following(self) -> None:
        if self._session.steps.version != self._version:  # notified of every selection, too
            self._follow_soon.start()

    def _follow(self) -> None:
        """Show the step that was done or undone last; hide when there is none any more."""
        steps = self._session.steps
        self._version = steps.version
        if not steps.news:
            self.hide()
        elif steps.was_undone:
            self._show(steps.news, [self._action_offer("edit.redo", say("Redo"), steps.redo_label)])
        else:
            self._show(steps.news, [*self._reach_offers(), self._undo_offer()])

    def _action_offer(self, action: str, text: str, step: str) -> Offer:
        """Return the offer of an action that is done to a step."""
        tip = say("{action} {what}", action=text, what=step)
        return Offer(text, lambda: self._run(action), tip, self._keys.get(action, ""))

    def _undo_offer(self) -> Offer:
        return self._action_offer("edit.undo", say("Undo"), self._session.steps.undo_label)

    def _reach_offers(self) -> list[Offer]:
        """Return the offer to make the edit for other frames instead, if it can be made for others."""
        reach = self._session.editing.other_reach
        if reach is None:
            return []
        action = "edit.other_reach"
        tip = say("Undo it, and do the same for these frames as one step")
        text = say(dict(SCOPES)[reach.scope])
        return [Offer(text, lambda: self._run(action), tip, self._keys.get(action, ""))]

    def _show_overlaps(self, placed: "PlacedInside") -> None:
        """Warn of a new actor that stands in another one, and offer to go there."""
        tip = say("Go to the first frame in which it does, and select it")
        show = Offer(say("Show"), lambda: self._go_to(placed), tip)
        self._show(placed.sentence, [show, self._undo_offer()], is_warning=True)

    def _go_to(self, placed: "PlacedInside") -> None:
        selection = self._session.selection
        selection.go_to_frame(placed.frame_index)
        selection.seek_actor(placed.actor)

    def _show(self, sentence: str, offers: Sequence[Offer], *, is_warning: bool = False) -> None:
        if not self._settings[TELLS_STEPS] or not self.view.isVisible():
            self.hide()
            return
        self._offers = offers
        bar: ColorName = "warning" if is_warning else "edited"
        self.set_line(split_at_actor(sentence), offers, bar)
        self._place()
        self.appear()
        self._begin_placing()  # labels have other places when the scene is painted

    # --- where it lies ----------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        elif event.type() == QEvent.Type.Hide:
            self.hide()
        return super().eventFilter(watched, event)

    def _begin_placing(self, _selection: object = None) -> None:
        if self.isVisible():
            self._place_soon.begin(at_once=True)

    def _place(self) -> None:
        """Lie at the foot of the scene; at its top where the pointer, a selected actor or its label is beneath."""
        area = self.view.geometry()
        self.fit(area.width(), has_other=len(self._offers) > 1)
        if self.is_held:
            return
        edge = self.theme.px(EDGE)
        left = area.left() + (area.width() - self.width()) // 2
        foot = QRect(QPoint(left, area.top() + area.height() - edge - self.height()), self.size())
        foot = self._above_instruments(foot)
        top = QRect(QPoint(left, area.top() + edge), self.size())
        pointer = self.mapToParent(self.mapFromGlobal(QCursor.pos()))
        is_taken = foot.contains(pointer) or self._lies_over_selected(foot)
        if is_taken and not top.contains(pointer):
            self.setGeometry(top)
        else:
            self.setGeometry(foot)

    def _above_instruments(self, place: QRect) -> QRect:
        """Return a place at the foot, moved up where scale bar, legends or the chip of the roads would be beneath."""
        moved = QRectF(place.translated(-self.view.pos()))
        for box in sorted(self._instruments.seen(), key=QRectF.bottom, reverse=True):
            if moved.intersects(box):
                moved.moveBottom(box.top() - self.theme.px(_ABOVE))
        if moved.top() < self.view.height() / 2:
            return place
        return moved.toRect().translated(self.view.pos())

    def _lies_over_selected(self, place: QRect) -> bool:
        """Return whether a selected actor, or its label, is beneath a place of the pane."""
        within_view = QRectF(place.translated(-self.view.pos()))
        return any(box.intersects(within_view) for box in self._labels.selected_boxes)
