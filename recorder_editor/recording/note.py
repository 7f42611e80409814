"""A note: a text about frames of a recording, or about an actor in them."""

import re
from collections.abc import Iterable
from typing import NamedTuple, Self

COLOR = "#CCBB44"
"""That of a note which was given none."""

MEMBERS = {"frame": int, "last": int, "actor": int, "text": str, "color": str, "tags": list, "gone": bool, "keys": str}
"""The members of its object in the file, and their types."""

_TAG = re.compile(r"(?<![\w#&/])#([\w-]*[^\W\d][\w-]*)")
"""A tag in a text: a word with a letter in it after a `#` at which no other word, path or `&#...;` goes on."""


class Note(NamedTuple):
    """A text about the frames `[start, stop)`, or about an actor in them.

    Attributes: `actor` (its id there, or None), `color` (`#RRGGBB`), `tags` (those given besides its text), `is_gone`
    (the frames, once these, are no longer in the recording), `keys` (in the file: the journal that has its frames, and
    keys of the first and the last of them), `more` (further members of its object in the file).
    """

    text: str
    start: int
    stop: int
    actor: int | None = None
    color: str = COLOR
    tags: tuple[str, ...] = ()
    is_gone: bool = False
    keys: str = ""
    more: tuple[tuple[str, object], ...] = ()

    @property
    def frames(self) -> range:
        """Its frames; none of one that is gone."""
        if self.is_gone:
            return range(0)
        return range(self.start, self.stop)

    def placed(self, span: range) -> Self:
        """The note at these frames; without any it keeps the numbers that its own had."""
        if span:
            return self._replace(start=span.start, stop=span.stop, is_gone=False)
        return self._replace(is_gone=True)

    @property
    def place(self) -> tuple[bool, int, int]:
        """By what notes are sorted: those that are gone come last."""
        return self.is_gone, self.start, self.stop

    @property
    def every_tag(self) -> tuple[str, ...]:
        """The tags given, and those that its text has as `#word`; of those that differ in case only, the first."""
        first = dict[str, str]()
        for tag in (*self.tags, *_TAG.findall(self.text)):
            first.setdefault(tag.casefold(), tag)
        return tuple(filter(None, first.values()))

    @property
    def tag_text(self) -> str:
        """Its tags as they are written: `#brakes #to do`."""
        return with_signs(self.every_tag)

    def with_tags(self, tags: Iterable[str]) -> tuple[str, ...]:
        """What is to be given so that it has these tags; those of its text are given only where they were before."""
        here = {tag.casefold() for tag in _TAG.findall(self.text)}
        return tuple(tag for tag in tags if tag in self.tags or tag.casefold() not in here)

    def as_json(self) -> dict[str, object]:
        """Its object in the file; what it does not have is left out."""
        last = self.stop if self.stop > self.start + 1 else None
        gone = self.is_gone or None
        here = self.start + 1, last, self.actor, self.text, self.color, [*self.tags] or None, gone, self.keys or None
        return {name: value for name, value in (*zip(MEMBERS, here, strict=True), *self.more) if value is not None}


def with_signs(tags: Iterable[str]) -> str:
    """Return tags as they are written: `#brakes #to do`."""
    return " ".join(f"#{tag}" for tag in tags)
