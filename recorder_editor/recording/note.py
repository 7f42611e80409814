"""A note: a text about frames of a recording, or about an actor in them."""

import re
from collections.abc import Iterable
from typing import NamedTuple, Self

COLOR = "#CCBB44"
"""The color of a note without one of its own."""

MEMBERS = {"frame": int, "last": int, "actor": int, "text": str, "color": str, "tags": list, "gone": bool, "keys": str}
"""The members of its object in the file, and their types."""

_TAG = re.compile(r"(?<![\w#&/])#([\w-]*[^\W\d][\w-]*)")
"""A tag in a text: a word with a letter in it after a `#` at which no other word, path or `&#...;` goes on."""


class Note(NamedTuple):
    """A text about frames, or about an actor in them.

    Attributes:
        text: The text.
        start: The first frame, from 0.
        stop: The frame after the last one.
        actor: The id of the actor in these frames, or None.
        color: The color, `#RRGGBB`.
        tags: The tags that are given besides its text.
        is_gone: The frames, once these, are no longer in the recording.
        keys: In the file: the journal that has its frames, and the keys of the first and the last of them.
        more: Further members of its object in the file.
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
        """The key that notes are sorted by: those that are gone come last."""
        return self.is_gone, self.start, self.stop

    @property
    def every_tag(self) -> tuple[str, ...]:
        """The tags given, and those that its text has as `#word`; of those that differ in case only, the first."""
        by_folded = dict[str, str]()
        for tag in [*self.tags, *_TAG.findall(self.text)]:
            if tag:
                by_folded.setdefault(tag.casefold(), tag)
        return tuple(by_folded.values())

    @property
    def tag_text(self) -> str:
        """Its tags as they are written: `#brakes #to do`."""
        return with_signs(self.every_tag)

    def with_tags(self, tags: Iterable[str]) -> tuple[str, ...]:
        """The value of `tags` with which it has these tags: without those of its text that are not given already."""
        text_tags = {tag.casefold() for tag in _TAG.findall(self.text)}
        return tuple(tag for tag in tags if tag in self.tags or tag.casefold() not in text_tags)

    def as_json(self) -> dict[str, object]:
        """Its object in the file, without members that it lacks."""
        members: dict[str, object] = {"frame": self.start + 1}
        if self.stop > self.start + 1:
            members["last"] = self.stop
        if self.actor is not None:
            members["actor"] = self.actor
        members["text"] = self.text
        members["color"] = self.color
        if self.tags:
            members["tags"] = list(self.tags)
        if self.is_gone:
            members["gone"] = True
        if self.keys:
            members["keys"] = self.keys
        for name, value in self.more:
            if value is not None:
                members[name] = value
        return members


def with_signs(tags: Iterable[str]) -> str:
    """Return tags as they are written: `#brakes #to do`."""
    return " ".join(f"#{tag}" for tag in tags)
