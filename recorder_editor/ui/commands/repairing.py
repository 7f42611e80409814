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
    panes, session, tr = services.panes, services.session, services.tr

    def seen(act: Callable[["RepairPane"], object]) -> Callable[[], None]:
        def do() -> None:
            if not panes.is_open(REPAIR.name):
                panes.set_preset("repair")
            act(panes.get(REPAIR))

        return do

    def is_done() -> bool:
        pane = panes.if_made(REPAIR)
        return pane is not None and pane.is_done

    def complete() -> bool:
        return session.is_complete and not is_done()

    def can_apply() -> bool:
        pane = panes.if_made(REPAIR)
        return session.is_complete if pane is None else pane.can_apply()

    def can_report() -> bool:
        pane = panes.if_made(REPAIR)
        return pane is not None and pane.can_report()

    def has_command() -> bool:
        pane = panes.if_made(REPAIR)
        return session.is_complete and not session.is_modified if pane is None else bool(pane.command_line())

    def has_frames() -> bool:
        return complete() and session.frames > 1

    return [
        ActionSpec(
            "repair.apply",
            tr("Repair the recording"),
            seen(lambda pane: pane.apply()),
            "",
            "repair",
            tr("Save what can be saved, as one step that can be undone"),
            _MENU,
            can_apply,
            words=tr("damage mend broken crash torn salvage"),
        ),
        ActionSpec(
            "repair.last_good",
            tr("Last good frame is this one"),
            seen(lambda pane: pane.set_last_good(session.frame_index)),
            "",
            "",
            menu=_MENU,
            enabled=has_frames,
            tooltip=tr("A repair leaves out whatever stands behind the current frame"),
            words=tr("damage cut end tail"),
        ),
        ActionSpec(
            "repair.donor",
            tr("Take good bytes from another copy..."),
            seen(lambda pane: pane.ask_donor()),
            "",
            "",
            menu=_MENU,
            enabled=complete,
            tooltip=tr("Another copy supplies what is damaged or missing here"),
            words=tr("damage donor second file"),
        ),
        ActionSpec(
            "repair.save",
            tr("Save repaired copy..."),
            lambda: panes.get(REPAIR).ask_save(),
            "",
            "save-as",
            menu=_MENU,
            enabled=is_done,
            section="after",
            tooltip=tr("Save under another name: the damaged file stays as it is"),
        ),
        ActionSpec(
            "repair.report",
            tr("Save loss report..."),
            lambda: panes.get(REPAIR).ask_report(),
            "",
            "",
            menu=_MENU,
            enabled=can_report,
            section="after",
            tooltip=tr("Write what is kept and what is lost as a text"),
        ),
        ActionSpec(
            "repair.command",
            tr("Copy repair command"),
            lambda: panes.get(REPAIR).copy_command(),
            "",
            "copy",
            menu=_MENU,
            enabled=has_command,
            section="after",
            tooltip=tr("The command that does the same to the file"),
            words=tr("terminal shell line"),
        ),
    ]
