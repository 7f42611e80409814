"""The one registry of actions: what the program can do, by name, key, menu and sentence.

Menus, the toolbar, shortcuts, tooltips, the list under Ctrl+K and the table of keys are all read from here. Knows no
pane and no recording: whoever offers an action brings what it does and when it can.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from typing import Literal, NamedTuple

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from ...texts import say
from ..session.debounce import Debounce
from ..style.icons import Icons

_MS_WHILE_PLAYING = 100
_LONGEST_NAME = 60  # of what an action would be done to, in letters of a menu


class ActionSpec(NamedTuple):
    """One thing that can be done.

    Attributes: `id` ("file.open"), `text` (in menus: a verb), `handler` (called without arguments; a checkable one with
    the new state), `shortcut` (several parted by `; `), `icon`, `tooltip` (a sentence; the text where it is empty),
    `menu` ("File", "Recording/Road map"; empty: in no menu), `section` (of the menu; a line stands between two),
    `enabled` and `checked` (asked before it is shown), `needs` (a sentence what is missing while `enabled` is false,
    although a recording was read), `disabled_reason` (in place of both: a sentence why it cannot be done now, empty
    where it can), `what` (asked for what it would be done to, which its menu and tooltip name), `checkable` (also where
    `checked` is given), `context` ("pane": the pane itself takes the key, and it is shown only), `keywords` (it is
    found by them, too), `where` (the names of the panes in which its key acts; empty: everywhere), `where_text` (their
    titles), `role` (the entry of macOS's own menu that it is).
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
    what: Callable[[], str] | None = None

    @property
    def is_checkable(self) -> bool:
        """It is on or off."""
        return self.checkable or self.checked is not None

    def reason(self) -> str | None:
        """Why it cannot be done now, without words where only a recording is missing; None where it can."""
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
        """Its key cannot be changed: Bytes takes keys as it takes text."""
        return "bytes" in self.places

    def clashes(self, other: "ActionSpec") -> bool:
        """There is a pane in which the keys of both act."""
        return not self.places or not other.places or bool(self.places & other.places)

    @property
    def key_text(self) -> str:
        """Its first shortcut as the system writes it; empty without one."""
        if self.keys:
            return self.keys[0].toString(QKeySequence.SequenceFormat.NativeText)
        return ""

    @property
    def plain_text(self) -> str:
        """The text without its accelerator and its dots."""
        return self.text.replace("&", "").removesuffix("...").removesuffix("…")


class Actions(QObject):
    """The actions of one window. Iterating gives the specifications, in the order they were added.

    Some may be added when they are asked for: until then they are in no menu, and their keys do nothing.

    Signals: `added(list)` (the specifications of further actions), `keys_changed`, `ran(str)` (somebody used the action
    of that id).
    """

    added = Signal(list)
    keys_changed = Signal()
    ran = Signal(str)

    def __init__(self, window: QWidget, icons: Icons, not_ready_reason: Callable[[], str] = str) -> None:
        """`not_ready_reason`: a sentence why nothing can be done with a recording; empty where one was read."""
        super().__init__(window)
        self._unready = not_ready_reason
        self._window = window
        self._icons = icons
        self._specs: dict[str, ActionSpec] = {}
        self._designed: dict[str, str] = {}  # keys by action
        self._chosen: dict[str, str] = {}
        self._panes: dict[str, QWidget] = {}
        self._shortcuts: list[QShortcut] = []
        self._keys: dict[str, str] = {}  # of the window, as designed: what has them
        self._actions: dict[str, QAction] = {}
        self._named: dict[str, str] = {}  # what actions would be done to, as they show it
        self._later: tuple[int, Callable[[], list[ActionSpec]]] | None = None
        self._soon = Debounce(self, self.refresh, 0)

    def __iter__(self) -> Iterator[ActionSpec]:
        self.complete()
        return iter(self.present)

    def __getitem__(self, name: str) -> QAction:
        return self._actions[self.spec(name).id]

    def __contains__(self, name: str) -> bool:
        return any(name == spec.id for spec in self)

    def spec(self, name: str) -> ActionSpec:
        """The specification of an action; KeyError for an unknown one."""
        if name not in self._specs:
            self.complete()
        return self._specs[name]

    @property
    def present(self) -> tuple[ActionSpec, ...]:
        """The specifications that were added until now."""
        return tuple(self._specs.values())

    def add(self, *specs: ActionSpec) -> None:
        """Take actions in; raises ValueError where an id is taken, or two actions share a key of the window."""
        for spec in specs:
            if spec.id in self._specs:
                raise ValueError(f"There is an action {spec.id} already.")
            self._take_keys(spec)
            self._specs[spec.id] = spec
            self._designed[spec.id] = spec.shortcut
            self._actions[spec.id] = self._made(spec)
        self.choose_keys(self._chosen)
        self.refresh()
        self.added.emit(list(specs))

    def add_later(self, at: int, make: Callable[[], list[ActionSpec]]) -> None:
        """Have further actions behind the first `at` ones, made when one or all of them are asked for."""
        self._later = at, make

    def complete(self) -> None:
        """Add what was to be added later."""
        if self._later is not None:
            (at, make), self._later = self._later, None
            before = list(self._specs)
            self.add(*make())
            order = [*before[:at], *(name for name in self._specs if name not in before), *before[at:]]
            self._specs = {name: self._specs[name] for name in order}

    def reason(self, name: str) -> str | None:
        """Why an action cannot be done now; None where it can."""
        spec = self.spec(name)
        reason = spec.reason()
        if reason is None or spec.disabled_reason is not None:
            return reason
        return self._unready() or reason

    def is_enabled(self, name: str) -> bool:
        """It can be done now."""
        return self.spec(name).reason() is None

    def run(self, name: str) -> None:
        """Do it, as a click would; nothing happens while it cannot be done."""
        if self.is_enabled(name):
            self._actions[name].setEnabled(True)
            self._actions[name].trigger()

    def refresh(self) -> None:
        """Ask every action whether it can be done and is on."""
        for name, spec in self._specs.items():
            action = self._actions[name]
            reason = self.reason(name)
            action.setEnabled(reason is None)
            action.setStatusTip(reason or "")
            if spec.checked is not None:
                action.setChecked(spec.checked())
            if spec.what is not None:
                what = spec.what()
            else:
                what = ""
            if what != self._named.get(name, ""):
                self._named[name] = what
                self._show_keys(spec)

    def refresh_soon(self) -> None:
        """The same when the present events are through: several reasons, one look."""
        if not self._soon.isActive():
            self._soon.start()

    def set_playing(self, is_playing: bool) -> None:
        """Look now, and while frames are played ten times a second, not at every frame."""
        self._soon.setInterval(_MS_WHILE_PLAYING if is_playing else 0)
        self.refresh()

    # --- keys -------------------------------------------------------------------------------------------

    @property
    def chosen_keys(self) -> dict[str, str]:
        """The keys that differ from the designed ones, by the id of the action."""
        return dict(self._chosen)

    def choose_keys(self, chosen: Mapping[str, str]) -> None:
        """Give actions other keys than those they were designed with; an action that loses its key to one has none."""
        self._chosen = dict(chosen)
        rivals = [(_text(key), spec) for spec in self._specs.values() if spec.has_fixed_key for key in spec.keys]
        fixed = len(rivals)
        for spec in sorted(self._specs.values(), key=lambda spec: spec.id not in chosen):
            if spec.has_fixed_key:
                continue
            is_chosen = spec.id in chosen
            designed = self._designed[spec.id]
            wanted = []
            for key in QKeySequence.listFromString(chosen.get(spec.id, designed)):
                wanted.append(_text(key))
            if is_chosen:
                others = rivals
            else:
                others = rivals[fixed:]
            taken = {key for key, other in others if spec.clashes(other)}
            keys = [key for key in dict.fromkeys(wanted) if key and key not in taken]
            rivals += [(key, spec) for key in keys if is_chosen]
            if not is_chosen and keys == wanted:
                shortcut = designed
            else:
                shortcut = "; ".join(keys)
            if shortcut != spec.shortcut:
                self._specs[spec.id] = spec._replace(shortcut=shortcut)
                self._show_keys(self._specs[spec.id])
        self._place_shortcuts()
        self.keys_changed.emit()

    def add_pane(self, name: str, pane: QWidget) -> None:
        """Let keys that were chosen for actions of this pane act in it."""
        self._panes[name] = pane
        self._place_shortcuts()

    def _place_shortcuts(self) -> None:
        """Panes know the designed keys of their actions: others are put before them, and free ones do nothing."""
        for shortcut in self._shortcuts:
            shortcut.setEnabled(False)  # at once, and not only when it is deleted
            shortcut.deleteLater()
        self._shortcuts.clear()
        for spec in self._specs.values():
            if spec.context != "pane" or spec.id not in self._chosen or spec.has_fixed_key:
                continue
            places = [pane for name, pane in self._panes.items() if name in spec.places] or [self._window]
            for key in QKeySequence.listFromString(self._designed[spec.id]):
                if not any(key in other.keys and spec.clashes(other) for other in self._specs.values()):
                    self._shortcuts += [self._shortcut(key, place, bool) for place in places]  # does nothing
            if spec.places & self._panes.keys():
                run = partial(self.run, spec.id)
                self._shortcuts += [self._shortcut(key, place, run) for key in spec.keys for place in places]

    def _shortcut(self, key: QKeySequence, place: QWidget, does: Callable[[], object]) -> QShortcut:
        shortcut = QShortcut(key, place)
        if place is not self._window:
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(does)
        return shortcut

    def holder_of(self, key: QKeySequence, wants: ActionSpec) -> ActionSpec | None:
        """The action that has a key where another one would act by it; None where it is free."""
        return next((spec for spec in self if key in spec.keys and spec.clashes(wants)), None)

    def designed_keys(self, name: str) -> str:
        """The keys of an action where no others are chosen."""
        return self._designed[self.spec(name).id]

    def keys_with(self, name: str, keys: str) -> dict[str, str]:
        """The chosen keys after an action was given these (empty: none), taken from the actions that have them."""
        chosen = self.chosen_keys
        wanted = QKeySequence.listFromString(keys)
        for spec in self:
            left = [key for key in spec.keys if key not in wanted]
            if spec.id != name and spec.clashes(self._specs[name]) and len(left) < len(spec.keys):
                chosen[spec.id] = "; ".join(map(_text, left))
        chosen[name] = keys
        return {each: keys for each, keys in chosen.items() if keys != self._designed.get(each)}

    def letter_of(self, pressed: Qt.Key) -> str | None:
        """The action of a key, of those that act where no pane has taken the key as text."""
        key = QKeySequence(pressed)
        letters = (spec for spec in self if spec.context == "pane" and not spec.places)
        return next((spec.id for spec in letters if key in spec.keys and spec.id not in self._chosen), None)

    def _take_keys(self, spec: ActionSpec) -> None:
        if spec.context == "pane":
            return
        for key in spec.keys:
            text = _text(key)
            if text in self._keys:
                raise ValueError(f"{self._keys[text]} and {spec.id} have the same key.")
            self._keys[text] = spec.id

    def _made(self, spec: ActionSpec) -> QAction:
        action = QAction(self)
        action.setObjectName(spec.id)
        if spec.role is not None:
            action.setMenuRole(spec.role)
        if spec.icon:
            action.setIcon(self._icons.icon(spec.icon))
        if spec.is_checkable:
            action.setCheckable(True)
            # In a menu a tick says that it is on; an icon in its place would say it by its colour alone.
            action.setIconVisibleInMenu(False)
        action.triggered.connect(lambda on: self._run(spec, on))
        self._window.addAction(action)
        self._actions[spec.id] = action
        self._show_keys(spec)
        return action

    def _show_keys(self, spec: ActionSpec) -> None:
        """Let the action have the keys of its specification, in its tooltip and menu, too."""
        action = self._actions[spec.id]
        is_shortcut = spec.context == "window" or (spec.id in self._chosen and not spec.places)
        text = spec.text
        sentence = spec.tooltip or spec.plain_text
        if what := self._named.get(spec.id):
            if len(what) <= _LONGEST_NAME:
                short = what
            else:
                short = f"{what[:_LONGEST_NAME]}…"
            text = say("{action} {what}", action=spec.text, what=short.replace("&", "&&"))
            sentence = say("{action} {what}", action=spec.plain_text, what=what)
        action.setText(text if is_shortcut or not spec.shortcut else f"{text}\t{spec.key_text}")
        action.setIconText(spec.plain_text)
        action.setShortcuts(spec.keys if is_shortcut else [])
        action.setToolTip(f"{sentence} ({spec.key_text})" if spec.key_text else sentence)

    def _run(self, spec: ActionSpec, on: bool) -> None:
        if spec.is_checkable:
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
