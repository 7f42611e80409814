"""The format of recordings as grammars for other programs, made from the table of packets.

`kaitai` is the grammar for Kaitai Struct (.ksy), `imhex` the pattern for ImHex (.hexpat). Both take the dialect as a
parameter, since no byte of a recording names it, and may have packets of users in them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

from ...format.packet_file import PacketFile
from .imhex import imhex
from .kaitai import kaitai
from .own_packets import OwnPackets, own_packets

GRAMMARS: Mapping[str, Callable[[OwnPackets], Iterator[str]]] = {".ksy": kaitai, ".hexpat": imhex}
"""What makes the lines of a grammar, by the ending of its file."""


def grammar_lines(suffix: str, files: Iterable[PacketFile] = ()) -> Iterator[str]:
    """The lines of a grammar.

    Args:
        suffix: The ending of its file, one of `GRAMMARS`.
        files: Files of packets of users, of which the first one counts that has an id.
    """
    return GRAMMARS[suffix](own_packets(files))
