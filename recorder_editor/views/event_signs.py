"""The signs of the kinds of traffic events, in the table and on the timeline. No Qt."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from ..reading.events import EventName


class EventSign(NamedTuple):
    """How a kind of event looks.

    Attributes:
        icon: The name of its icon.
        color: The name of its colour.
    """

    icon: str
    color: Literal["error", "warning", "muted"]


EVENT_SIGNS: Mapping[EventName, EventSign] = {
    "collision": EventSign("cross-bold", "error"),
    "near-miss": EventSign("triangle", "warning"),
    "short-pet": EventSign("warning", "warning"),
    "walker-ahead": EventSign("walker", "warning"),
    "red-light": EventSign("traffic-light", "warning"),
    "wrong-way": EventSign("remove", "warning"),
    "off-road": EventSign("roads", "warning"),
    "cut-in": EventSign("join", "warning"),
    "hard-braking": EventSign("chevrons-down", "muted"),
    "hard-steering": EventSign("redo", "muted"),
    "overtaking": EventSign("next", "muted"),
    "lane-change": EventSign("split", "muted"),
    "u-turn": EventSign("undo", "muted"),
    "standstill": EventSign("pause", "muted"),
}
"""The sign of each kind."""
