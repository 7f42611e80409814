"""Items that are made ahead: in order, with their errors where they belong, one more than was taken."""

import threading
from collections.abc import Iterator

import pytest

from recorder_editor.formats.prefetch import prefetched
from recorder_editor.texts import say, speaking


def test_an_error_comes_where_its_item_would() -> None:
    def items() -> Iterator[int]:
        yield 1
        yield 2
        raise ValueError("third")

    ahead = prefetched(items())
    assert [next(ahead), next(ahead)] == [1, 2]
    with pytest.raises(ValueError, match="third"):
        next(ahead)


def test_one_item_more_is_made_and_no_thread_is_left() -> None:
    made = []

    def items() -> Iterator[int]:
        for number in range(10):
            made.append(number)
            yield number

    before = threading.active_count()
    ahead = prefetched(items())
    assert next(ahead) == 0
    ahead.close()
    assert made == [0, 1]
    assert threading.active_count() == before


def test_messages_are_in_the_language_of_the_caller() -> None:
    def items() -> Iterator[str]:
        yield say("{source} is empty.", source="a.csv")

    with speaking("zh_CN"):
        assert list(prefetched(items())) == [say("{source} is empty.", source="a.csv")]
        (chinese,) = prefetched(items())
    assert chinese != "a.csv is empty."
