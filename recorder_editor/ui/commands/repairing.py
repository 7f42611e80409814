"""Tools: what a damaged recording needs, from the Repair pane or from anywhere."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..actions import ActionSpec

if TYPE_CHECKING:
    from ..main_window import MainWindow

_MENU = "Tools/Damaged recording"


def repair_actions(window: "MainWindow") -> list[ActionSpec]:
    """The actions of the Repair pane; each shows it first, so that what is done is seen."""
    pane, session, tr = window.repair, window.session, window.tr

    def seen(act: Callable[[], object]) -> Callable[[], None]:
        def do() -> None:
            if window.docks["repair"].isHidden():
                window.set_preset("repair")
            act()

        return do

    def complete() -> bool:
        return session.is_complete and not pane.is_done

    def has_frames() -> bool:
        return complete() and session.frames > 1

    return [
        ActionSpec(
            "repair.apply",
            tr("Repair the recording"),
            seen(pane.apply),
            "",
            "repair",
            tr("Save what can be saved, as one step that can be undone"),
            _MENU,
            pane.can_apply,
            words=tr("damage mend broken crash torn salvage"),
        ),
        ActionSpec(
            "repair.last_good",
            tr("Last good frame is this one"),
            seen(lambda: pane.set_last_good(session.frame_index)),
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
            seen(pane.ask_donor),
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
            pane.ask_save,
            "",
            "save-as",
            menu=_MENU,
            enabled=lambda: pane.is_done,
            section="after",
            tooltip=tr("Save under another name: the damaged file stays as it is"),
        ),
        ActionSpec(
            "repair.report",
            tr("Save loss report..."),
            pane.ask_report,
            "",
            "",
            menu=_MENU,
            enabled=pane.can_report,
            section="after",
            tooltip=tr("Write what is kept and what is lost as a text"),
        ),
        ActionSpec(
            "repair.command",
            tr("Copy repair command"),
            pane.copy_command,
            "",
            "copy",
            menu=_MENU,
            enabled=lambda: bool(pane.command_line()),
            section="after",
            tooltip=tr("The command that does the same to the file"),
            words=tr("terminal shell line"),
        ),
    ]
