"""Rules that fill actors with colours: a line each, a condition in the language of queries and a colour.

`speed > 20: #D7301F` is about Position, `AnimVehicle where brake > 0.5: red` about records of another packet. Of
several rules that an actor meets the first one counts. Knows no widget.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np
from PySide6.QtGui import QColor

from ...format import Dialect
from ...recording import Actors, Frame, Snapshot
from ...recording.expression import ExpressionError, Query, parse
from ...recording.expression.records import PacketRecords
from ...sentences import say

EXAMPLE = "speed > 20: #D7301F"
_USUAL = "Position where "


class Rule(NamedTuple):
    """What is to be met, in which colour, and the condition as it was typed."""

    query: Query
    color: QColor
    text: str


def parsed_rule(line: str, dialect: Dialect) -> Rule:
    """The rule that a line means; raises `ExpressionError` with the column."""
    text, colon, color = line.rpartition(":")
    if not colon or not text.strip():
        raise ExpressionError(say("ui.rule", example=EXAMPLE), len(line) + 1)
    if not QColor.isValidColorName(color.strip()):
        said = say("ui.no_colour", text=color.strip()) if color.strip() else say("ui.no_colour_yet")
        raise ExpressionError(said, len(text) + 2)
    begins = [*text.lower().split(), "", ""]
    names_packet = begins[1] == "where" or begins[0] in {kind.name.lower() for kind in dialect.packets.values()}
    prefix = "" if names_packet else _USUAL
    try:
        query = parse(prefix + text, dialect)
    except ExpressionError as error:
        raise ExpressionError(error.message, max(1, error.column - len(prefix))) from None
    if query.kind.actor_field is None:
        raise ExpressionError(say("ui.no_colour_of_actors", packet=query.kind.name), 1)
    if query.assignments:
        raise ExpressionError(say("ui.rule_sets_nothing"), 1)
    return Rule(query, QColor(color.strip()), text.strip())


class ColorRules:
    """Rules as they were typed. Attribute: `lines`."""

    def __init__(self, lines: Iterable[str] = ()) -> None:
        self.lines = tuple(line.strip() for line in lines if line.strip())
        self._dialect: Dialect | None = None
        self._rules: tuple[Rule, ...] = ()

    def of(self, dialect: Dialect) -> tuple[Rule, ...]:
        """Those that mean something in a dialect."""
        if dialect is not self._dialect:
            # One that is wrong here was right in the recording for which it was typed.
            self._rules = tuple(rule for rule in self._parsed(dialect) if isinstance(rule, Rule))
            self._dialect = dialect
        return self._rules

    def wrong(self, dialect: Dialect) -> str:
        """A sentence about the first line that is wrong; empty where all are right."""
        return next((said for said in self._parsed(dialect) if isinstance(said, str)), "")

    def lacking(self, snapshot: Snapshot) -> str:
        """A sentence about the first rule that nobody can meet for want of a road map; empty where there is none."""
        for rule in self.of(snapshot.dialect):
            try:
                rule.query.need_map(snapshot)
            except ExpressionError as error:
                return say("ui.rule_lacks", rule=rule.text, message=error.message)
        return ""

    def _parsed(self, dialect: Dialect) -> Iterator[Rule | str]:
        """The rules, and a sentence about each line that is wrong."""
        for number, line in enumerate(self.lines, 1):
            try:
                yield parsed_rule(line, dialect)
            except ExpressionError as error:
                yield say("ui.rule_is_wrong", number=number, column=error.column, message=error.message)

    def colors(self, snapshot: Snapshot, frame: Frame, actors: Actors) -> Mapping[int, QColor]:
        """What the lives (by index) that meet a rule in a frame are filled with."""
        found: dict[int, QColor] = {}
        for rule in self.of(snapshot.dialect):
            packet = frame.packet(rule.query.type_name)
            if packet is None:
                continue
            met = rule.query.matches(snapshot, frame, packet, actors)
            ids = np.asarray(PacketRecords(snapshot, frame, packet, actors).column("id"))[met]
            for life in actors.indices_of(ids, np.full(len(ids), frame.index)).tolist():
                found.setdefault(life, rule.color)
        found.pop(-1, None)
        return found
