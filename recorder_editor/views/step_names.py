"""The names of steps as the window writes them: with the actor that they name set off."""

from ..texts import Text

_MARK = "\x1f"
_ACTORS = ("actor", "actors")


def split_at_actor(name: str) -> tuple[str, str, str]:
    """Split the name of a step at the actor that it names.

    Args:
        name: The name; one that is no `Text`, as in scripts of others, is not split.

    Returns:
        What is before the actor, the actor, and what is after it; all is before it where none is named.
    """
    before, _, rest = _marked(name).partition(_MARK)
    actor, _, after = rest.partition(_MARK)
    return before, actor, after.replace(_MARK, "")


def _marked(value: object) -> str:
    """Return a text with marks before and after each actor, whose id is a value of it, or of a text in it."""
    if not isinstance(value, Text):
        return str(value)
    values: dict[str, object] = {}
    for name, inner in value.values.items():
        if isinstance(inner, Text):
            values[name] = _marked(inner)
        elif name == "actor" or (name in _ACTORS and isinstance(inner, str)):
            values[name] = f"{_MARK}{inner}{_MARK}"
        else:
            values[name] = inner
    return str(Text(value.template, values))
