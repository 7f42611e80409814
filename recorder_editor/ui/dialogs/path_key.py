"""The form for exact values of the chosen key of a path, which the scene shows meanwhile."""

from functools import partial

import recorder_editor as library

from ...edits.paths.keyed import KeyedPath
from ...errors import EditError, NothingToDo
from ...progress import Progress
from ...recording import Edit, Snapshot
from ...texts import say
from ..session.path_editing import PathEditing
from .fields import FieldSpec, Values
from .form import FormSpec
from .operation import again


def path_key_form(editing: PathEditing) -> FormSpec:
    """What a form asks for the chosen key."""
    life = editing.life
    base = editing.base
    key = editing.key
    assert life is not None
    assert base is not None
    exact = dict(zip("xy", base.values[key, 0].tolist(), strict=True))
    place = []
    for name, value in exact.items():
        place.append(FieldSpec(name, name.upper(), "number", round(value, 6), "m"))
    time = FieldSpec("time", say("Time"), "number", round(float(base.keys["time"][key]), 6), "s")
    speed = FieldSpec("speed", say("Speed"), "number", round(float(base.speeds[key]), 6), "m/s", low=0.0)

    def changed(values: Values, path: KeyedPath) -> KeyedPath:
        given = {}
        for each in (*place, time, speed):
            if values[each.name] != each.value:
                given[each.name] = values[each.name]
        x, y = (given.pop(name, value) for name, value in exact.items())
        return path.with_key(key, point=(x, y), time=given.get("time"), speed=given.get("speed"))

    def make(snapshot: Snapshot, values: Values, progress: Progress) -> Edit:
        keys = changed(values, editing.base or base).to_json()
        return library.edits.edit_path(snapshot, again(snapshot, [life])[0], keys, progress=progress)

    def tell(values: Values) -> str:
        if not editing.preview(key, partial(changed, values)):
            raise EditError(editing.refusal)
        if editing.path is None or editing.path.span is None:
            raise NothingToDo(say("No value is changed."))
        return ""

    heading = say("Key {key} of {count} of actor {actor}", key=key + 1, count=len(base.keys), actor=life.actor)
    words = say("Only frames between the keys before and after it change.")
    return FormSpec(say("Key of path"), heading, say("Set"), (*place, time, speed), make, words, tell)
