"""Actor: an actor is copied and pasted, in this window or in another one."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from ....edits.operations.common import of_the_map
from ....texts import N_, say
from ...session import Session
from ...session.clipboard import ActorClipboard, CopiedActor, copy_actor, map_of, source_of
from ..action import Action
from ..panes import Services
from .chosen import ask, chosen_lives, chosen_reason


def copy(services: Services) -> None:
    """Copy the selected actor."""
    copy_actor(services.session, chosen_lives(services)[0])


def paste(services: Services) -> None:
    """Ask how the actor on the clipboard is pasted; before that, whether, where it was recorded on another map."""
    copied = _clipboard(services).actor
    if copied is None:
        return
    here = map_of(services.session.snapshot_or_refuse())
    if copied.map == here:
        _ask_paste(services, copied)
    else:
        _ask_despite_map(services, copied, here)


def _clipboard(services: Services) -> ActorClipboard:
    """Return the clipboard of the window, made when it is asked for first."""
    clipboard = services.window.findChild(ActorClipboard, options=Qt.FindChildOption.FindDirectChildrenOnly)
    if clipboard is None:
        clipboard = ActorClipboard(services.window)
        clipboard.changed.connect(services.actions.refresh_soon)
    return clipboard


def _ask_paste(services: Services, copied: CopiedActor) -> None:
    from ...dialogs.operation import paste_form_spec

    sessions = [services.session]
    for window in QApplication.topLevelWidgets():
        sessions += window.findChildren(Session, options=Qt.FindChildOption.FindDirectChildrenOnly)
    ask(services, paste_form_spec(services.session, copied, source_of(copied, sessions)))


def _ask_despite_map(services: Services, copied: CopiedActor, here: str) -> None:
    from ...dialogs.base import Question

    answers = [(say("Paste anyway"), lambda: _ask_paste(services, copied)), (say("Cancel"), lambda: None)]
    question = Question(services.theme, answers, services.window)
    words = say(
        "{actor} was recorded on {map}, and this recording is of {here}: its path does not fit these roads.",
        actor=copied.actor,
        map=copied.map or say("a map without a name"),
        here=here or say("a map without a name"),
    )
    question.say(say("Paste actor"), say("Another map"), words)
    question.open_()


def _no_copy_reason(services: Services) -> str:
    return chosen_reason(services, (of_the_map,), most=1)


def _no_paste_reason(services: Services) -> str:
    reason = services.not_ready_reason()
    if not reason and _clipboard(services).actor is None:
        reason = say("Copy an actor first, in this window or in another one.")
    return reason


ACTIONS = (
    Action(
        "actor.copy",
        copy,
        disabled_reason=_no_copy_reason,
        text=N_("Copy actor"),
        icon="copy",
        menu="Actor",
        section="copies",
        tooltip=N_("Copy the actor with its whole track, for this or another recording"),
    ),
    Action(
        "actor.paste",
        paste,
        disabled_reason=_no_paste_reason,
        text=N_("Paste actor..."),
        key="Ctrl+Shift+V",
        menu="Actor",
        section="copies",
        tooltip=N_("Paste the copied actor with its track, under a new id"),
    ),
)
