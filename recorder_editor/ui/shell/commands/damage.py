"""Tools: the repair of a damaged recording. An action shows the Repair pane first, so that what it does is seen."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from ....texts import N_
from ..action import Action, Condition, in_pane, on_pane
from ..pane_list import REPAIR
from ..panes import Services

if TYPE_CHECKING:
    from ...panes.repair.repair_pane import RepairPane


def _on_shown_pane(do: Callable[["RepairPane"], object]) -> Callable[[Services], None]:
    def run(services: Services) -> None:
        do(_shown_pane(services))

    return run


def _shown_pane(services: Services) -> "RepairPane":
    if not services.panes.is_open(REPAIR.name):
        services.panes.set_preset("repair")
    return services.panes.get(REPAIR)


def set_last_good(services: Services) -> None:
    """Leave out everything behind the current frame."""
    _shown_pane(services).set_last_good(services.session.selection.frame_index)


_is_done = in_pane(REPAIR, lambda pane: pane.is_done)


def _is_repairable(services: Services) -> bool:
    return services.session.is_complete and not _is_done(services)


def _has_frames(services: Services) -> bool:
    return _is_repairable(services) and services.session.frames > 1


def _can_apply(services: Services) -> bool:
    pane = services.panes.if_made(REPAIR)
    if pane is None:
        return services.session.is_complete
    return pane.can_apply()


def _has_command(services: Services) -> bool:
    pane = services.panes.if_made(REPAIR)
    if pane is None:
        return services.session.is_complete and not services.session.is_modified
    return bool(pane.command_line())


ACTIONS = (
    Action(
        "repair.apply",
        _on_shown_pane(lambda pane: pane.apply()),
        needs=Condition(_can_apply, N_("There is nothing to repair, or a repair is running.")),
        text=N_("Repair recording"),
        icon="repair",
        menu="Tools/Damaged recording",
        tooltip=N_("Recover what can be recovered, as one undo step"),
        keywords=N_("damage mend broken crash torn salvage"),
    ),
    Action(
        "repair.last_good",
        set_last_good,
        needs=Condition(_has_frames, N_("This needs several frames, and a recording that is not repaired yet.")),
        text=N_("Set last good frame"),
        menu="Tools/Damaged recording",
        tooltip=N_("The repair leaves out everything after the current frame"),
        keywords=N_("damage cut end tail"),
    ),
    Action(
        "repair.donor",
        _on_shown_pane(lambda pane: pane.ask_donor()),
        needs=Condition(_is_repairable, N_("The recording is repaired; undo that first.")),
        text=N_("Restore from a copy..."),
        menu="Tools/Damaged recording",
        tooltip=N_("Restore damaged or missing parts from another copy"),
        keywords=N_("damage donor second file"),
    ),
    Action(
        "repair.save",
        on_pane(REPAIR, lambda pane: pane.ask_save()),
        needs=Condition(_is_done, N_("Repair the recording first.")),
        text=N_("Save repaired copy..."),
        icon="save-as",
        menu="Tools/Damaged recording",
        section="after",
        tooltip=N_("Save under another name; the damaged file is not changed"),
    ),
    Action(
        "repair.report",
        on_pane(REPAIR, lambda pane: pane.ask_report()),
        needs=Condition(
            in_pane(REPAIR, lambda pane: pane.can_report()), N_("Open Repair first; it analyses the damage.")
        ),
        text=N_("Save loss report..."),
        menu="Tools/Damaged recording",
        section="after",
        tooltip=N_("Write what is kept and lost to a text file"),
    ),
    Action(
        "repair.command",
        on_pane(REPAIR, lambda pane: pane.footer.copy_command()),
        needs=Condition(
            _has_command, N_("No command does the same: the recording has other edits, or the repair is not known yet.")
        ),
        text=N_("Copy repair command"),
        icon="copy",
        menu="Tools/Damaged recording",
        section="after",
        tooltip=N_("Copy the command that does the same"),
        keywords=N_("terminal shell line"),
    ),
)
