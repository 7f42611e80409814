"""What is found for a few letters: actions by their names, places by their forms, actors by id, blueprint and role."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial
from typing import Protocol

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
_WORKSPACES = ("View", "Workspace")  # the menu
_WORDS = "[㐀-鿿]|[^\\s㐀-鿿]+"


def score(words: str, text: str) -> float | None:
    """Score how well typed words fit a text.

    Best is the beginning of the text, then beginnings of its words, their initials, and three letters inside of a word.
    The initials of Chinese are those of its sounds.

    Returns:
        The score, larger is better; 0 where nothing was typed, None where the words do not fit.
    """
    words = words.lower().strip()
    text = text.lower()
    if not words:
        return 0.0
    penalty = len(text) * 0.1  # of two texts that fit alike the shorter one is meant
    if text.startswith(words):
        return 150.0 - penalty
    if begin_words(words, text):
        return 125.0 - penalty
    if len(words) > 1 and initials_of(text).startswith(words.replace(" ", "")):
        return 80.0 - penalty
    is_long_enough = len(words) > 2 or not words.isascii()
    if is_long_enough and words in text:
        return 60.0 - penalty
    return None


def begin_words(words: str, text: str) -> bool:
    """Whether each of the words begins a word of the text; a point or an underscore parts words, too."""
    return all(_begins_word(word, text) for word in words.split())


def _begins_word(word: str, text: str) -> bool:
    if word.isascii():
        return re.search(rf"(?<![^\W_]){re.escape(word)}", text) is not None
    return word in text


def initials_of(text: str) -> str:
    """Return the first letters of the words of a text; each Chinese sign is a word."""
    return "".join(part[0] for part in re.findall(_WORDS, text)).translate(letters_of_signs())


@cache
def letters_of_signs() -> dict[int, str]:
    """Return the first letter of the sound of each Chinese sign that the window shows, by its code point."""
    letters = {}
    for letter, signs in resources.table("locale/pinyin").items():
        for sign in signs:
            letters[ord(sign)] = letter
    return letters


def _best_first(scored: Iterable[tuple[float, Match]]) -> list[tuple[float, Match]]:
    return sorted(scored, key=lambda scored_match: -scored_match[0])


class Workspaces(Protocol):
    """The workspaces that a person saved."""

    @property
    def own(self) -> Mapping[str, str]:
        """Their values by name."""

    def choose(self, name: str) -> None:
        """Show one of them."""


class Search:
    """Searches the actions, the recording and the workspaces of one window."""

    def __init__(self, session: Session, actions: Actions, theme: Theme, workspaces: Workspaces) -> None:
        self._workspaces = workspaces
        self.session = session
        self.theme = theme
        self.actions = actions

    def find(self, typed: str) -> list[Match]:
        """Return the matches of a typed text, the best first; without letters, every action."""
        words = typed.strip()
        target = target_of(self.session, words, self.theme.units)
        scored = list(self._actions(words))
        if words:
            scored += self._own_workspaces(words)
            scored += _best_first(self._actors(words))[:_MOST_ACTORS]
        matches = [match for _, match in _best_first(scored)[:MOST]]
        if target is None:
            return matches
        # A number that is no moment may well be an actor: what is there comes before what is not.
        if target.enabled:
            matches.insert(0, target)
        else:
            matches.append(target)
        return matches

    def _actions(self, words: str) -> Iterator[tuple[float, Match]]:
        plain = re.sub(r"[:>]", " ", words)  # the guide writes "Colour by: Speed"
        for spec in self.actions:
            if spec.id.startswith("palette."):
                continue
            best = score(words, spec.plain_text)
            path = spec.menu.replace("/", " ")
            for text, penalty in ((f"{path} {spec.plain_text}", 20), (spec.keywords, 40), (path, 40)):
                text_score = None
                if plain and text:
                    text_score = score(plain, text)
                if text_score is None or text_score < 100:
                    continue
                if best is None or text_score - penalty > best:
                    best = text_score - penalty
            if best is None:
                continue
            if words and spec.id in TOOLS:
                best += 0.5  # of two of one name the one of the toolbar is meant
            reason = self.actions.reason(spec.id)
            if reason is None:
                detail = " > ".join(map(say, spec.menu.split("/")))
                run = partial(self.actions.run, spec.id)
            else:
                detail = reason
                run = partial(self.session.refused.emit, reason)
                best -= 30.0 if words else 5.0
            is_enabled = reason is None
            yield best, Match(spec.plain_text, detail, spec.key_text, spec.icon, run, is_enabled, spec.id)

    def _own_workspaces(self, words: str) -> Iterator[tuple[float, Match]]:
        reason = self.actions.reason("workspace.save")  # why none can be shown, either
        for name in self._workspaces.own:
            best = score(words, name)
            if best is None:
                continue
            if reason is None:
                detail = " > ".join(map(say, _WORKSPACES))
                run = partial(self._workspaces.choose, name)
            else:
                detail = reason
                run = partial(self.session.refused.emit, reason)
            yield best, Match(name, detail, "", "", run, reason is None)

    def _actors(self, words: str) -> Iterator[tuple[float, Match]]:
        actors = self.session.actors
        if actors is None:
            return
        frame = self.session.selection.frame_index
        seen: set[int] = set()
        for first_match in actors:
            text = f"{first_match.actor} {first_match.blueprint} {first_match.role_name}".lower()
            if first_match.actor in seen or not begin_words(words.lower(), text):
                continue
            life = actors.at(first_match.actor, frame) or first_match
            seen.add(life.actor)
            if life.gone is None:
                last = self.session.frames
            else:
                last = max(life.gone, life.born + 1)
            value = 90.0 - len(text) * 0.1
            if str(life.actor) == words:
                value += 110.0
            if life.is_hero:
                value += 20.0
            if life.is_alive(frame):
                value += 10.0
            frames = say("frames {born:,} to {last:,}", born=life.born + 1, last=last)
            name = f"{life.actor}  {short_blueprint(life.blueprint)}"
            facts = listed((life.role_name, say(life.class_), frames), "clauses")
            yield value, Match(name, facts, "", icon_of(life), partial(self._select, life.actor, life.born))

    def _select(self, actor: int, born: int) -> None:
        actors = self.session.actors
        if actors is not None and actors.at(actor, self.session.selection.frame_index) is None:
            self.session.selection.go_to_frame(born)
        self.session.selection.seek_actor(actor)
