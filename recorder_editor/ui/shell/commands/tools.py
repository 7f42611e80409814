"""Tools: what looks at the recording, what changes many records, problems, damage, scripts."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from ...widgets.actions import ActionSpec
from ..pane_list import BYTES, PROBLEMS, REPAIR
from ..panes import Services

if TYPE_CHECKING:
    from ...panes.repair.repair_pane import RepairPane


def tool_actions(services: Services) -> list[ActionSpec]:
    """The actions of Tools."""
    session, panes = services.session, services.panes

    def show_problems() -> None:
        # A layout without them gives way to the one for repair.
        if not panes.is_open(PROBLEMS.name):
            panes.set_preset("repair")
        panes.focus(PROBLEMS.name)

    action, of_pane = services.action, services.action_of
    return [
        action("edit.replace", services.opener("replace", "ReplaceDialog", stays=True)),
        action("tools.trim", partial(panes.toggle_preset, "trim")),
        action("tools.repair", partial(panes.toggle_preset, "repair")),
        action("tools.checks", show_problems),
        action("tools.reports", services.opener("reports", "ReportsDialog", stays=True)),
        of_pane(BYTES, "tools.values", lambda pane: pane.toggle_values(), opens=True),
        of_pane(BYTES, "tools.insert", lambda pane: pane.toggle_inserting(), checked=lambda pane: pane.is_inserting),
        of_pane(BYTES, "tools.raw", lambda pane: pane.toggle_raw(), checked=lambda pane: pane.is_raw),
        of_pane(PROBLEMS, "problem.fix", lambda pane: pane.fix(), enabled=lambda pane: pane.can_fix()),
        of_pane(PROBLEMS, "problem.fix_all", lambda pane: pane.fix_all(), enabled=lambda pane: pane.can_fix_all()),
        *_repair_actions(services),
        action("tools.save_script", services.opener("script", "SaveScriptDialog"), enabled=session.has_edits),
        action("tools.run_script", services.opener("script", "RunScriptDialog")),
    ]


def _repair_actions(services: Services) -> list[ActionSpec]:
    """The actions of the Repair pane; each shows it first, so that what is done is seen."""
    panes, session = services.panes, services.session

    def seen(act: Callable[["RepairPane"], object]) -> Callable[[], None]:
        def do() -> None:
            if not panes.is_open(REPAIR.name):
                panes.set_preset("repair")
            act(panes.get(REPAIR))

        return do

    is_done = panes.when(REPAIR, lambda pane: pane.is_done)
    can_report = panes.when(REPAIR, lambda pane: pane.can_report())

    def complete() -> bool:
        return session.is_complete and not is_done()

    def can_apply() -> bool:
        pane = panes.if_made(REPAIR)
        return session.is_complete if pane is None else pane.can_apply()

    def has_command() -> bool:
        pane = panes.if_made(REPAIR)
        return session.is_complete and not session.is_modified if pane is None else bool(pane.command_line())

    def has_frames() -> bool:
        return complete() and session.frames > 1

    action = services.action
    return [
        action("repair.apply", seen(lambda pane: pane.apply()), enabled=can_apply),
        action(
            "repair.last_good", seen(lambda pane: pane.set_last_good(session.selection.frame_index)), enabled=has_frames
        ),
        action("repair.donor", seen(lambda pane: pane.ask_donor()), enabled=complete),
        action("repair.save", lambda: panes.get(REPAIR).ask_save(), enabled=is_done),
        action("repair.report", lambda: panes.get(REPAIR).ask_report(), enabled=can_report),
        action("repair.command", lambda: panes.get(REPAIR).footer.copy_command(), enabled=has_command),
    ]
