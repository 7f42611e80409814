"""Expressions: any text ends in records or in a sentence, and what is stored is what was typed."""

import struct
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np

from recorder_editor.api import Recording
from recorder_editor.edits.replace import preview, replace_where
from recorder_editor.errors import EditError, FieldError, NothingToDo
from recorder_editor.format.schema import Field
from recorder_editor.reading.expression import ExpressionError, parse, parse_value
from recorder_editor.reading.expression.records import TrackRecords
from recorder_editor.reading.tracks import Tracks

from ... import builders
from ...edits.choices import street
from .. import sentences
from ..watch import Broken, Watch
from .target import Target, content, opened

REFUSALS = (ExpressionError, EditError, FieldError)
SEEDS = {
    **{name: builders.everything(name) for name in builders.RELEASES},
    "street": street(),
    "drive": builders.drive(4, vehicles=2),
}


@dataclass(frozen=True)
class Typed:
    """What is set in every record: a `field` to something of typed numbers that is `worth` that much."""

    text: str
    field: str
    worth: float | int


@dataclass(frozen=True)
class Case:
    """A text for one of the `SEEDS`, or something typed in place of it."""

    seed: str
    text: str
    typed: Typed | None = None


class Expressions(Target):
    of_a_round = 8_000

    def __init__(self, keep: Path) -> None:
        super().__init__(keep)
        self.known = {}
        for name, data in SEEDS.items():
            (keep / name).mkdir(exist_ok=True)
            self.known[name] = opened(data, keep / name)

    def make(self, random: Random) -> Case:
        seed = random.choice(list(SEEDS))
        dialect = self.known[seed].dialect
        if random.random() < 0.7:
            return Case(seed, sentences.query(random, dialect))
        kind = random.choice([each for each in dialect.packets.values() if each.record.fields])
        field = random.choice([each for each in kind.record.fields.values() if each.type != "str"] or [None])
        if field is None:
            return Case(seed, sentences.query(random, dialect))
        try:
            text, worth = sentences.typed(random)
        except (ArithmeticError, ValueError):
            text, worth = "(1)", 1
        return Case(seed, "", Typed(f"{kind.name}: {field.path} = {text}", field.path, worth))

    def run(self, case: Case, watch: Watch) -> Iterable[str]:
        known, text = self.known[case.seed], case.typed.text if case.typed is not None else case.text
        _hold_value(known, text.partition(" = ")[2] or text)
        try:
            query = parse(text, known.dialect)
            told = preview(known, text, limit=40)
        except REFUSALS as refused:
            if not str(refused).strip():
                raise Broken("refused without a word") from refused
            return ("expression refused",)
        if not query.assignments:
            return ("expression",)
        with opened(SEEDS[case.seed]) as recording:
            before = content(recording)
            try:
                recording.apply(replace_where(recording, text))
            except NothingToDo:
                if told.changed:
                    raise Broken("a preview of changes that are none", told.changed) from None
                return ("assignment without effect",)
            except REFUSALS as refused:
                raise Broken("a preview of what is refused", refused) from refused
            after = content(recording)
            if not told.changed or after == before:
                raise Broken("a change that the preview does not tell", told)
            for change in told.changes:
                value = recording[change.frame_index].packets[change.packet].decoded.get(change.record, change.field)
                if builders.exactly(value) != builders.exactly(change.after):
                    raise Broken("stored is not what the preview tells", (change, value))
                if case.typed is not None:
                    _hold(query.assignments[0].field, value, case.typed)
            recording.undo()
            if content(recording) != before:
                raise Broken("undo gives other bytes")
        return ("assignment",)


def _hold_value(recording: Recording, text: str) -> None:
    """Raises `Broken` where a value is neither a number of each record nor refused with a sentence."""
    try:
        query = parse_value(text if ":" in text else f"Position: {text}", recording.dialect)
    except ExpressionError as refused:
        if not str(refused).strip():
            raise Broken("refused without a word") from refused
        return
    if query.kind.dtype is None:
        return
    table = Tracks(recording.snapshot).read(query.kind.name)
    records = TrackRecords(query.kind, table, recording.snapshot)
    values, met = query.values(records, table.shape), query.mask(records, table.shape)
    if values.dtype != np.float64 or values.shape != table.shape or met.shape != table.shape:
        raise Broken("no number of each record", text)


def _hold(field: Field, stored: object, typed: Typed) -> None:
    """Raises `Broken` for a stored value that is not the typed one."""
    what = (field.type, stored, typed.worth)
    if field.type in ("f32", "f64"):
        try:
            form = "<f" if field.type == "f32" else "<d"
            number = struct.unpack(form, struct.pack(form, typed.worth))[0]
        except OverflowError:
            raise Broken("a number that does not fit was stored", what) from None
        if stored != number:
            raise Broken("another number was stored", what)
    elif int(stored) != typed.worth:  # type: ignore[call-overload]
        raise Broken("another whole number was stored", what)
