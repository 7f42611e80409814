"""Items that are made in a thread while the ones before them are worked on."""

from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import TypeVar

Item = TypeVar("Item")


def prefetched(items: Iterator[Item]) -> Generator[Item]:
    """Yield items in order, and make each one in a thread while the caller works on the one before it.

    That saves time where both leave Python for long, as numpy, pyarrow and files do. The thread has ended when the
    generator is closed.

    Args:
        items: The items; nothing else may use it, and at most one item more than those that were taken is made.

    Raises:
        Exception: Whatever making an item raises, where that item would come.
    """
    end = object()
    context = copy_context()  # the language of messages

    def make_next() -> Item | object:
        return context.run(next, items, end)

    with ThreadPoolExecutor(max_workers=1) as thread:
        upcoming = thread.submit(make_next)
        while (item := upcoming.result()) is not end:
            upcoming = thread.submit(make_next)
            yield item  # type: ignore[misc]  # all but `end` is an item
