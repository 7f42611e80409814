"""What can be done about the current problem."""

from functools import partial

from ..actions import ActionSpec
from ..panes import Services
from ..tables import PROBLEMS


def problem_actions(services: Services) -> list[ActionSpec]:
    """Fix, and fix all of this kind."""
    panes, tr = services.panes, services.tr

    def can_fix(*, all_of_kind: bool = False) -> bool:
        problems = panes.if_made(PROBLEMS)
        return problems is not None and problems.can_fix(all_of_kind=all_of_kind)

    return [
        ActionSpec(
            "problem.fix",
            tr("Fix the problem"),
            lambda: panes.get(PROBLEMS).fix(),
            "",
            "checks",
            tr("Mend what the Problems pane stands on, in one step"),
            "Tools",
            can_fix,
            section="problem",
            words=tr("mend repair finding check"),
        ),
        ActionSpec(
            "problem.fix_all",
            tr("Fix all problems of this kind"),
            lambda: panes.get(PROBLEMS).fix_all(),
            "",
            "",
            tr("Mend everything of the same kind, in one step"),
            "Tools",
            partial(can_fix, all_of_kind=True),
            section="problem",
            words=tr("mend repair findings check"),
        ),
    ]
