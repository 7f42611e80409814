"""What is fuzzed: each target makes cases of a seed and does with them what a user may, under every check."""

from collections import UserDict
from importlib import import_module

from .target import Target


class _Targets(UserDict[str, type[Target]]):
    """Targets by name, imported when they are asked for: a batch has a process of its own and needs one of them."""

    def __getitem__(self, name: str) -> type[Target]:
        if self.data[name] is Target:
            self.data[name] = getattr(import_module(f".{name}", __name__), name.capitalize())
        return self.data[name]


_NAMES = [
    "verbs",
    "library",
    "builds",
    "expressions",
    "scripts",
    "journals",
    "remembered",
    "packets",
    "highd",
    "reports",
    "trajectories",
    "maps",
    "windows",
]

TARGETS = _Targets(dict.fromkeys(_NAMES, Target))

__all__ = ["TARGETS", "Target"]
