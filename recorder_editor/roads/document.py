"""XML that need not be trusted: elements one after another with their lines, and bounds on whatever can grow.

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


Attributes = Mapping[str, str]
Syntax = Mapping[tuple[str, str], tuple[str, Callable[[Attributes], bool | None] | None]]
"""By context and name of an element: the context of what it holds, and what is called with its attributes. An element
that is not listed is skipped with all it holds, and so is one for which the function returns False."""


class ElementReader:
    """Reads the elements of one file.

    Attributes:
        contexts: The contexts of the elements that are open, the outermost first.
        element: The name of the last element that began.
    """

    def __init__(self, syntax: Syntax, text: Callable[[str, str], None]) -> None:
        """Prepare the parser.

        Args:
            syntax: What elements mean.
            text: Called with the context and the characters of text between tags.
        """
        self._syntax = syntax
        self._text = text
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._parser.StartDoctypeDeclHandler = self._doctype
        self.contexts = [""]
        self._skipped = 0
        self._elements = 0
        self.element = ""

    @property
    def line(self) -> int:
        """The line that is read, from 1."""
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
        """Raise `MapError` with the place in the file.

        Args:
            sentence: What is wrong with the file.

        Raises:
            MapError: Always.
        """
        raise MapError(sentence, line=self.line, element=self.element)

    # --- reading ------------------------------------------------------------------------------------------------

    def read(self, source: Path | bytes, progress: Progress) -> MapError | None:
        """Call the functions for all elements; once only.

        Args:
            source: A path, or the bytes of the file.
            progress: Counts bytes.

        Returns:
            The error where the XML ends or breaks too early, so that what came before can be used; None without one.

        Raises:
            MapError: It is beyond the bounds, is not OpenDRIVE, or has a document type.
            OSError: The file cannot be read.
            Cancelled: The user stopped it.
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
            message = say("The XML of the map is damaged ({reason}).", reason=reason)
            return MapError(message, line=error.lineno, element=self.element)
        except (LookupError, ValueError) as error:
            if self.element:
                raise
            raise MapError(say("The text of the map cannot be decoded ({error}).", error=error), line=1) from error
        finally:
            # The parser and this object would hold each other.
            self._parser.StartElementHandler = None
            self._parser.EndElementHandler = None
            self._parser.CharacterDataHandler = None
            self._parser.StartDoctypeDeclHandler = None
        return None

    def _feed_all(self, file: BinaryIO, progress: Progress) -> None:
        """Parse a file block by block, within the bounds."""
        size = file.seek(0, 2)
        file.seek(0)
        done = 0
        while block := file.read(_BLOCK):
            progress.update(done, max(size, done))
            done += len(block)
            largest = max(size, done)
            if largest > LARGEST:
                sentence = say(
                    "The map has {size:,} MB; {most} MB are the most that is read.",
                    size=largest >> 20,
                    most=LARGEST >> 20,
                )
                self.refuse(sentence)
            self._parser.Parse(block, False)
            # What expat has not told yet is a tag without its end, which it begins anew with every block.
            if done - self._parser.CurrentByteIndex > MAX_MARKUP:
                self.refuse(say("One element of the map has more than {most} MB.", most=MAX_MARKUP >> 20))
