"""A pane as anybody would add one: the widget, an action and the declaration in one file."""

from collections.abc import Sequence

from PySide6.QtWidgets import QLabel, QVBoxLayout

from recorder_editor.ui.session import Session
from recorder_editor.ui.shell.action import Action, specs
from recorder_editor.ui.shell.docks import Placement
from recorder_editor.ui.shell.panes import PaneSpec, Services
from recorder_editor.ui.style.boxes import fill
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets.actions import ActionSpec
from recorder_editor.ui.widgets.pane import Pane


class CounterPane(Pane):
    """How many frames there are, and how often that was asked for."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self.refreshed = 0
        self.label = QLabel()
        fill(QVBoxLayout(self), self.label)
        session.opened.connect(self.refresh)
        session.editing.changed.connect(self.refresh)

    def refresh(self) -> None:
        if self.isVisible():
            self.refreshed += 1
            self.label.setText(f"{self.session.frames} frames")
            self.set_caption(self.label.text())


def _make(services: Services) -> CounterPane:
    return CounterPane(services.session, services.theme)


def _actions(services: Services) -> Sequence[ActionSpec]:
    return specs(services, COUNTER_ACTIONS)


COUNTER = PaneSpec("counter", "Counter", _make, Placement("right", {"trim": ("right", 1)}), _actions)

COUNTER_ACTIONS = (
    Action(
        "counter.show",
        lambda services: services.panes.focus(COUNTER.name),
        text="Count frames",
        key="Ctrl+Alt+N",
        menu="View",
        tooltip="How many frames there are",
    ),
)
