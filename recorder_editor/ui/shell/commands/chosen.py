"""The actors that an operation is done to, why it cannot be done now, and the form that asks for its values."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ....edits.operations.schema import Situation
from ....reading import Life
from ....texts import N_, say
from ...session.operations import situation
from ..action import NO_ACTOR, NO_FRAMES
from ..pane_list import ACTORS, SCENE
from ..panes import Services

if TYPE_CHECKING:
    from ...dialogs.form import FormDialog, FormSpec

DisabledReason = Callable[[Situation], str | None]


def chosen_lives(services: Services) -> list[Life]:
    """Return the lives of the selected actors; of several rows of the table of actors, theirs."""
    table = services.panes.if_made(ACTORS)
    if table is not None and (picked := table.picked_lives()):
        return picked
    return services.session.selection.lives


def chosen_reason(services: Services, further: Sequence[DisabledReason], most: int | None) -> str:
    """Return the sentence why an edit of the selected actors cannot be made now; empty where it can.

    Args:
        services: Those of the window.
        further: Reasons of the edit itself.
        most: How many actors it can be made of.
    """
    reason = services.not_ready_reason()
    if reason:
        return reason
    lives = chosen_lives(services)
    if not lives:
        return say(NO_ACTOR)
    if most is not None and len(lives) > most:
        template = N_("Select one or two actors; {selected:,} are selected.")
        if most == 1:
            template = N_("Select one actor; {selected:,} are selected.")
        return say(template, selected=len(lives))
    return _first_reason(services, further, lives)


def recording_reason(services: Services, further: Sequence[DisabledReason] = ()) -> str:
    """Return the sentence why an edit of the recording cannot be made now; empty where it can."""
    reason = services.not_ready_reason() or _first_reason(services, further, ())
    if not reason and not services.has_frames():
        reason = say(NO_FRAMES)
    return reason


def _first_reason(services: Services, further: Sequence[DisabledReason], lives: Sequence[Life]) -> str:
    here = situation(services.session, lives)
    for disabled_reason in further:
        reason = disabled_reason(here)
        if reason:
            return reason
    return ""


def ask(services: Services, spec: "FormSpec", *, is_beside: bool = True) -> "FormDialog":
    """Ask for the values of an edit, beside the window where the scene shows what is meant."""
    from ...dialogs.form import FormDialog

    for open_one in services.window.findChildren(FormDialog):
        if open_one.isVisible():
            # One question at a time: two ghosts could not be told apart.
            open_one.reject()
    dialog = FormDialog(services.session, services.theme, spec, services.window)
    if is_beside:
        dialog.ghosts_changed.connect(services.panes.get(SCENE).view.show_ghosts)
        dialog.show_()
    else:
        dialog.open_()
    return dialog
