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
    """Return the form of the chosen key: its place, time and speed."""
    life = editing.life
    base = editing.base
    key = editing.key
    assert life is not None
    assert base is not None
    exact_x, exact_y = base.values[key, 0].tolist()
    x_field = FieldSpec("x", "X", "number", round(exact_x, 6), "m")
    y_field = FieldSpec("y", "Y", "number", round(exact_y, 6), "m")
    time = FieldSpec("time", say("Time"), "number", round(float(base.keys["time"][key]), 6), "s")
    speed = FieldSpec("speed", say("Speed"), "number", round(float(base.speeds[key]), 6), "m/s", low=0.0)

    def changed(values: Values, path: KeyedPath) -> KeyedPath:
        """Change what differs from what the form showed first, which is rounded."""
        given = {}
        for field in (x_field, y_field, time, speed):
            if values[field.name] != field.value:
                given[field.name] = values[field.name]
        point = (given.get("x", exact_x), given.get("y", exact_y))
        return path.with_key(key, point=point, time=given.get("time"), speed=given.get("speed"))

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
    return FormSpec(
        title=say("Key of path"),
        heading=heading,
        verb=say("Set"),
        fields=(x_field, y_field, time, speed),
        make=make,
        note=say("Only frames between the keys before and after it change."),
        tell=tell,
    )
