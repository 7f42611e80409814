"""XML that nobody has to trust: elements one after another with their lines, and bounds on whatever can grow.

The parser is expat of the standard library, which reads as it goes and keeps no tree. A document type declaration is
refused, and with it every entity that a file could define or fetch.
"""

import io
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import BinaryIO, NoReturn
from xml.parsers import expat

from ..errors import MapError
from ..progress import Progress
from ..texts import say

__all__ = ["LARGEST", "MAX_ELEMENTS", "Attributes", "ElementReader", "Syntax"]

LARGEST = 256 << 20
"""Bytes of a map; the simulator's largest has about a sixth of them."""
MAX_ELEMENTS = 2_000_000
MAX_DEPTH = 64
MAX_MARKUP = 1 << 20
"""Bytes of one tag with its attributes."""

_BLOCK = 1 << 18
_HANDLERS = "StartElementHandler", "EndElementHandler", "CharacterDataHandler", "StartDoctypeDeclHandler"

Attributes = Mapping[str, str]
Syntax = Mapping[tuple[str, str], tuple[str, Callable[[Attributes], bool | None] | None]]
"""By context and name of an element: the context of what it holds, and what is called with its attributes. An element
that is not listed is skipped with all it holds, and so is one whose function returns False."""


class ElementReader:
    """Reads the elements of one file.

    Attributes: `line` (from 1), `element` (the last one that began), `contexts` (of the elements that are open).
    """

    def __init__(self, syntax: Syntax, text: Callable[[str, str], None]) -> None:
        self._syntax = syntax
        self._text = text
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        for name, handler in zip(_HANDLERS, (self._start, self._end, self._characters, self._doctype), strict=True):
            setattr(self._parser, name, handler)
        self.contexts = [""]
        self._skipped = 0
        self._elements = 0
        self.element = ""

    @property
    def line(self) -> int:
        return self._parser.CurrentLineNumber

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self.element = name
        self._elements += 1
        if self._elements > MAX_ELEMENTS:
            self.refuse(say("The map has more than {most:,} elements.", most=MAX_ELEMENTS))
        if self._skipped + len(self.contexts) > MAX_DEPTH:
            self.refuse(say("The map has elements more than {most} levels deep.", most=MAX_DEPTH))
        if self._skipped:
            self._skipped += 1
            return
        context, function = self._syntax.get((self.contexts[-1], name), ("", None))
        if not context or (function is not None and function(attributes) is False):
            if len(self.contexts) == 1 and not context:
                self.refuse(say("The file is no OpenDRIVE map: its root element has another name."))
            self._skipped = 1
        else:
            self.contexts.append(context)

    def _end(self, _name: str) -> None:
        if self._skipped:
            self._skipped -= 1
        else:
            self.contexts.pop()

    def _characters(self, text: str) -> None:
        if not self._skipped and len(self.contexts) > 1:
            self._text(self.contexts[-1], text)

    def _doctype(self, *_: object) -> NoReturn:
        self.refuse(say("The map has a document type declaration, which maps do not need and which is not read."))

    def refuse(self, sentence: str) -> NoReturn:
        """Raise `MapError` with the place in the file."""
        raise MapError(sentence, line=self.line, element=self.element)

    # --- reading ------------------------------------------------------------------------------------------------

    def read(self, source: Path | bytes, progress: Progress) -> MapError | None:
        """Call the functions for all elements; once only.

        Returns the error where the XML ends or breaks too early, so that what came before can be used. `progress`
        counts bytes. Raises `MapError` (beyond the bounds, not OpenDRIVE, a document type), `OSError`, `Cancelled`.
        """
        try:
            if isinstance(source, bytes):
                self._feed_all(io.BytesIO(source), progress)
            else:
                with source.open("rb") as file:
                    self._feed_all(file, progress)
            self._parser.Parse(b"", True)
        except expat.ExpatError as error:
            reason = expat.ErrorString(error.code)
            return MapError(
                say("The XML of the map is damaged ({reason}).", reason=reason), line=error.lineno, element=self.element
            )
        except (LookupError, ValueError) as error:
            if self.element:
                raise
            raise MapError(say("The text of the map cannot be decoded ({error}).", error=error), line=1) from error
        finally:
            for name in _HANDLERS:
                setattr(self._parser, name, None)  # a circle else
        return None

    def _feed_all(self, file: BinaryIO, progress: Progress) -> None:
        size = file.seek(0, 2)
        file.seek(0)
        done = 0
        while block := file.read(_BLOCK):
            progress.update(done, max(size, done))
            done += len(block)
            if max(size, done) > LARGEST:
                self.refuse(
                    say(
                        "The map has {size:,} MB; {most} MB are the most that is read.",
                        size=max(size, done) >> 20,
                        most=LARGEST >> 20,
                    )
                )
            self._parser.Parse(block, False)
            # What expat has not told yet is a tag without its end, which it begins anew with every block.
            if done - self._parser.CurrentByteIndex > MAX_MARKUP:
                self.refuse(say("One element of the map has more than {most} MB.", most=MAX_MARKUP >> 20))
