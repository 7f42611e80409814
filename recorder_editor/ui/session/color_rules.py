"""Rules that fill actors with colours: a line each, a condition in the language of queries and a colour.

`speed > 20: #D7301F` is about Position, `AnimVehicle where brake > 0.5: red` about records of another packet. An actor
has the colour of the first rule that it meets. Knows no widget.
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
_DEFAULT_SOURCE = "Position where "


class ColorRule(NamedTuple):
    """A condition and the colour of the actors that meet it.

    Attributes:
        query: The condition.
        color: The colour.
        text: The condition as it was typed.
    """

    query: Query
    color: QColor
    text: str


def parse_rule(line: str, dialect: Dialect) -> ColorRule:
    """Parse a line as a rule for recordings of a dialect.

    Raises:
        ExpressionError: The line is no rule; it has the column.
    """
    text, colon, color_text = line.rpartition(":")
    color = color_text.strip()
    if not colon or not text.strip():
        message = say("A rule is a condition, a colon and a colour, as in {example}.", example=EXAMPLE)
        raise ExpressionError(message, len(line) + 1)
    if not color:
        raise ExpressionError(say("A colour belongs behind the colon, such as #D7301F."), len(text) + 2)
    if not QColor.isValidColorName(color):
        message = say("“{text}” is no colour; it is written as #D7301F, or by its name.", text=color)
        raise ExpressionError(message, len(text) + 2)
    prefix = _DEFAULT_SOURCE
    if _names_packet(text, dialect):
        prefix = ""
    try:
        query = parse(prefix + text, dialect)
    except ExpressionError as error:
        raise ExpressionError(error.message, max(1, error.column - len(prefix))) from None
    if query.kind.actor_field is None:
        message = say("Records of {packet} belong to no actor, so no actor can be coloured.", packet=query.kind.name)
        raise ExpressionError(message, 1)
    if query.assignments:
        raise ExpressionError(say("A rule sets nothing: one condition, one colon and one colour."), 1)
    return ColorRule(query, QColor(color), text.strip())


def _names_packet(condition: str, dialect: Dialect) -> bool:
    """Return whether a condition begins with the packet whose records it is about."""
    words = condition.lower().split()
    if len(words) > 1 and words[1] == "where":
        return True
    return words[0] in {kind.name.lower() for kind in dialect.packets.values()}


class ColorRules:
    """Rules as they were typed.

    Attributes:
        lines: The lines, with empty ones.
    """

    def __init__(self, lines: Iterable[str] = ()) -> None:
        self.lines = tuple(line.rstrip() for line in lines)
        self._dialect: Dialect | None = None
        self._rules: tuple[ColorRule, ...] = ()

    def of(self, dialect: Dialect) -> tuple[ColorRule, ...]:
        """Return the rules that are valid in a dialect."""
        if dialect is not self._dialect:
            # One that is wrong here was right in the recording for which it was typed.
            self._rules = tuple(rule for rule in self._parse(dialect) if isinstance(rule, ColorRule))
            self._dialect = dialect
        return self._rules

    def errors(self, dialect: Dialect) -> list[tuple[int, int, str]]:
        """Return the lines that are wrong: number and column, from 1, and a sentence about each."""
        return [error for error in self._parse(dialect) if not isinstance(error, ColorRule)]

    def missing_map_sentence(self, snapshot: Snapshot) -> str:
        """Return a sentence about the first rule that no actor can meet without a road map; empty where all can."""
        for rule in self.of(snapshot.dialect):
            try:
                rule.query.need_map(snapshot)
            except ExpressionError as error:
                return say("{rule}: {message}", rule=rule.text, message=error.message)
        return ""

    def _parse(self, dialect: Dialect) -> Iterator[ColorRule | tuple[int, int, str]]:
        """Yield for each line that is not empty its rule, or where it is wrong and a sentence that says why."""
        for number, line in enumerate(self.lines, 1):
            if not line:
                continue
            try:
                yield parse_rule(line, dialect)
            except ExpressionError as error:
                sentence = say(
                    "Rule {number}, column {column}: {message}",
                    number=number,
                    column=error.column,
                    message=error.message,
                )
                yield number, error.column, sentence

    def first_rules(self, snapshot: Snapshot, frame: Frame, actors: Actors) -> Mapping[int, ColorRule]:
        """Return the lives that meet a rule in a frame.

        Returns:
            The first rule that each life meets, by the index of the life.
        """
        first_rules: dict[int, ColorRule] = {}
        for rule in self.of(snapshot.dialect):
            ids = _matching_ids(rule, snapshot, frame, actors)
            for life in actors.indices_of(ids, np.full(len(ids), frame.index)).tolist():
                first_rules.setdefault(life, rule)
        first_rules.pop(-1, None)  # ids without a life
        return first_rules


def _matching_ids(rule: ColorRule, snapshot: Snapshot, frame: Frame, actors: Actors) -> AnyArray:
    """Return the ids in the records of a frame that meet a rule."""
    packet = frame.packet(rule.query.type_name)
    if packet is None:
        return np.zeros(0, np.uint32)
    matches = rule.query.matches(snapshot, frame, packet, actors)
    return np.asarray(PacketRecords(snapshot, frame, packet, actors).column("id"))[matches]


NO_MATCHES = np.zeros((0, 4), np.int64)


def find_matches(snapshot: Snapshot, rules: Sequence[ColorRule], progress: Progress = SILENT) -> IntArray:
    """Find the runs of frames in which the lives of a recording meet a rule.

    Args:
        snapshot: The recording.
        rules: In the order of their priority.
        progress: Is told the rows that are read.

    Returns:
        int64[n, 4], sorted by life: index of the life, first frame, frame behind the last one, and colour (as
        `QColor.rgb`) of each run.

    Raises:
        Cancelled: The progress was cancelled.
    """
    actors = Actors.of(snapshot)
    names = ActorColumns(snapshot)
    per_life = len(snapshot) + 1
    keys = [np.zeros(0, np.int64)]
    colors = [np.zeros(0, np.int64)]
    for block in blocks(snapshot, 0, snapshot.rows):
        progress.update(block.first, snapshot.rows)
        for rule in rules:
            for frames, ids in _matches_in(rule, block, snapshot, actors, names):
                lives = actors.indices_of(ids, frames).astype(np.int64)
                keys.append((lives * per_life + frames)[lives >= 0])
                colors.append(np.full(len(keys[-1]), rule.color.rgb()))
    # The first rule counts: its key comes before those of later rules, which belong to the same block.
    key, first = np.unique(np.concatenate(keys), return_index=True)
    color = np.concatenate(colors)[first]
    is_begin = (np.diff(key, prepend=-2) != 1) | (np.diff(color, prepend=-1) != 0)
    begins = np.flatnonzero(is_begin)
    lengths = np.diff(begins, append=len(key))
    lives, starts = np.divmod(key[begins], per_life)
    return np.stack((lives, starts, starts + lengths, color[begins]), axis=1)


def _matches_in(
    rule: ColorRule, block: FrameBlock, snapshot: Snapshot, actors: Actors, names: ActorColumns
) -> Iterator[tuple[IntArray, AnyArray]]:
    """Yield frames and ids of the records of a block that meet a rule."""
    first = snapshot.table.frame_of_row(block.first)
    kind = rule.query.kind
    for packet in block.packets(kind):
        if kind.dtype is not None:
            records = BlockRecords(kind, block, packet, first, names)
            rows, columns = np.nonzero(rule.query.mask(records, records.shape) & records.valid)
            yield first + rows, records.values["id"][rows, columns]
            continue
        for index in range(first, first + len(block)):  # records that differ in size
            ids = _matching_ids(rule, snapshot, snapshot.frame(index), actors)
            yield np.full(len(ids), index), ids
