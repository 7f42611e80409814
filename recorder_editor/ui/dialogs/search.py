"""What is found for a few letters: actions by their names, places by their forms, actors by id, blueprint and role."""

import re
from collections.abc import Iterator
from functools import cache, partial

from ... import resources
from ...reading import short_blueprint
from ...texts import listed, say
from ...views.describe import icon_of
from ..session import Session
from ..style.theme import Theme
from ..widgets.actions import Actions
from ..widgets.match_list import Match
from ..widgets.menus import TOOLS
from .goto_parser import target_of

MOST = 200
_MOST_ACTORS = 12
_WORDS = re.compile("[㐀-鿿]|[^\\s㐀-鿿]+")


def score(words: str, text: str) -> float | None:
    """How well what is typed fits a text, larger is better; None where it does not.

    Best is the beginning of the text, then beginnings of its words, their initials, and three letters inside of a word.
    The initials of Chinese are those of its sounds.
    """
    words, text = words.lower().strip(), text.lower()
    value = 0.0 if not words else None
    if words and text.startswith(words):
        value = 150.0
    elif words and begin_words(words, text):
        value = 125.0
    elif len(words) > 1 and initials_of(text).startswith(words.replace(" ", "")):
        value = 80.0
    elif (len(words) > 2 or not words.isascii()) and words in text:
        value = 60.0
    if value:
        return value - len(text) * 0.1
    return value


def begin_words(words: str, text: str) -> bool:
    """Each of these words begins one of the text's; a point or an underscore parts words, too."""
    return all(
        re.search(rf"(?<![^\W_]){re.escape(word)}", text) if word.isascii() else word in text for word in words.split()
    )


def initials_of(text: str) -> str:
    """The first letters of its words; each Chinese sign is a word."""
    return "".join(part[0] for part in _WORDS.findall(text)).translate(letters_of_signs())


@cache
def letters_of_signs() -> dict[int, str]:
    """The first letter of the sound of each Chinese sign that the window shows."""
    return {ord(sign): letter for letter, signs in resources.table("locale/pinyin").items() for sign in signs}


class Search:
    """Searches the actions and the recording of one window."""

    def __init__(self, session: Session, actions: Actions, theme: Theme) -> None:
        self.session = session
        self.theme = theme
        self.actions = actions

    def find(self, typed: str) -> list[Match]:
        """The lines for what is typed, the best first; without letters, every action."""
        words = typed.strip()
        target = target_of(self.session, words, self.theme.units)
        if words:
            actors = sorted(self._actors(words), key=lambda found: -found[0])[:_MOST_ACTORS]
        else:
            actors = []
        merged = sorted((*self._actions(words), *actors), key=lambda found: -found[0])
        found = [match for _, match in merged[:MOST]]
        if target is None:
            return found
        # A number that is no moment may well be an actor: what is there comes before what is not.
        if target.enabled:
            return [target, *found]
        return [*found, target]

    def _actions(self, words: str) -> Iterator[tuple[float, Match]]:
        plain = re.sub(r"[:>]", " ", words)  # the guide writes "Colour by: Speed"
        for spec in self.actions:
            if spec.id.startswith("palette."):
                continue
            best = score(words, spec.plain_text)
            path = spec.menu.replace("/", " ")
            for further, less in ((f"{path} {spec.plain_text}", 20), (spec.keywords, 40), (path, 40)):
                also = None
                if plain and further:
                    also = score(plain, further)
                if also is not None and also >= 100 and (best is None or also - less > best):
                    best = also - less
            if best is None:
                continue
            if words and spec.id in TOOLS:
                best += 0.5  # of two of one name the one of the toolbar is meant
            reason = self.actions.reason(spec.id)
            enabled = reason is None
            detail = reason or " > ".join(map(say, spec.menu.split("/")))
            if enabled:
                run = partial(self.actions.run, spec.id)
            else:
                run = partial(self.session.refused.emit, reason)
            if enabled:
                best -= 0.0
            elif words:
                best -= 30.0
            else:
                best -= 5.0
            yield best, Match(spec.plain_text, detail, spec.key_text, spec.icon, run, enabled, spec.id)

    def _actors(self, words: str) -> Iterator[tuple[float, Match]]:
        actors = self.session.actors
        if actors is None:
            return
        frame = self.session.selection.frame_index
        seen: set[int] = set()
        for each in actors:
            text = f"{each.actor} {each.blueprint} {each.role_name}".lower()
            if each.actor in seen or not begin_words(words.lower(), text):
                continue
            life = actors.at(each.actor, frame) or each
            seen.add(life.actor)
            alive = life.is_alive(frame)
            if life.gone is None:
                last = self.session.frames
            else:
                last = max(life.gone, life.born + 1)
            value = 200.0 if str(life.actor) == words else 90.0
            value += (20.0 if life.is_hero else 0.0) + (10.0 if alive else 0.0) - len(text) * 0.1
            frames = say("frames {born:,} to {last:,}", born=life.born + 1, last=last)
            name = f"{life.actor}  {short_blueprint(life.blueprint)}"
            facts = listed((life.role_name, say(life.class_), frames), "clauses")
            yield value, Match(name, facts, "", icon_of(life), partial(self._select, life.actor, life.born))

    def _select(self, actor: int, born: int) -> None:
        actors = self.session.actors
        if actors is not None and actors.at(actor, self.session.selection.frame_index) is None:
            self.session.selection.go_to_frame(born)
        self.session.selection.seek_actor(actor)
