"""What a screen reader does, by AT-SPI; run by the system's Python, which has the bindings.

Arguments: what to find and do, as VERB:TEXT. `window` and `dialog` wait for one whose title holds the text, and what
follows is done in it; `press` presses the button of that name, `read` waits for an element whose name begins so and
`gone` for there being none, `hear` waits for such an announcement, `list` reads the list of that name. What is found is
written line by line, as role and name.
"""

import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

PATIENCE = 30.0
TOPS = "window", "dialog"
heard: list[str] = []


def elements(top: Any) -> Iterator[Any]:
    """An element and everything within it that is shown."""
    try:
        yield top
        for number in range(top.get_child_count()):
            child = top.get_child_at_index(number)
            if child is not None:
                yield from elements(child)
    except GLib.Error:  # it went meanwhile
        return


def wait_for(what: str, find: Callable[[], Any]) -> Any:
    """What is found, as soon as it is there; events are taken in until then."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        while GLib.MainContext.default().iteration(False):
            pass
        found = find()
        if found:
            return found
        time.sleep(0.05)
    sys.exit(f"Not found: {what}. Heard: {heard}")


def first(top: Any, fits: Callable[[Any], bool]) -> Any:
    """The first element within another one that fits."""
    return next((each for each in elements(top) if fits(each)), None)


def say(*words: str) -> None:
    """One line for what was found."""
    print(*words, sep=": ", flush=True)  # noqa: T201


def do(verb: str, text: str, top: Any) -> Any:
    """Do one step within an element; returns what was found."""
    role = {"window": "frame", "dialog": "dialog", "press": "push button", "list": "list"}.get(verb, "")

    def fits(each: Any) -> bool:
        name = each.get_name()
        same = text in name if verb in TOPS else name.startswith(text) if verb == "read" else name == text
        return same and (not role or each.get_role_name() == role)

    if verb == "hear":
        say("announcement", wait_for(text, lambda: next((each for each in heard if each.startswith(text)), "")))
        return None
    if verb == "gone":
        wait_for(text, lambda: first(top, lambda each: each.get_name().startswith(text)) is None)
        return None
    found = wait_for(text, lambda: first(top, fits))
    say(found.get_role_name(), found.get_name())
    if verb == "press":
        heard.clear()
        Atspi.Action.do_action(found, 0)
    for number in range(found.get_child_count() if verb == "list" else 0):
        line = found.get_child_at_index(number)
        is_current = line.get_state_set().contains(Atspi.StateType.SELECTED)
        say(line.get_role_name() + " (selected)" * is_current, line.get_name())
    return found


def main(steps: list[str]) -> None:
    """Do all steps, one after the other, in the window or dialog that was found last."""
    listener = Atspi.EventListener.new(lambda event: heard.append(str(event.any_data)))
    listener.register("object:announcement")
    top = desktop = Atspi.get_desktop(0)
    for step in steps:
        verb, _, text = step.partition(":")
        found = do(verb, text, desktop if verb in TOPS else top)
        top = found if verb in TOPS else top


if __name__ == "__main__":
    main(sys.argv[1:])
