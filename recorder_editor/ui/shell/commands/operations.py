"""The actions of the operations, made from their declarations.

Says which actors an operation is done to; what is asked and done stands in `edits.operations`.
"""

from functools import partial

from ....edits.operations import EVERY, Operation
from ....edits.operations.schema import OperationCall, names_of
from ....progress import Progress
from ....recording import Edit, Snapshot
from ....texts import say, search_keywords
from ...style.icons import IconName
from ...widgets.actions import ActionSpec
from ..action import MenuPath, hidden_for
from ..panes import Services
from .chosen import ask, chosen_lives, chosen_reason, recording_reason


def operation_actions(services: Services, menu: str) -> list[ActionSpec]:
    """Return the actions of the operations in a menu and its submenus, in the order of their table."""
    actions = []
    for operation in EVERY.values():
        if operation.menu is not None and operation.menu.path.split("/")[0] == menu:
            actions.append(_action(services, operation))
    return actions


def _action(services: Services, operation: Operation) -> ActionSpec:
    menu = operation.menu
    assert menu is not None
    if operation.actors is not None:
        disabled_reason = partial(chosen_reason, services, menu.disabled_reasons, operation.most)
    else:
        disabled_reason = partial(recording_reason, services, menu.disabled_reasons)
    # The types say that the window has a menu and an icon of these names.
    path: MenuPath = menu.path
    icon: IconName | None = menu.icon
    title = say(operation.title)
    if operation.form is not None:
        title = say("{title}...", title=title)
    return ActionSpec(
        id=menu.action,
        text=title,
        handler=partial(_start, services, operation),
        shortcut=menu.key,
        icon=icon or "",
        tooltip=say(operation.summary),
        menu=path,
        section=menu.section,
        keywords=search_keywords(operation.title, menu.keywords),
        disabled_reason=disabled_reason,
        hidden_for=hidden_for(path),
    )


def _start(services: Services, operation: Operation) -> None:
    """Ask for the values of an operation, or do it at once where nothing is asked."""
    from ...dialogs.operation import again, form_spec

    if operation.actors is not None:
        lives = chosen_lives(services)[: operation.most]
    else:
        lives = []
    if operation.form is not None:
        is_beside = operation.actors is not None or "from" in operation.arguments
        ask(services, form_spec(services.session, operation, lives), is_beside=is_beside)
        return

    def make(snapshot: Snapshot, progress: Progress) -> Edit:
        return operation.do(OperationCall(snapshot, {}, progress, again(snapshot, lives))).edit

    services.session.editing.attempt_later(say(operation.progress_text, names=names_of(lives)), make)
