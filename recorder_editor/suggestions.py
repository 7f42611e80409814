"""Suggestions for names that were mistyped."""

from collections.abc import Iterable

from .texts import say

_ALIKE = 0.7  # of 1; words of another meaning reach 0.6


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """Say which name is most like a word, in any case: ` Did you mean “NAME”?`; empty if none is like it."""
    import difflib  # it takes time that the first picture does without

    by_lower_case = {name.lower(): name for name in names}
    matches = difflib.get_close_matches(word.lower(), by_lower_case, n=1, cutoff=_ALIKE)
    if not matches:
        return ""
    return say(" Did you mean “{name}”?", name=by_lower_case[matches[0]])
