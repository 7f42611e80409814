"""The actions of the operations, made from their declarations; and copying and pasting actors.

Says whom an operation is done to, and when it makes sense; what is asked and done stands in `edits.operations`.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from ....edits.new_actors.add_actor import crossing_walker, follower, parked_car
from ....edits.operations import EVERY, Operation
from ....edits.operations.common import found_by_place, of_the_map, without_path
from ....edits.operations.schema import OperationCall, Situation, names_of
from ....progress import Progress
from ....reading import Life
from ....recording import Edit, Snapshot
from ....texts import N_, found_by, say
from ...session import Session
from ...session.clipboard import ActorClipboard, CopiedActor, copy_actor, map_of, source_of
from ...session.operations import situation
from ...widgets.actions import ActionSpec
from ..pane_list import ACTORS, SCENE
from ..panes import Services

if TYPE_CHECKING:
    from ...dialogs.form import FormDialog, FormSpec

DisabledReason = Callable[[Situation], str | None]


class Chosen:
    """The lives of the selected actors, looked up once for all that ask; of several rows of the table, theirs."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self._of: Snapshot | None = None
        self._key: tuple[object, ...] = ()
        self._lives: list[Life] = []

    def lives(self) -> list[Life]:
        """Those of the current frame, else the first one of each."""
        session = self.services.session
        table = self.services.panes.if_made(ACTORS)
        if table is not None and (picked := table.picked_lives()):
            return picked
        key = (session.selection.actors, session.selection.frame_index)
        if session.snapshot is not self._of or key != self._key:
            self._of, self._key, self._lives = session.snapshot, key, self._found()
        return self._lives

    def _found(self) -> list[Life]:
        session = self.services.session
        actors = session.actors
        if actors is None:
            return []
        found = (actors.nearest(actor, session.selection.frame_index) for actor in session.selection.actors)
        return [life for life in found if life is not None]

    def disabled_reason(self, further: Sequence[DisabledReason], most: int | None) -> Callable[[], str]:
        """The sentence why an edit of the selected, of so many at the most, cannot be made now."""
        services = self.services

        def reason() -> str:
            if not_ready_reason := services.not_ready_reason():
                return not_ready_reason
            lives = self.lives()
            if not lives:
                return services.no_actor
            if most is not None and len(lives) > most:
                template = N_("Select one or two actors; {selected:,} are selected.")
                if most == 1:
                    template = N_("Select one actor; {selected:,} are selected.")
                return say(template, selected=len(lives))
            return _reason_for(services, further, lives)

        return reason


def operation_actions(services: Services, menu: str) -> list[ActionSpec]:
    """The actions of the operations in a menu and its submenus, in the order of their table."""
    chosen = Chosen(services)
    by_hand = [*_copies(services, chosen), *_path_keys(services, chosen), *_additions(services)]
    operations = (each for each in EVERY.values() if each.menu is not None and each.menu.path.split("/")[0] == menu)
    return [*(by_hand if menu == "Actor" else ()), *(_action(services, chosen, each) for each in operations)]


def _action(services: Services, chosen: Chosen, operation: Operation) -> ActionSpec:
    menu = operation.menu
    assert menu is not None
    if operation.actors is not None:
        disabled_reason = chosen.disabled_reason(menu.disabled_reasons, operation.most)
    else:
        disabled_reason = partial(_reason_for_all, services, menu.disabled_reasons)
    title = say(operation.title)
    if operation.form is not None:
        title = say("{title}...", title=title)
    return ActionSpec(
        menu.action,
        title,
        partial(_start, services, chosen, operation),
        menu.key,
        menu.icon,
        say(operation.summary),
        menu.path,
        section=menu.section,
        keywords=found_by(operation.title, menu.keywords),
        disabled_reason=disabled_reason,
    )


def _start(services: Services, chosen: Chosen, operation: Operation) -> None:
    """Ask for the values of an operation, or do it at once where nothing is asked."""
    from ...dialogs.operation import again, form_spec

    lives = chosen.lives()[: operation.most] if operation.actors is not None else []
    if operation.form is not None:
        is_beside = operation.actors is not None or "from" in operation.arguments
        _ask(services, form_spec(services.session, operation, lives), is_beside=is_beside)
        return

    def make(snapshot: Snapshot, progress: Progress) -> Edit:
        return operation.do(OperationCall(snapshot, {}, progress, again(snapshot, lives))).edit

    services.session.editing.attempt_later(say(operation.progress_text, names=names_of(lives)), make)


