"""What can be done about the current problem."""

from functools import partial
from typing import TYPE_CHECKING

from ..actions import ActionSpec

if TYPE_CHECKING:
    from ..main_window import MainWindow


def problem_actions(window: "MainWindow") -> list[ActionSpec]:
    """Fix, and fix all of this kind."""
    problems, tr = window.problems, window.tr
    return [
        ActionSpec(
            "problem.fix",
            tr("Fix the problem"),
            problems.fix,
            "",
            "checks",
            tr("Mend what the Problems pane stands on, in one step"),
            "Tools",
            problems.can_fix,
            section="problem",
            words=tr("mend repair finding check"),
        ),
        ActionSpec(
            "problem.fix_all",
            tr("Fix all problems of this kind"),
            problems.fix_all,
            "",
            "",
            tr("Mend everything of the same kind, in one step"),
            "Tools",
            partial(problems.can_fix, all_of_kind=True),
            section="problem",
            words=tr("mend repair findings check"),
        ),
    ]
