"""Actor: a path is edited by its keys, which are dragged in the scene."""

from ....edits.operations.common import found_by_place, without_path
from ....texts import N_, say
from ..action import NO_ACTOR, Action, Switch
from ..pane_list import SCENE
from ..panes import Services
from .chosen import ask, chosen_lives, chosen_reason


def edit(services: Services, on: bool) -> None:
    """Begin to edit the path of the selected actor, or end it."""
    editing = services.session.path_editing
    if on:
        services.panes.get(SCENE).setFocus()  # Del is to remove a key, not the record that is selected elsewhere
        editing.begin(chosen_lives(services)[0])
    else:
        editing.end()


def add_key(services: Services) -> None:
    """Add a key where the actor is now."""
    session = services.session
    session.path_editing.add(float(session.snapshot_or_refuse().elapsed[session.selection.frame_index]))


def ask_key(services: Services) -> None:
    """Ask for the exact values of the chosen key."""
    from ...dialogs.path_key import path_key_form

    editing = services.session.path_editing
    ask(services, path_key_form(editing)).finished.connect(editing.cancel)


def _is_edited(services: Services) -> bool:
    return services.session.path_editing.life is not None


def _no_path_reason(services: Services) -> str:
    if _is_edited(services):
        return ""
    return chosen_reason(services, (found_by_place, without_path), most=1)


def _no_key_reason(services: Services) -> str:
    reason = services.not_ready_reason()
    if reason or services.session.path_editing.base is not None:
        return reason
    if not chosen_lives(services):
        return say(NO_ACTOR)
    return say("Edit a path first (P).")


ACTIONS = (
    Switch(
        "path.edit",
        edit,
        checked=_is_edited,
        disabled_reason=_no_path_reason,
        text=N_("Edit path"),
        key="P",
        menu="Actor/Path",
        section="keys",
        yields_to_panes=True,
        hint=N_("path"),
        tooltip=N_("Drag keys of the path of the selected actor in the scene, and their speeds in Signals"),
        keywords=N_("key frames curve spline brake handle"),
    ),
    Action(
        "path.add_key",
        add_key,
        disabled_reason=_no_key_reason,
        text=N_("Add key at this frame"),
        menu="Actor/Path",
        section="keys",
        tooltip=N_("A further key of the edited path, where the actor is now"),
    ),
    Action(
        "path.delete_key",
        lambda services: services.session.path_editing.delete(),
        disabled_reason=_no_key_reason,
        text=N_("Remove key"),
        menu="Actor/Path",
        section="keys",
        tooltip=N_("Remove the chosen key of the edited path; the path stays as it is"),
    ),
    Action(
        "path.straighten",
        lambda services: services.session.path_editing.delete(straight=True),
        disabled_reason=_no_key_reason,
        text=N_("Straighten path at key"),
        menu="Actor/Path",
        section="keys",
        tooltip=N_("Lead the edited path from the key before the chosen one to the key after it"),
    ),
    Action(
        "path.key",
        ask_key,
        disabled_reason=_no_key_reason,
        text=N_("Values of key..."),
        key="Ctrl+Shift+P",
        menu="Actor/Path",
        section="keys",
        hint=N_("values"),
        tooltip=N_("Exact place, time and speed of the chosen key of the edited path"),
    ),
)