def _ask(services: Services, spec: "FormSpec", *, is_beside: bool = True) -> "FormDialog":
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


def _path_keys(services: Services, chosen: Chosen) -> list[ActionSpec]:
    """Editing a path by its keys, which are dragged in the scene."""
    session, editing = services.session, services.session.path_editing
    reason = chosen.disabled_reason([found_by_place, without_path], 1)

    def edit(on: bool) -> None:
        if on:
            services.panes.get(SCENE).setFocus()  # Del is to remove a key, not the record that is selected elsewhere
            editing.begin(chosen.lives()[0])
        else:
            editing.end()

    def is_edited() -> bool:
        return editing.life is not None

    def add() -> None:
        editing.add(float(session.snapshot_or_refuse().elapsed[session.selection.frame_index]))

    def exact() -> None:
        from ...dialogs.path_key import path_key_form

        _ask(services, path_key_form(editing)).finished.connect(editing.cancel)

    action = services.action
    return [
        action("path.edit", edit, checked=is_edited, disabled_reason=lambda: "" if is_edited() else reason()),
        action("path.add_key", add),
        action("path.delete_key", editing.delete),
        action("path.straighten", partial(editing.delete, straight=True)),
        action("path.key", exact),
    ]


def _additions(services: Services) -> list[ActionSpec]:
    """New actors that are added at once: where the menu of the scene was asked for, else where they make sense."""
    session = services.session

    def add(propose: Callable[..., Mapping[str, Any]]) -> None:
        pane, frame = services.panes.get(SCENE), session.selection.frame_index
        place = pane.clicked_place or (pane.view.camera[:2] if propose is parked_car else None)

        def make(snapshot: Snapshot, progress: Progress) -> Edit:
            return EVERY["add_actor"].do(OperationCall(snapshot, propose(snapshot, frame, place), progress)).edit

        session.editing.attempt_later(say("Adding an actor"), make, done=session.selection.seek_newest)

    given = {"actor.add_parked": parked_car, "actor.add_follower": follower, "actor.add_walker": crossing_walker}
    reason = partial(_reason_for_all, services, ())
    return [services.action(name, partial(add, given[name]), disabled_reason=reason) for name in given]


# --- reasons --------------------------------------------------------------------------------------------


def _reason_for(services: Services, further: Sequence[DisabledReason], lives: Sequence[Life]) -> str:
    here = situation(services.session, lives)
    return next(filter(None, (each(here) for each in further)), "")


def _reason_for_all(services: Services, further: Sequence[DisabledReason]) -> str:
    """Why an edit of the recording cannot be made now."""
    no_frames = "" if services.has_frames() else services.no_frames
    return services.not_ready_reason() or _reason_for(services, further, ()) or no_frames


# --- copies ---------------------------------------------------------------------------------------------


def _copies(services: Services, chosen: Chosen) -> list[ActionSpec]:
    session = services.session
    clipboard = ActorClipboard(services.window)
    clipboard.changed.connect(services.actions.refresh_soon)

    def no_paste_reason() -> str:
        nothing = "" if clipboard.actor is not None else say("Copy an actor first, in this window or in another one.")
        return services.not_ready_reason() or nothing

    def paste() -> None:
        if clipboard.actor is not None:
            _paste(services, clipboard.actor)

    action, no_copy_reason = services.action, chosen.disabled_reason([of_the_map], 1)
    return [
        action("actor.copy", lambda: copy_actor(session, chosen.lives()[0]), disabled_reason=no_copy_reason),
        action("actor.paste", paste, disabled_reason=no_paste_reason),
    ]


def _paste(services: Services, copied: CopiedActor) -> None:
    from ...dialogs.base import Question
    from ...dialogs.operation import paste_form_spec

    session = services.session
    here = map_of(session.snapshot_or_refuse())

    def ask() -> None:
        windows, direct = QApplication.topLevelWidgets(), Qt.FindChildOption.FindDirectChildrenOnly
        others = [each for window in windows for each in window.findChildren(Session, options=direct)]
        _ask(services, paste_form_spec(session, copied, source_of(copied, [session, *others])))

    if copied.map == here:
        ask()
        return
    answers = [(say("Paste anyway"), ask), (say("Cancel"), lambda: None)]
    question = Question(services.theme, answers, services.window)
    words = say(
        "{actor} was recorded on {map}, and this recording is of {here}: its path does not fit these roads.",
        actor=copied.actor,
        map=copied.map or say("a map without a name"),
        here=here or say("a map without a name"),
    )
    question.say(say("Paste actor"), say("Another map"), words)
    question.open_()
