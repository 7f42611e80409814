"""What can be done about the current problem."""

from ..actions import ActionSpec
from ..panes import Services
from ..tables import PROBLEMS


def problem_actions(services: Services) -> list[ActionSpec]:
    """Fix, and fix all of this kind."""
    panes = services.panes

    action = services.action
    return [
        action(
            "problem.fix", lambda: panes.get(PROBLEMS).fix(), enabled=panes.when(PROBLEMS, lambda pane: pane.can_fix())
        ),
        action(
            "problem.fix_all",
            lambda: panes.get(PROBLEMS).fix_all(),
            enabled=panes.when(PROBLEMS, lambda pane: pane.can_fix(all_of_kind=True)),
        ),
    ]
