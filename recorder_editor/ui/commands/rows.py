"""Actions that differ in a value alone, a row each: a step back and one on, one choice of several."""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from ..actions import ActionSpec
from ..panes import Services

Value = TypeVar("Value")


def actions_by_row(
    services: Services,
    make: Callable[..., ActionSpec],
    do: Callable[[Value], object],
    *rows: tuple[Value, str, str, str, str],
    is_on: Callable[[Value], bool] | None = None,
) -> list[ActionSpec]:
    """An action for each row: what is handed to `do`, id, text, key, tooltip (English).

    `make` has what they share. `is_on`: the actions are choices, and this says which is chosen.
    """
    tr = services.tr
    if is_on is None:
        return [make(name, tr(text), partial(do, value), key, tooltip=tr(tip)) for value, name, text, key, tip in rows]
    return [
        make(name, tr(text), partial(_choose, do, value), key, tooltip=tr(tip), checked=partial(is_on, value))
        for value, name, text, key, tip in rows
    ]


def _choose(do: Callable[[Value], object], value: Value, _on: bool) -> None:
    do(value)
