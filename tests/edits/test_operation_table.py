"""The table of what is said of operations: complete, of the declared types, refused with a name where it is wrong."""

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import fields, is_dataclass
from functools import partial
from types import UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from recorder_editor.edits.operations import EVERY, schema
from recorder_editor.edits.operations.schema import Argument, Form, Operation
from recorder_editor.edits.paths.mirror import mirror_path
from recorder_editor.edits.states import set_weather
from recorder_editor.edits.trim import trim

Change = Callable[[Any], object]


def misfits(value: Any, hint: Any, place: str) -> Iterator[str]:
    """The places at and below one that hold no value of the declared type."""
    origin, parts = get_origin(hint), get_args(hint)
    if is_dataclass(value):
        hints = get_type_hints(type(value))
        for each in fields(value):
            yield from misfits(getattr(value, each.name), hints[each.name], f"{place}.{each.name}")
    elif origin is tuple and isinstance(value, tuple):
        for index, each in enumerate(value):
            yield from misfits(each, parts[0], f"{place}.{getattr(each, 'name', index)}")
    elif not fits(value, hint):
        yield place


def fits(value: Any, hint: Any) -> bool:
    origin, parts = get_origin(hint), get_args(hint)
    if hint is Any:
        return True
    if origin is UnionType:
        return any(fits(value, each) for each in parts)
    if origin is Literal:
        return value in parts
    if origin is tuple:
        return isinstance(value, tuple) and all(fits(each, parts[0]) for each in value)
    if origin is Mapping:
        return isinstance(value, Mapping) and all(fits(each, parts[1]) for each in value.values())
    if origin is Callable:
        return callable(value)
    return isinstance(value, int | float if hint is float else hint) and (hint is bool or not isinstance(value, bool))


def let(monkeypatch: pytest.MonkeyPatch, change: Change) -> None:
    """Change the operations of the table."""
    said = deepcopy(dict(schema.operation_table()))
    change(said["operations"])
    monkeypatch.setattr(schema, "operation_table", lambda: said)


def test_the_operations_are_those_of_the_table_in_its_order() -> None:
    assert list(EVERY) == list(schema.operation_table()["operations"])


def test_every_shared_parameter_is_used() -> None:
    shared = schema.operation_table()["shared parameters"]
    said = [*shared.values()]
    for operation in schema.operation_table()["operations"].values():
        said += operation.get("parameters", ())
    assert shared.keys() - {each if isinstance(each, str) else each.get("like") for each in said} == set()


@pytest.mark.parametrize("name", EVERY)
def test_what_is_said_of_an_operation_is_of_the_declared_types_and_names_its_parameters(name: str) -> None:
    assert list(misfits(EVERY[name], Operation, name)) == []
    for option in EVERY[name].options:
        assert {*option.values, *option.fixed} <= EVERY[name].arguments.keys(), option.name


@pytest.mark.parametrize(
    ("place", "change"),
    [
        ("title", lambda said: said.update(title=3)),
        ("over", lambda said: said.update(over="lives")),
        ("parameters.point.needed", lambda said: said["parameters"][1].update(needed="no")),
        ("parameters.point.low", lambda said: said["parameters"][1].update(low="0")),
        ("parameters.point.step", lambda said: said["parameters"][1].update(step=True)),
        ("parameters.point.label", lambda said: said["parameters"][1].update(label=["x", 1])),
        ("parameters.point.choices", lambda said: said["parameters"][1].update(choices={"x": 1})),
        ("options.--mirror.values", lambda said: said["options"]["--mirror"].update(values="point")),
        ("form.verb", lambda said: said["form"].update(verb=None)),
    ],
)
def test_a_value_of_another_type_is_found_at_its_place(
    place: str, change: Change, monkeypatch: pytest.MonkeyPatch
) -> None:
    let(monkeypatch, lambda operations: change(operations["mirror_path"]))
    found = list(misfits(schema.operation(mirror_path), Operation, "mirror_path"))
    assert found == [f"mirror_path.{place}"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda operations: operations.pop("mirror_path"), "mirror_path"),
        (lambda operations: operations["mirror_path"].pop("title"), "title"),
        (lambda operations: operations["mirror_path"].update(heading="M"), "heading"),
        (lambda operations: operations["mirror_path"]["parameters"].append("too"), "too"),
        (lambda operations: operations["mirror_path"]["parameters"].append({"like": "torn"}), "torn"),
        (lambda operations: operations["mirror_path"]["parameters"][1].update(kind="ground2"), "ground2"),
        (lambda operations: operations["mirror_path"]["parameters"][1].pop("name"), "name"),
        (lambda operations: operations["mirror_path"]["parameters"][1].update(lowest=1), "lowest"),
        (lambda operations: operations["mirror_path"]["options"]["--mirror"].pop("help"), "help"),
        (lambda operations: operations["mirror_path"].update(options=["--mirror"]), "list"),
        (lambda operations: operations["mirror_path"]["menu"].update(shortcut="M"), "shortcut"),
        (lambda operations: operations["mirror_path"]["form"].pop("verb"), "verb"),
    ],
)
def test_a_wrong_entry_is_refused_with_its_name_and_what_is_wrong(
    change: Change, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    let(monkeypatch, change)
    with pytest.raises(ValueError, match=rf"^operations\.json, mirror_path: .*\b{told}\b"):
        schema.operation(mirror_path)


def test_functions_for_what_the_table_does_not_have_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^operations\.json, set_weather: 'value'$"):
        schema.operation(set_weather, parameters={"value": partial(Argument, default=0)})
    with pytest.raises(ValueError, match=r"^operations\.json, trim: 'form'$"):
        schema.operation(trim, form=partial(Form, note="none"))
    with pytest.raises(ValueError, match=r"^operations\.json, trim: 'menu'$"):
        schema.operation(trim, disabled_reasons=(lambda here: None,))
