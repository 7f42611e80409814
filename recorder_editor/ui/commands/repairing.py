"""Tools: what a damaged recording needs, from the Repair pane or from anywhere."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..actions import ActionSpec
from ..panes import Services
from ..repairing import REPAIR

if TYPE_CHECKING:
    from ..repairing.pane import RepairPane


_MENU = "Tools/Damaged recording"


def repair_actions(services: Services) -> list[ActionSpec]:
    """The actions of the Repair pane; each shows it first, so that what is done is seen."""
    panes, session = services.panes, services.session

    def seen(act: Callable[["RepairPane"], object]) -> Callable[[], None]:
        def do() -> None:
            if not panes.is_open(REPAIR.name):
                panes.set_preset("repair")
            act(panes.get(REPAIR))

        return do

    is_done = panes.when(REPAIR, lambda pane: pane.is_done)

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
        action(
            "repair.report",
            lambda: panes.get(REPAIR).ask_report(),
            enabled=panes.when(REPAIR, lambda pane: pane.can_report()),
        ),
        action("repair.command", lambda: panes.get(REPAIR).footer.copy_command(), enabled=has_command),
    ]
