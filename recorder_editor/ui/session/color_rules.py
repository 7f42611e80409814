"""Rules that fill actors with colours: a line each, a condition in the language of queries and a colour.

`speed > 20: #D7301F` is about Position, `AnimVehicle where brake > 0.5: red` about records of another packet. Of
several rules that an actor meets the first one counts. Knows no widget.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from PySide6.QtGui import QColor

from ...arrays import AnyArray, IntArray
from ...format import Dialect
from ...progress import SILENT, Progress
from ...reading import Actors
from ...reading.expression import ExpressionError, Query, parse
from ...reading.expression.records import ActorColumns, BlockRecords, PacketRecords
from ...recording import Frame, Snapshot
from ...recording.blocks import FrameBlock, blocks
from ...texts import say

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
        raise ExpressionError(
            say("A rule is a condition, a colon and a colour, as in {example}.", example=EXAMPLE), len(line) + 1
        )
    if not QColor.isValidColorName(color.strip()):
        said = (
            say("“{text}” is no colour; it is written as #D7301F, or by its name.", text=color.strip())
            if color.strip()
            else say("A colour belongs behind the colon, such as #D7301F.")
        )
        raise ExpressionError(said, len(text) + 2)
    begins = [*text.lower().split(), "", ""]
    names_packet = begins[1] == "where" or begins[0] in {kind.name.lower() for kind in dialect.packets.values()}
    prefix = "" if names_packet else _USUAL
    try:
        query = parse(prefix + text, dialect)
    except ExpressionError as error:
        raise ExpressionError(error.message, max(1, error.column - len(prefix))) from None
    if query.kind.actor_field is None:
        raise ExpressionError(
            say("Records of {packet} belong to no actor, so no actor can be coloured.", packet=query.kind.name), 1
        )
    if query.assignments:
        raise ExpressionError(say("A rule sets nothing: one condition, one colon and one colour."), 1)
    return Rule(query, QColor(color.strip()), text.strip())


class ColorRules:
    """Rules as they were typed, with empty lines. Attribute: `lines`."""

    def __init__(self, lines: Iterable[str] = ()) -> None:
        self.lines = tuple(line.rstrip() for line in lines)
        self._dialect: Dialect | None = None
        self._rules: tuple[Rule, ...] = ()

    def of(self, dialect: Dialect) -> tuple[Rule, ...]:
        """Those that mean something in a dialect."""
        if dialect is not self._dialect:
            # One that is wrong here was right in the recording for which it was typed.
            self._rules = tuple(rule for rule in self._parsed(dialect) if isinstance(rule, Rule))
            self._dialect = dialect
        return self._rules

    def wrong(self, dialect: Dialect) -> list[tuple[int, int, str]]:
        """The lines that are wrong: number and column, from 1, and a sentence about each."""
        return [said for said in self._parsed(dialect) if not isinstance(said, Rule)]

    def lacking(self, snapshot: Snapshot) -> str:
        """A sentence about the first rule that nobody can meet for want of a road map; empty where there is none."""
        for rule in self.of(snapshot.dialect):
            try:
                rule.query.need_map(snapshot)
            except ExpressionError as error:
                return say("{rule}: {message}", rule=rule.text, message=error.message)
        return ""

    def _parsed(self, dialect: Dialect) -> Iterator[Rule | tuple[int, int, str]]:
        """The rules, and what is wrong with each line that is none."""
        for number, line in ((number, line) for number, line in enumerate(self.lines, 1) if line):
            try:
                yield parsed_rule(line, dialect)
            except ExpressionError as error:
                said = say(
                    "Rule {number}, column {column}: {message}",
                    number=number,
                    column=error.column,
                    message=error.message,
                )
                yield number, error.column, said

    def met(self, snapshot: Snapshot, frame: Frame, actors: Actors) -> Mapping[int, Rule]:
        """The lives (by index) that meet a rule in a frame, each with the first one that it meets."""
        found: dict[int, Rule] = {}
        for rule in self.of(snapshot.dialect):
            ids = _ids_in(rule, snapshot, frame, actors)
            for life in actors.indices_of(ids, np.full(len(ids), frame.index)).tolist():
                found.setdefault(life, rule)
        found.pop(-1, None)
        return found


def _ids_in(rule: Rule, snapshot: Snapshot, frame: Frame, actors: Actors) -> AnyArray:
    """The ids in the records of a frame that meet a rule."""
    packet = frame.packet(rule.query.type_name)
    if packet is None:
        return np.zeros(0, np.uint32)
    met = rule.query.matches(snapshot, frame, packet, actors)
    return np.asarray(PacketRecords(snapshot, frame, packet, actors).column("id"))[met]


NONE_MET = np.zeros((0, 4), np.int64)


def rules_met(snapshot: Snapshot, rules: Sequence[Rule], progress: Progress = SILENT) -> IntArray:
    """When the lives of a recording meet a rule: life (by index), first frame, frame behind the last one and colour
    (as `QColor.rgb`) of each run of frames, by life: int64[n, 4]. Raises `Cancelled`.
    """
    actors = Actors.of(snapshot)
    names = ActorColumns(snapshot)
    per_life = len(snapshot) + 1
    keys = [np.zeros(0, np.int64)]
    colors = [np.zeros(0, np.int64)]
    for block in blocks(snapshot, 0, snapshot.rows):
        progress.update(block.first, snapshot.rows)
        for rule in rules:
            for frames, ids in _met_in(rule, block, snapshot, actors, names):
                lives = actors.indices_of(ids, frames).astype(np.int64)
                keys.append((lives * per_life + frames)[lives >= 0])
                colors.append(np.full(len(keys[-1]), rule.color.rgb()))
    # Of several rules the first one counts: it stands first in its block.
    key, first = np.unique(np.concatenate(keys), return_index=True)
    color = np.concatenate(colors)[first]
    begins = np.flatnonzero((np.diff(key, prepend=-2) != 1) | (np.diff(color, prepend=-1) != 0))
    lives, starts = np.divmod(key[begins], per_life)
    return np.stack((lives, starts, starts + np.diff(begins, append=len(key)), color[begins]), axis=1)


def _met_in(
    rule: Rule, block: FrameBlock, snapshot: Snapshot, actors: Actors, names: ActorColumns
) -> Iterator[tuple[IntArray, AnyArray]]:
    """Frames and ids of the records of a block that meet a rule."""
    first = snapshot.table.frame_of_row(block.first)
    kind = rule.query.kind
    for packet in block.packets(kind):
        if kind.dtype is not None:
            records = BlockRecords(kind, block, packet, first, names)
            rows, columns = np.nonzero(rule.query.mask(records, records.shape) & records.valid)
            yield first + rows, records.values["id"][rows, columns]
            continue
        for index in range(first, first + len(block)):  # records that differ in size
            ids = _ids_in(rule, snapshot, snapshot.frame(index), actors)
            yield np.full(len(ids), index), ids
