"""How much of the same a test runs: little of it in the suite of five minutes, all of it with `--long`.

`examples` is for random cases, the marker `sampled` for a matrix of parameters. A test that is long by itself is marked
`long` and has a short one beside it.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import settings

SHORT = 12
"""Random cases of a test that names no number."""
LONG = 400
"""The same with `--long`."""
_SHARE = 0.3
_WITH_MYPY = "test_declarations.py"
_FEWEST = 5


def is_long(config: pytest.Config) -> bool:
    """The tests marked `long` run, too."""
    return config.getoption("markexpr") == ""


def examples(number: int) -> int:
    """Return how many random cases to try, of a test for which `number` are enough to find what it is there for."""
    assert settings.default is not None
    if settings.default.max_examples == LONG:
        return number
    return max(_FEWEST, round(number * _SHARE))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what the marker `sampled` does not choose of that which is to run, and order or shuffle the rest.

    Tests that use what mypy keeps come last: in a fresh clone `packaging/test` runs it beside the others.
    All cases run where other tests than usual are asked for: all, those of pictures, those for an X server.
    """
    if "not long" in config.getoption("markexpr"):
        left_out = {item for group in _matrices(items) for item in set(group) - set(sample(group))}
        config.hook.pytest_deselected(items=[item for item in items if item in left_out])
        items[:] = [item for item in items if item not in left_out]
    items.sort(key=lambda item: item.path.name == _WITH_MYPY)
    seed = config.getoption("--shuffle", None)
    if seed is not None:
        Random(seed).shuffle(items)


def _matrices(items: Sequence[pytest.Item]) -> Iterator[list[pytest.Function]]:
    """The cases of each test that has the marker."""
    groups: dict[str, list[pytest.Function]] = {}
    for item in items:
        if isinstance(item, pytest.Function) and item.get_closest_marker("sampled") is not None:
            groups.setdefault(item.nodeid.partition("[")[0], []).append(item)
    yield from groups.values()


def sample(cases: Sequence[pytest.Function]) -> list[pytest.Function]:
    """Choose from the cases of one test, the same ones each time.

    As many as the marker's `cases` says, else until each value of each parameter (`strength=2`: each pair of values of
    two of them) is in one: always the case that adds most that is new, and the first and the last of several like it.
    """
    marker = cases[0].get_closest_marker("sampled")
    assert marker is not None
    number = marker.kwargs.get("cases", len(cases))
    strength = marker.kwargs.get("strength", 1)
    parts = {case: set(_parts(_parameters(case), strength)) for case in cases}
    chosen: list[pytest.Function] = []
    covered: set[Hashable] = set()
    while len(chosen) < min(number, len(cases)):
        rest = [case for case in cases if case not in chosen]
        news = {case: len(parts[case] - covered) for case in rest}
        most = max(news.values())
        if most == 0 and "cases" not in marker.kwargs:
            break
        best = [case for case in rest if news[case] == most]
        case = _farthest(best, chosen, cases)
        chosen.append(case)
        covered |= parts[case]
    return [case for case in cases if case in chosen]


def _parameters(case: pytest.Function) -> Mapping[str, Hashable]:
    """The value of each parameter, or its number where values cannot be compared."""
    callspec: Any = case.callspec
    parameters = dict(callspec.indices)
    for name, value in callspec.params.items():
        if isinstance(value, str | int | float | bytes | Path):
            parameters[name] = value
    return parameters


def _parts(parameters: Mapping[str, Hashable], strength: int) -> Iterator[Hashable]:
    strength = min(strength, len(parameters))
    for names in combinations(sorted(parameters), strength):
        yield tuple((name, parameters[name]) for name in names)


def _farthest(
    candidates: Sequence[pytest.Function], chosen: Sequence[pytest.Function], cases: Sequence[pytest.Function]
) -> pytest.Function:
    """The candidate that is farthest from all that is chosen: cases beside each other are much alike."""
    if not chosen:
        return candidates[0]
    places = [cases.index(case) for case in chosen]
    return max(candidates, key=lambda case: min(abs(cases.index(case) - place) for place in places))
