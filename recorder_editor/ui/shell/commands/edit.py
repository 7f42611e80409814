"""Edit: undo, the clipboard, what is done with the selected bytes, records and frames, and finding."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from ....texts import N_
from ....views.selection import HEADER
from ...widgets.pane import COPY_KEY, COPY_PICTURE_KEY, Pane
from ..action import RECORDING, Action, Condition, in_pane, on_pane
from ..pane_list import ACTORS, BYTES, DIFFERENCES, PACKETS, PANES, SCENE
from ..panes import Services

if TYPE_CHECKING:
    from ...panes.packets.packets_pane import PacketPane


def copy(services: Services) -> None:
    """Copy from the pane that has the keyboard, as a text or a table: what is selected, else what is shown."""
    _copied_pane(services).copy_content()


def copy_picture(services: Services) -> None:
    """Copy the picture of the pane that has the keyboard."""
    _copied_pane(services).copy_picture()


def _copied_pane(services: Services) -> Pane:
    """Return the pane that has the keyboard, or the scene where none has it."""
    return services.panes.focused() or _pane_around(services.window.focusWidget()) or services.panes.get(SCENE)


def _pane_around(widget: QWidget | None) -> Pane | None:
    """Return the pane that a widget is in; the Library is one, too, and in no dock."""
    while widget is not None and not isinstance(widget, Pane):
        widget = widget.parentWidget()
    return widget


def _has_pane(services: Services) -> bool:
    return services.is_open() or _pane_around(services.window.focusWidget()) is not None


def _copy_bytes(form: str, services: Services) -> None:
    """Copy the selected bytes, as `hex` or `python`."""
    pane = services.panes.get(BYTES) if services.panes.has_focus(BYTES) else services.panes.get(PACKETS)
    pane.copy(form)


def duplicate(services: Services) -> None:
    """Duplicate the selected actor, or what is selected in Packets."""
    _do_to_selected(services, "actor.duplicate", lambda packets: packets.duplicate())


def delete(services: Services) -> None:
    """Remove the selected actor, or what is selected in Packets."""
    _do_to_selected(services, "actor.remove", lambda packets: packets.delete())


def _do_to_selected(services: Services, action: str, do: Callable[["PacketPane"], None]) -> None:
    """Run the action of actors where a pane of actors has the keyboard, else do something with Packets."""
    panes = services.panes
    if panes.focused() is not None and not panes.has_focus(SCENE, ACTORS):
        do(panes.get(PACKETS))
        return
    reason = services.actions.reason(action)
    if reason is not None:
        services.session.refused.emit(reason)
    else:
        services.actions.run(action)


def find(services: Services) -> None:
    """Open the search of the pane that has the keyboard, or of Packets where it has none."""
    panes = services.panes
    pane = panes.focused()
    if pane is None or not pane.open_find():
        panes.show(PACKETS.name)
        panes.get(PACKETS).open_find()


def _undo_step(services: Services) -> str:
    return services.session.steps.undo_label


def _redo_step(services: Services) -> str:
    return services.session.steps.redo_label


def _is_editable(services: Services) -> bool:
    return services.session.is_complete and services.session.selection.place.row != HEADER


def _is_changeable(services: Services) -> bool:
    return _is_editable(services) or (services.session.is_complete and services.panes.has_focus(ACTORS))


UNDOABLE = Condition(lambda services: bool(_undo_step(services)), N_("There is nothing to undo."))
REDOABLE = Condition(lambda services: bool(_redo_step(services)), N_("There is nothing to redo."))
COPYABLE = Condition(_has_pane)
NOTHING_SELECTED = N_("Select a frame, a packet or a record first.")
EDITABLE = Condition(_is_editable, NOTHING_SELECTED)
CHANGEABLE = Condition(_is_changeable, NOTHING_SELECTED)
DIFFERENCE = Condition(
    in_pane(DIFFERENCES, lambda pane: pane.can_take()), N_("In Differences, select a thing or a difference first.")
)

ACTIONS = (
    Action(
        "edit.undo",
        lambda services: services.session.editing.undo(),
        needs=UNDOABLE,
        what=_undo_step,
        text=N_("Undo"),
        key="Ctrl+Z",
        icon="undo",
        menu="Edit",
        tooltip=N_("Undo the last step"),
    ),
    Action(
        "edit.redo",
        lambda services: services.session.editing.redo(),
        needs=REDOABLE,
        what=_redo_step,
        text=N_("Redo"),
        key="Ctrl+Shift+Z; Ctrl+Y",
        icon="redo",
        menu="Edit",
        tooltip=N_("Redo the step"),
    ),
    Action(
        "edit.other_reach",
        lambda services: services.session.editing.switch_reach(),
        needs=Condition(
            lambda services: services.session.editing.other_reach is not None,
            N_("The last step is no edit of an actor that can be made for other frames."),
        ),
        text=N_("Apply last edit to other frames"),
        menu="Edit",
        tooltip=N_("Undo the last edit, and make it for the whole life of its actor or for this frame alone"),
        keywords=N_("reach scope whole life this frame instead"),
    ),
    Action(
        "edit.copy",
        copy,
        needs=COPYABLE,
        text=N_("Copy"),
        key=COPY_KEY,
        icon="copy",
        menu="Edit",
        section="copy",
        where=PANES,
        where_title=N_("Every pane"),
        tooltip=N_("Copy from the focused pane what is selected, or all it shows: as text, a table also as CSV"),
        keywords=N_("clipboard table csv text"),
    ),
    Action(
        "edit.copy_picture",
        copy_picture,
        needs=COPYABLE,
        text=N_("Copy picture"),
        key=COPY_PICTURE_KEY,
        menu="Edit",
        section="copy",
        where=PANES,
        where_title=N_("Every pane"),
        tooltip=N_("Copy the focused pane as a picture"),
        keywords=N_("clipboard image screenshot scene signals"),
    ),
    Action(
        "edit.copy_hex",
        partial(_copy_bytes, "hex"),
        needs=RECORDING,
        text=N_("Copy as hex"),
        menu="Edit",
        section="copy",
        tooltip=N_("Copy the bytes of the selection as hex"),
    ),
    Action(
        "edit.copy_json",
        on_pane(PACKETS, lambda pane: pane.copy("json")),
        needs=RECORDING,
        text=N_("Copy as JSON"),
        menu="Edit",
        section="copy",
        tooltip=N_("Copy the selected frame, packet or record as JSON"),
    ),
    Action(
        "edit.copy_python",
        partial(_copy_bytes, "python"),
        needs=RECORDING,
        text=N_("Copy as Python bytes"),
        menu="Edit",
        section="copy",
        tooltip=N_("Copy the bytes of the selection as a Python literal"),
    ),
    Action(
        "edit.paste",
        on_pane(BYTES, lambda pane: pane.view.paste()),
        needs=EDITABLE,
        text=N_("Paste bytes"),
        key="Ctrl+V",
        icon="paste",
        menu="Edit",
        section="copy",
        where=(BYTES,),
        tooltip=N_("Write the clipboard over the bytes at the caret"),
    ),
    Action(
        "edit.duplicate",
        duplicate,
        needs=CHANGEABLE,
        text=N_("Duplicate"),
        key="Ctrl+D",
        icon="duplicate",
        menu="Edit",
        section="change",
        where=(PACKETS, SCENE, ACTORS),
        tooltip=N_("Duplicate the selected record, packet or frame; in the scene, the actor"),
    ),
    Action(
        "edit.delete",
        delete,
        needs=CHANGEABLE,
        text=N_("Delete"),
        key="Del",
        icon="delete",
        menu="Edit",
        section="change",
        where=(PACKETS, SCENE, ACTORS),
        hint=N_("removes"),
        tooltip=N_("Remove the selected record, packet or frame; in the scene, the actor"),
    ),
    Action(
        "compare.take",
        on_pane(DIFFERENCES, lambda pane: pane.take()),
        needs=DIFFERENCE,
        text=N_("Take over difference"),
        icon="compare",
        menu="Edit",
        section="change",
        tooltip=N_("Make the selected difference here as it is in the other recording"),
        keywords=N_("difference compare apply merge"),
    ),
    Action(
        "edit.fill",
        on_pane(BYTES, lambda pane: pane.fill()),
        needs=EDITABLE,
        text=N_("Fill bytes..."),
        menu="Edit",
        section="change",
        tooltip=N_("Overwrite the selected bytes with a pattern"),
    ),
    Action(
        "edit.find",
        find,
        needs=RECORDING,
        text=N_("Find..."),
        key="Ctrl+F",
        icon="search",
        menu="Edit",
        section="find",
        tooltip=N_("Filter packets or actors, or find bytes, depending on the focused pane"),
    ),
    Action(
        "edit.find_bytes",
        on_pane(BYTES, lambda pane: pane.open_find(), opens=True),
        needs=RECORDING,
        text=N_("Find bytes..."),
        menu="Edit",
        section="find",
        tooltip=N_("Find bytes, text or a value in the whole file"),
    ),
)
