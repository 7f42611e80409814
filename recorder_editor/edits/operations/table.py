"""What `resources/operations.json` says of the operations, and operations made of it and of functions."""

from collections.abc import Callable, Mapping
from typing import Any

from ... import resources
from ...recording import Edit
from .kinds import KINDS
from .schema import Argument, Call, Form, Menu, Operation, OperationResult, Option, Reason


def operation_table() -> Mapping[str, Mapping[str, Any]]:
    """The `operations` by the names of their functions and the `shared parameters`: attributes of their classes.

    A parameter is one that is shared, or has a `name` and a `kind` of `KINDS`, or is `like` a shared one.
    """
    return resources.table("operations")


def operation(
    edit: Callable[..., Any],
    *,
    run: Callable[[Call], Edit | OperationResult] | None = None,
    parameters: Mapping[str, Callable[..., Argument]] | None = None,
    disabled_reasons: tuple[Reason, ...] = (),
    form: Callable[..., Form] = Form,
) -> Operation:
    """The operation of a function, with what the table says of it.

    `parameters` (by name) and `form` are the classes with what the table cannot say: functions, names of other tables.
    Raises ValueError with the name if the table is wrong.
    """
    makers = parameters or {}
    try:
        said = dict(operation_table()["operations"][edit.__name__])
        made = tuple(_parameter(each, makers) for each in said.pop("parameters", ()))
        if unknown := makers.keys() - {each.name for each in made}:
            raise KeyError(*unknown)
        options = tuple(Option(name, **_tuples(each)) for name, each in said.pop("options", {}).items())
        reasons: dict[str, Any] = {"disabled_reasons": disabled_reasons} if disabled_reasons else {}
        menu = Menu(**said.pop("menu"), **reasons) if "menu" in said or reasons else None
        asked = form(**said.pop("form")) if "form" in said or form is not Form else None
        return Operation(edit, parameters=made, options=options, menu=menu, form=asked, run=run, **said)
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(f"operations.json, {edit.__name__}: {error}") from error


def _parameter(said: str | Mapping[str, Any], makers: Mapping[str, Callable[..., Argument]]) -> Argument:
    words = _tuples(_attributes(said))
    kind = KINDS[words.pop("kind")]
    return makers.get(words["name"], Argument)(kind=kind, **words)


def _attributes(said: str | Mapping[str, Any]) -> dict[str, Any]:
    """The attributes of a parameter, with those of the shared one that it is or is like."""
    if isinstance(said, str):
        return {"name": said} | _attributes(operation_table()["shared parameters"][said])
    own = dict(said)
    return (_attributes(own.pop("like")) if "like" in own else {}) | own


def _tuples(said: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in said.items()}
