"""Tools: what a damaged recording needs, from the Repair pane or from anywhere."""

from collections.abc import Callable
from functools import partial
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

    repaired = tr("The recording is repaired; undo that first.")
    _menu_action = partial(ActionSpec, menu=_MENU, needs=repaired)
    after_action = partial(ActionSpec, menu=_MENU, section="after", needs=tr("Repair the recording first."))
    return [
        _menu_action(
            "repair.apply",
            tr("Repair the recording"),
            seen(lambda pane: pane.apply()),
            icon="repair",
            tooltip=tr("Recover what can be recovered, as one undo step"),
            enabled=can_apply,
            needs=tr("There is nothing to repair, or a repair is running."),
            keywords=tr("damage mend broken crash torn salvage"),
        ),
        _menu_action(
            "repair.last_good",
            tr("Last good frame is this one"),
            seen(lambda pane: pane.set_last_good(session.selection.frame_index)),
            tooltip=tr("The repair drops everything after the current frame"),
            enabled=has_frames,
            needs=tr("This needs several frames, and a recording that is not repaired yet."),
            keywords=tr("damage cut end tail"),
        ),
        _menu_action(
            "repair.donor",
            tr("Take good bytes from another copy..."),
            seen(lambda pane: pane.ask_donor()),
            tooltip=tr("Restore damaged or missing parts from another copy"),
            enabled=complete,
            keywords=tr("damage donor second file"),
        ),
        after_action(
            "repair.save",
            tr("Save repaired copy..."),
            lambda: panes.get(REPAIR).ask_save(),
            icon="save-as",
            tooltip=tr("Save under another name: the damaged file stays as it is"),
            enabled=is_done,
        ),
        after_action(
            "repair.report",
            tr("Save loss report..."),
            lambda: panes.get(REPAIR).ask_report(),
            tooltip=tr("Write what is kept and lost as text"),
            enabled=panes.when(REPAIR, lambda pane: pane.can_report()),
            needs=tr("Open Repair first; it looks at the damage."),
        ),
        after_action(
            "repair.command",
            tr("Copy repair command"),
            lambda: panes.get(REPAIR).footer.copy_command(),
            icon="copy",
            tooltip=tr("The command that does the same to the file"),
            enabled=has_command,
            needs=tr("No command does the same: the recording has other edits, or the repair is not known yet."),
            keywords=tr("terminal shell line"),
        ),
    ]
