"""Every packet decoded, one JSON object a line; `build` gives the same bytes back.

Example: recorder-editor dump crash.log --frames 10:12 --packets Position
"""

import re
from argparse import Namespace

from ..exchange.dump import dump_lines
from ..format import Dialect
from ..sentences import say
from .files import WrongUsage, open_input
from .output import print_json_lines


def run(arguments: Namespace) -> None:
    """Write the dump to stdout."""
    names = arguments.packets
    packets = frozenset(name.strip().lower() for name in names.split(",")) if names is not None else None
    with open_input(arguments.file, arguments.dialect) as recording:
        frames = _frames(arguments.frames, len(recording))
        _refuse_unknown(packets or frozenset(), recording.dialect)
        print_json_lines(dump_lines(recording.snapshot, frames=frames, packets=packets, with_bytes=arguments.bytes))


def _frames(text: str | None, frames: int) -> range | None:
    if text is None:
        return None
    match = re.fullmatch(r"#?(\d*)(:)?#?(\d*)", text.strip())
    if match is None or not text.strip(": #"):
        raise WrongUsage(say("cli.are_not_frames_write_10_12", text=text))
    first = int(match[1] or 1)
    last = first if not match[2] else int(match[3]) if match[3] else max(first, frames)
    if first < 1 or last < first:
        raise WrongUsage(say("cli.are_not_frames_they_count_from", text=text))
    if first > frames:
        raise WrongUsage(say("cli.there_is_no_frame_the_recording", first=first, frames=frames))
    return range(first - 1, min(last, frames))


def _refuse_unknown(packets: frozenset[str], dialect: Dialect) -> None:
    """Raise `WrongUsage` for names of no packet, so that a typo does not look like an empty file."""
    known = {dialect.packet(number).name.lower(): dialect.packet(number).name for number in range(256)}
    if unknown := sorted(packets - known.keys()):
        names = ", ".join(known[name] for name in known if not name.startswith("unknown "))
        raise WrongUsage(say("cli.is_not_a_packet_of_its", unknown=unknown[0], title=dialect.title, names=names))
