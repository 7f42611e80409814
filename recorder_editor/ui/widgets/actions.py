"""The one registry of actions: what the program can do, by name, key, menu and sentence.

Menus, the toolbar, shortcuts, tooltips, the list under Ctrl+K and the table of keys are all made from it. Knows no
pane and no recording: the specification of an action brings its handler and its conditions.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Literal, NamedTuple

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from ...texts import say
from ..session.debounce import Debounce
from ..style.icons import Icons
from .gesture import Gesture, modifiers_in

_MS_WHILE_PLAYING = 100
_LONGEST_NAME = 60  # of what an action would be done to, in letters of a menu


class ActionSpec(NamedTuple):
    """One thing that can be done.

    Attributes:
        id: Such as "file.open".
        text: The text of menus, a verb.
        short_text: The text of its button in the toolbar; empty: `text`.
        handler: Is called without arguments, of a checkable action with the new state: where `checked` is given, the
            opposite of what that returns then (a tick in a menu may be older).
        shortcut: Its keys, separated by `; `.
        icon: The name of its icon.
        tooltip: A sentence; empty: the text.
        menu: "File", "Recording/Road map"; empty: in no menu.
        enabled: Returns whether it can be done now; None: always.
        checkable: It is on or off, also where `checked` is given.
        checked: Returns whether it is on.
        context: "pane": the pane itself takes the key, which is only shown.
        section: The section of the menu; a line separates two.
        keywords: Further words that the search finds it by.
        where: The names of the panes in which its key acts; empty: everywhere.
        where_text: The titles of these panes.
        disabled_reason: In place of `enabled` and `needs`: returns a sentence why it cannot be done now, empty where
            it can.
        needs: A sentence that says what is missing while `enabled` is false, although a recording was read.
        role: The entry of macOS's own menu that it is.
        object_name: Returns what it would be done to, which its menu and tooltip name.
        hidden_for: The reason for which menus leave it out, where it cannot be done for that one; empty: for none.
        hint: What its key does in a few words, for rows of hints; empty: none has it.
    """

    id: str
    text: str
    handler: Callable[..., object]
    shortcut: str = ""
    icon: str = ""
    tooltip: str = ""
    menu: str = "View"
    enabled: Callable[[], bool] | None = None
    checkable: bool = False
    checked: Callable[[], bool] | None = None
    context: Literal["window", "pane"] = "window"
    section: str = ""
    keywords: str = ""
    where: tuple[str, ...] = ()
    where_text: str = ""
    disabled_reason: Callable[[], str] | None = None
    needs: str = ""
    role: QAction.MenuRole | None = None
    object_name: Callable[[], str] | None = None
    short_text: str = ""
    hidden_for: str = ""
    hint: str = ""

    @property
    def is_checkable(self) -> bool:
        """Whether it is on or off."""
        return self.checkable or self.checked is not None

    def reason(self) -> str | None:
        """Return why it cannot be done now: empty where only a recording is missing, None where it can be done."""
        if self.disabled_reason is not None:
            return self.disabled_reason() or None
        if self.enabled is None or self.enabled():
            return None
        return self.needs

    @property
    def keys(self) -> tuple[QKeySequence, ...]:
        """Its shortcuts."""
        return _keys(self.shortcut)

    @property
    def places(self) -> frozenset[str]:
        """The names of the panes in which its key acts; none: everywhere."""
        return frozenset(self.where)

    @property
    def has_fixed_key(self) -> bool:
        """Whether its key cannot be changed: Bytes takes keys as it takes text."""
        return "bytes" in self.places

    def clashes(self, other: "ActionSpec") -> bool:
        """Return whether there is a pane in which the keys of both act."""
        return not self.places or not other.places or bool(self.places & other.places)

    @property
    def key_text(self) -> str:
        """Its first shortcut as the system writes it; empty without one."""
        if self.keys:
            return self.keys[0].toString(QKeySequence.SequenceFormat.NativeText)
        return ""

    @property
    def modifiers(self) -> Qt.KeyboardModifier:
        """The modifiers that are held for its first shortcut."""
        if self.keys:
            return modifiers_in(_text(self.keys[0]).split("+"))
        return Qt.KeyboardModifier.NoModifier

    @property
    def plain_text(self) -> str:
        """The text without its accelerator and its dots."""
        return self.text.replace("&", "").removesuffix("...").removesuffix("…")


class Actions(QObject):
    """The actions of one window. Iterating gives the specifications, in the order they were added.

    Some may be added with the first request for one: until then they are in no menu, and their keys do nothing.

    Attributes:
        gestures: What panes handle themselves, in the order in which it is listed.

    Signals:
        added(list): Further actions were added; has their specifications.
        keys_changed(): Actions have other keys.
        ran(str): The action of this id was used.
        refreshed(): It was shown anew which actions can be done and which are on.
    """

    added = Signal(list)
    keys_changed = Signal()
    ran = Signal(str)
    refreshed = Signal()

    def __init__(self, window: QWidget, icons: Icons, not_ready_reason: Callable[[], str] = str) -> None:
        """Make a registry without actions.

        Args:
            window: The window.
            icons: The icons of actions.
            not_ready_reason: Returns a sentence why nothing can be done with a recording; empty where one was read.
        """
        super().__init__(window)
        self.gestures: tuple[Gesture, ...] = ()
        self._not_ready_reason = not_ready_reason
        self._window = window
        self._icons = icons
        self._specs: dict[str, ActionSpec] = {}
        self._designed: dict[str, str] = {}  # keys by action
        self._chosen: dict[str, str] = {}
        self._panes: dict[str, QWidget] = {}
        self._shortcuts: list[QShortcut] = []
        self._keys: dict[str, str] = {}  # the designed keys of the window, and the action of each
        self._actions: dict[str, QAction] = {}
        self._reasons: dict[str, str | None] = {}  # why actions cannot be done, as they show it
        self._objects: dict[str, str] = {}  # what actions would be done to, as they show it
        self._make_later: Callable[[], list[ActionSpec]] | None = None
        self._later_index = 0
        self._refresh_timer = Debounce(self, self.refresh, 0)

    def __iter__(self) -> Iterator[ActionSpec]:
        self.complete()
        return iter(self.present)

    def __getitem__(self, name: str) -> QAction:
        return self._actions[self.spec(name).id]

    def __contains__(self, name: str) -> bool:
        return any(name == spec.id for spec in self)

    def spec(self, name: str) -> ActionSpec:
        """Return the specification of an action.

        Raises:
            KeyError: There is no action of that id.
        """
        if name not in self._specs:
            self.complete()
        return self._specs[name]

    @property
    def present(self) -> tuple[ActionSpec, ...]:
        """The specifications that were added until now."""
        return tuple(self._specs.values())

    def add(self, *specs: ActionSpec) -> None:
        """Add actions.

        Raises:
            ValueError: An id is taken, or two actions share a key of the window.
        """
        for spec in specs:
            if spec.id in self._specs:
                raise ValueError(f"There is an action {spec.id} already.")
            self._take_keys(spec)
            self._specs[spec.id] = spec
            self._designed[spec.id] = spec.shortcut
            self._actions[spec.id] = self._make_action(spec)
        self.choose_keys(self._chosen)
        self.refresh()
        # Last: each change of an action is an event of its window.
        self._window.addActions([self._actions[spec.id] for spec in specs])
        self.added.emit(list(specs))

    def add_later(self, index: int, make: Callable[[], list[ActionSpec]]) -> None:
        """Add further actions behind the first `index` ones, with the first request for one of them or for all."""
        self._later_index = index
        self._make_later = make

    def complete(self) -> None:
        """Add the actions that were to be added later."""
        if self._make_later is None:
            return
        make = self._make_later
        self._make_later = None
        before = list(self._specs)
        self.add(*make())
        later = [name for name in self._specs if name not in before]
        order = before[: self._later_index] + later + before[self._later_index :]
        self._specs = {name: self._specs[name] for name in order}

    def reason(self, name: str) -> str | None:
        """Return why an action cannot be done now; None where it can."""
        return self._reason(self.spec(name), self._not_ready_reason())

    def _reason(self, spec: ActionSpec, not_ready_reason: str) -> str | None:
        reason = spec.reason()
        if reason is None or spec.disabled_reason is not None:
            return reason
        return not_ready_reason or reason

    def is_enabled(self, name: str) -> bool:
        """Return whether an action can be done now."""
        return self.spec(name).reason() is None

    def run(self, name: str) -> None:
        """Run an action, as a click would; do nothing while it cannot be done."""
        if self.is_enabled(name):
            self._show_reason(self._specs[name], None)
            self._actions[name].trigger()

    def refresh(self) -> None:
        """Show of every action whether it can be done, is on, and what it would be done to."""
        not_ready_reason = self._not_ready_reason()
        for name, spec in self._specs.items():
            reason = self._reason(spec, not_ready_reason)
            if reason != self._reasons.get(name):
                self._show_reason(spec, reason)
            if spec.checked is not None:
                self._actions[name].setChecked(spec.checked())
            what = ""
            if spec.object_name is not None:
                what = spec.object_name()
            if what != self._objects.get(name, ""):
                self._objects[name] = what
                self._show_texts(spec)
        self.refreshed.emit()

    def _show_reason(self, spec: ActionSpec, reason: str | None) -> None:
        """Show whether an action can be done."""
        self._reasons[spec.id] = reason
        action = self._actions[spec.id]
        action.setEnabled(reason is None)
        action.setStatusTip(reason or "")
        if spec.hidden_for:
            action.setVisible(reason != spec.hidden_for)

    def refresh_soon(self) -> None:
        """Refresh once when the present events are handled, however often it is called."""
        if not self._refresh_timer.isActive():
            self._refresh_timer.start()

    def set_playing(self, is_playing: bool) -> None:
        """Refresh now, and while frames are played ten times a second, not at every frame."""
        self._refresh_timer.setInterval(_MS_WHILE_PLAYING if is_playing else 0)
        self.refresh()

    # --- keys -------------------------------------------------------------------------------------------

    @property
    def chosen_keys(self) -> dict[str, str]:
        """The keys that differ from the designed ones, by the id of the action."""
        return dict(self._chosen)

    def choose_keys(self, chosen: Mapping[str, str]) -> None:
        """Give actions other keys than the designed ones; an action that loses its key to another one has none.

        Args:
            chosen: Keys, separated by `; `, by the id of the action.
        """
        self._chosen = dict(chosen)
        specs = []
        fixed: list[tuple[str, ActionSpec]] = []
        for spec in self._specs.values():
            if spec.has_fixed_key:
                fixed.extend((_text(key), spec) for key in spec.keys)
            else:
                specs.append(spec)
        taken: list[tuple[str, ActionSpec]] = []
        for spec in specs:
            if spec.id in chosen:
                keys = _free_keys(_texts(chosen[spec.id]), spec, fixed + taken)
                taken.extend((key, spec) for key in keys)
                self._set_shortcut(spec, "; ".join(keys))
        for spec in specs:
            if spec.id not in chosen:
                shortcut = self._designed[spec.id]
                designed = _texts(shortcut)
                keys = _free_keys(designed, spec, taken)
                if keys != designed:
                    shortcut = "; ".join(keys)
                self._set_shortcut(spec, shortcut)
        self._place_shortcuts()
        self.keys_changed.emit()

    def _set_shortcut(self, spec: ActionSpec, shortcut: str) -> None:
        if shortcut != spec.shortcut:
            self._specs[spec.id] = spec._replace(shortcut=shortcut)
            self._show_texts(self._specs[spec.id])

    def add_pane(self, name: str, pane: QWidget) -> None:
        """Let keys that were chosen for actions of a pane act in it."""
        self._panes[name] = pane
        self._place_shortcuts()

    def _place_shortcuts(self) -> None:
        """Make shortcuts for chosen keys of panes, and for designed ones that are free, which do nothing then.

        Panes handle the designed keys of their actions themselves; a shortcut takes its key before the pane does.
        """
        for shortcut in self._shortcuts:
            shortcut.setEnabled(False)  # at once, and not only when it is deleted
            shortcut.deleteLater()
        self._shortcuts.clear()
        for spec in self._specs.values():
            if spec.context != "pane" or spec.id not in self._chosen or spec.has_fixed_key:
                continue
            places = [pane for name, pane in self._panes.items() if name in spec.places] or [self._window]
            for key in QKeySequence.listFromString(self._designed[spec.id]):
                if _holder_of(key, spec, self.present) is None:
                    self._add_shortcuts(key, places, _do_nothing)
            if spec.places & self._panes.keys():
                for key in spec.keys:
                    self._add_shortcuts(key, places, partial(self.run, spec.id))

    def _add_shortcuts(self, key: QKeySequence, places: Sequence[QWidget], action: Callable[[], object]) -> None:
        for place in places:
            shortcut = QShortcut(key, place)
            if place is not self._window:
                shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(action)
            self._shortcuts.append(shortcut)

    def holder_of(self, key: QKeySequence, wants: ActionSpec) -> ActionSpec | None:
        """Return the action that has a key where another one would act by it; None where it is free."""
        self.complete()
        return _holder_of(key, wants, self.present)

    def designed_keys(self, name: str) -> str:
        """Return the keys of an action where no others are chosen."""
        return self._designed[self.spec(name).id]

    def keys_with(self, name: str, keys: str) -> dict[str, str]:
        """Return the chosen keys after an action is given other ones, which are taken from the actions that have them.

        Args:
            name: The id of the action.
            keys: Its new keys, separated by `; `; empty: none.
        """
        chosen = self.chosen_keys
        wanted = QKeySequence.listFromString(keys)
        for spec in self:
            left = [key for key in spec.keys if key not in wanted]
            if spec.id != name and spec.clashes(self._specs[name]) and len(left) < len(spec.keys):
                chosen[spec.id] = "; ".join(_text(key) for key in left)
        chosen[name] = keys
        return {action: shortcut for action, shortcut in chosen.items() if shortcut != self._designed.get(action)}

    def letter_of(self, pressed: Qt.Key) -> str | None:
        """Return the action of a key, of those that act where no pane has taken the key as text, or None."""
        key = QKeySequence(pressed)
        for spec in self:
            acts_anywhere = spec.context == "pane" and not spec.places
            if acts_anywhere and key in spec.keys and spec.id not in self._chosen:
                return spec.id
        return None

    def _take_keys(self, spec: ActionSpec) -> None:
        """Reserve the designed keys of the window; raises ValueError where another action has one."""
        if spec.context == "pane":
            return
        for key in spec.keys:
            text = _text(key)
            if text in self._keys:
                raise ValueError(f"{self._keys[text]} and {spec.id} have the same key.")
            self._keys[text] = spec.id

    def _make_action(self, spec: ActionSpec) -> QAction:
        action = QAction(self)
        action.setObjectName(spec.id)
        if spec.role is not None:
            action.setMenuRole(spec.role)
        if spec.icon:
            action.setIcon(self._icons.icon(spec.icon))
        if spec.is_checkable:
            action.setCheckable(True)
            # In a menu a tick shows that it is on; an icon in its place would show it by its colour alone.
            action.setIconVisibleInMenu(False)
        action.triggered.connect(lambda on: self._run(spec, on))
        self._actions[spec.id] = action
        self._show_texts(spec)
        return action

    def _show_texts(self, spec: ActionSpec) -> None:
        """Set the text, the tooltip and the keys of an action by its specification and what it would be done to."""
        action = self._actions[spec.id]
        text = spec.text
        tooltip = spec.tooltip or spec.plain_text
        what = self._objects.get(spec.id)
        if what:
            short = what
            if len(what) > _LONGEST_NAME:
                short = f"{what[:_LONGEST_NAME]}…"
            text = say("{action} {what}", action=spec.text, what=short.replace("&", "&&"))
            tooltip = say("{action} {what}", action=spec.plain_text, what=what)
        is_shortcut = spec.context == "window" or (spec.id in self._chosen and not spec.places)
        if is_shortcut:
            action.setShortcuts(spec.keys)
        else:
            action.setShortcuts([])
            if spec.shortcut:
                text = f"{text}\t{spec.key_text}"  # shown in the menu, and handled by the pane
        if spec.key_text:
            tooltip = f"{tooltip} ({spec.key_text})"
        action.setText(text)
        action.setIconText(spec.short_text or spec.plain_text)
        action.setToolTip(tooltip)

    def _run(self, spec: ActionSpec, on: bool) -> None:
        if spec.checked is not None:
            spec.handler(not spec.checked())
        elif spec.checkable:
            spec.handler(on)
        else:
            spec.handler()
        self.ran.emit(spec.id)
        self.refresh_soon()


@cache
def _keys(shortcut: str) -> tuple[QKeySequence, ...]:
    if shortcut:
        return tuple(QKeySequence.listFromString(shortcut))
    return ()


def _text(key: QKeySequence) -> str:
    return key.toString(QKeySequence.SequenceFormat.PortableText)


def _texts(shortcut: str) -> list[str]:
    return [_text(key) for key in QKeySequence.listFromString(shortcut)]


def _free_keys(wanted: Sequence[str], spec: ActionSpec, taken: Sequence[tuple[str, ActionSpec]]) -> list[str]:
    """Return the keys that an action wants and that no other one has where it acts."""
    clashing = {key for key, other in taken if spec.clashes(other)}
    return [key for key in dict.fromkeys(wanted) if key and key not in clashing]


def _holder_of(key: QKeySequence, wants: ActionSpec, specs: Sequence[ActionSpec]) -> ActionSpec | None:
    for spec in specs:
        if key in spec.keys and spec.clashes(wants):
            return spec
    return None


def _do_nothing() -> None:
    pass
