"""Many records of one shape at once: the library encodes one of them, the rest are copies with other numbers."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...format.codec import decode, encode
from ...format.schema import CODES, PacketType

COUNT = 2  # bytes before the first record


class Stencil:
    """The shape of a record with arrays or texts in it, whose lengths are those of the example.

    `copies(n)` gives a structured array of shape (n,), named by the paths of its numbers (`wheels[0].rotation`); its
    bytes are n records.
    """

    def __init__(self, kind: PacketType, example: Mapping[str, Any]) -> None:
        body = encode(kind, [example])
        self._bytes = np.frombuffer(body[COUNT:], dtype=np.uint8)
        leaves = [leaf for leaf in decode(kind, body).leaves(0) if leaf.field.type != "str"]
        self._dtype = np.dtype(
            {
                "names": [leaf.path for leaf in leaves],
                "formats": ["<" + CODES[leaf.field.type] for leaf in leaves],
                "offsets": [leaf.start - COUNT for leaf in leaves],
                "itemsize": len(self._bytes),
            }
        )

    def copies(self, number: int) -> NDArray[np.void]:
        """So many records like the example, to be changed column by column."""
        return np.tile(self._bytes, number).view(self._dtype)


def counted(*groups: NDArray[np.void]) -> bytes:
    """The body of a list packet from groups of records of different shapes."""
    return sum(len(group) for group in groups).to_bytes(COUNT, "little") + b"".join(group.tobytes() for group in groups)
