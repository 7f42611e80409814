"""What can be done about the current problem."""

from functools import partial

from ..actions import ActionSpec
from ..panes import Services
from ..tables import PROBLEMS


def problem_actions(services: Services) -> list[ActionSpec]:
    """Fix, and fix all of this kind."""
    panes, tr = services.panes, services.tr

    no_fix = tr("Select a problem that has a fix, in Problems, first.")
    problem_action = partial(ActionSpec, menu="Tools", section="problem", needs=no_fix)
    return [
        problem_action(
            "problem.fix",
            tr("Fix the problem"),
            lambda: panes.get(PROBLEMS).fix(),
            icon="checks",
            tooltip=tr("Fix the current problem in one undo step"),
            enabled=panes.when(PROBLEMS, lambda pane: pane.can_fix()),
            keywords=tr("mend repair finding check"),
        ),
        problem_action(
            "problem.fix_all",
            tr("Fix all problems of this kind"),
            lambda: panes.get(PROBLEMS).fix_all(),
            tooltip=tr("Fix all problems of this kind in one undo step"),
            enabled=panes.when(PROBLEMS, lambda pane: pane.can_fix(all_of_kind=True)),
            keywords=tr("mend repair findings check"),
        ),
    ]
