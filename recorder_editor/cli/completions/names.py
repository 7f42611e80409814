"""The names that a recording holds, for the completion of what is typed."""

from pathlib import Path
from typing import Literal, get_args

Kind = Literal["actors", "packets"]
"""What can be named."""

KINDS: tuple[Kind, ...] = get_args(Kind)


def names(kind: Kind, path: Path) -> list[tuple[str, str]]:
    """Return the names of a kind that can be typed for a recording, each with what it is.

    Args:
        kind: What is named.
        path: The recording.

    Returns:
        Names in the order of the recording's actors, and of the packets' ids.

    Raises:
        RecorderError: The recording cannot be read.
        OSError: The file cannot be read.
    """
    from ...recording import open_recording

    with open_recording(path) as recording:
        if kind == "packets":
            return [(packet.name, packet.meaning) for packet in recording.dialect.packets.values()]
        from ...reading import Actors

        actors = Actors.of(recording.snapshot)
        blueprints: dict[str, str] = {}
        for life in actors:
            if life.is_hero:
                blueprints["hero"] = life.blueprint
        for life in actors:
            blueprints[str(life.actor)] = life.blueprint
        return list(blueprints.items())
