"""The Scene pane: the view, its switches, and its picture as a file."""

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QPaintDevice, QPainter
from PySide6.QtWidgets import QApplication, QMenu, QVBoxLayout, QWidget

from ....texts import display_width, say, wrap_lines
from ...session import Session
from ...session.clipboard import actor_forms
from ...session.color_rules import ColorRules
from ...session.player import Player
from ...session.preferences import FOLLOW_MODE, FOLLOWS_PLAYBACK, HINTS, IDS, OVERVIEW, ROADS, AnyPreference, IdsMode
from ...session.settings import Settings
from ...style.boxes import fill
from ...style.theme import Theme
from ...widgets import MenuChip, ToggleChip
from ...widgets.actions import Actions
from ...widgets.copied import Copied, copied_table
from ...widgets.menus import make_checkable
from ...widgets.pane import Pane
from .coloring import COLOR_BY, COLORINGS, ColorBy
from .copied_scene import scene_table
from .hint_row import HintRow
from .hints import ACTIONS as HINTED_ACTIONS
from .hints import KeyHint, cap_text, hints_of
from .mode_chips import ModeChips
from .modes import Mode
from .scene_view import SceneView
from .state import actor_at
from .step_toast import StepToast

_SMALL = 320  # pixels
_LINE = 60  # letters of a menu


class ScenePane(Pane):
    """The view from above, and its switches.

    Attributes:
        view: The view from above.
        modes: The chips of the modes.
        hints: The row of hints below the view.
        clicked_place: Where the open menu was asked for, m; None without one.
        toast: The line that tells each step of editing.
    """

    edits_selection = True
    clicked_place: tuple[float, float] | None = None

    def __init__(
        self, session: Session, theme: Theme, player: Player, settings: Settings, actions: Actions | None = None
    ) -> None:
        """Make the pane.

        Args:
            session: The session.
            theme: The theme.
            player: Playback, which begins to follow an actor.
            settings: The preferences.
            actions: The actions of which there are hints; None: there are hints of the mouse alone.
        """
        super().__init__(session, theme)
        self.view = SceneView(session, theme)
        self.view.caption_changed.connect(self._show_caption)
        self._show_caption(self.view.caption)
        self._settings = settings
        self._player = player
        self._take_preferences()
        self.view.street_caption.clicked.connect(partial(self.action_asked.emit, "roads.choose"))
        settings.changed.connect(self._take_preference)
        player.changed.connect(self._follow_playback)
        self._make_switches()
        self._set_tips()
        self._show_packets_switch()
        session.opened.connect(self._show_packets_switch)
        self._compared = session.comparison.other
        self._update_roads_tip()
        session.roads.changed.connect(self._update_roads_tip)
        self._show_comparing()
        session.comparison.changed.connect(self._show_comparing)
        session.comparison.marked.connect(self._show_comparing)
        self.view.toggled.connect(self._show_switch)
        session.rule_colors.rules = ColorRules(settings.color_rules)
        self.view.set_color_by(settings[COLOR_BY])
        self._keep_preferences()
        self.keep("rules", lambda: list(settings.color_rules), self._use_rules, _are_texts)
        self.modes = ModeChips(theme)
        self.hints = HintRow(theme)
        self.switches = (self.modes, *self._chips.values())
        self.toast = self._lay_out(settings)
        self._actions = actions
        self._follow_situation()
        self.setFocusProxy(self.view)
        self.give(self.view, self.copied_actors, self.picture)
        self.offer_menu(self.view, self._menu)

    def _show_caption(self, text: str) -> None:
        self.set_caption(text, self.view.short_caption)

    def _make_switches(self) -> None:
        """Make the switches of the title, and keep with workspaces which are on."""
        self._chips: dict[str, ToggleChip] = {}
        for name, text, is_kept in (
            ("roads", say("Roads"), False),
            ("trails", say("Trails"), True),
            ("ids", say("Ids"), True),
            ("packets", say("Packets"), True),
            ("other", say("Other"), True),
            ("wipe", say("Wipe"), False),
            ("measure", say("Measure"), False),
            ("follow", say("Follow"), False),
            ("signs", say("Legend"), True),
        ):
            is_on = self.view.switches.get(name, False)
            chip: ToggleChip
            if name == "roads":
                chip = MenuChip(text, self._fill_roads_menu, is_on)
            elif name == "ids":
                chip = MenuChip(text, self._fill_ids_menu, is_on)
            else:
                chip = ToggleChip(text, is_on)
            chip.setObjectName(f"scene-{name}")
            if name == "follow":
                chip.clicked.connect(self.follow)
            elif name == "wipe":
                chip.clicked.connect(self._wipe)
            else:
                chip.clicked.connect(partial(self.view.switch, name))
            self._chips[name] = chip
            if is_kept:
                self.keep_switch(name, chip)
        self._show_legend_sign()

    def _take_preferences(self) -> None:
        self.view.follow_mode = self._settings[FOLLOW_MODE]
        self.view.set_roads(self._settings[ROADS])
        self.view.set_ids_mode(self._settings[IDS])
        self.view.show_overview(self._settings[OVERVIEW])

    def _keep_preferences(self) -> None:
        """Let what people prefer in the scene belong to workspaces."""
        preferences: tuple[AnyPreference, ...] = (ROADS, FOLLOW_MODE, COLOR_BY, IDS)
        for preference in preferences:
            name = preference.name.partition("/")[2]
            read = partial(self._settings.__getitem__, preference)
            choose = partial(self._settings.__setitem__, preference)
            self.keep(name, read, choose, preference.choices.__contains__)

    def _set_tips(self) -> None:
        """Give the switches their tooltips; that of the roads is another for each map."""
        tips = {
            "follow": say("Keep the selected actor, or else the hero, in view. Starts with playing; Esc ends it."),
            "other": say("The actors of the recording that this one is compared with"),
            "wipe": say("Both recordings, side by side at a line that can be dragged; X swaps the sides"),
            "packets": say("The places, gazes and beams that described packets hold"),
        }
        for name, tip in tips.items():
            self._chips[name].setToolTip(tip)

    def fit(self, *, closely: bool) -> None:
        self.view.show_opening(closely=closely)

    def _lay_out(self, settings: Settings) -> StepToast:
        """Lay out the view above the hints, and make the toast that lies over it."""
        fill(QVBoxLayout(self), (self.view, 1), self.hints, spacing=0)
        return StepToast(self.view, settings, self.action_asked.emit, self)

    def _show_legend_sign(self) -> None:
        """Show the switch of the legend as a sign alone: its word would take the room of the caption."""
        chip = self._chips["signs"]
        chip.set_sign(self.theme.icons.icon("help"))
        chip.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)

    def show_keys(self, keys: Mapping[str, str]) -> None:
        super().show_keys(keys)
        self.toast.show_keys(keys)
        tip = say("What the signs in view mean")
        if keys.get("scene.signs"):
            tip = f"{tip} ({keys['scene.signs']})"
        self._chips["signs"].setToolTip(tip)

    def color_by(self, by: ColorBy) -> None:
        """Fill actors by something; for rules, open the dialog that edits them."""
        if by != "rules":
            self._settings[COLOR_BY] = by
            return
        from ...dialogs.color_rules import RulesDialog

        dialog = RulesDialog(self.session, self.session.rule_colors.rules, self.theme, self.window())
        dialog.chosen.connect(self._color_by_rules)
        dialog.open_()

    def _color_by_rules(self, rules: ColorRules) -> None:
        self._use_rules(rules.lines)
        self._settings[COLOR_BY] = "rules"

    def _use_rules(self, lines: Sequence[str]) -> None:
        self._settings.put(Settings.color_rules, lines, before=self.session.rule_colors.rules.lines)
        self.session.rule_colors.show(ColorRules(lines), on=self.view.color_by == "rules")

    def follow(self, on: bool) -> None:
        """Follow the selected actor, or else the hero, now and while playing; or follow none."""
        self._settings[FOLLOWS_PLAYBACK] = on
        if on:
            self.view.follow_actor(self.view.to_follow)
        else:
            self.view.follow_actor(None)

    def _take_preference(self, changed: AnyPreference) -> None:
        if changed is FOLLOW_MODE:
            self.view.set_follow_mode(self._settings[FOLLOW_MODE])
        elif changed is FOLLOWS_PLAYBACK and self._player.is_playing:
            self.view.follow_actor(None)
            self._follow_playback()
        elif changed is ROADS and self.view.roads_mode != self._settings[ROADS]:
            self.view.set_roads(self._settings[ROADS])
        elif changed is OVERVIEW:
            self.view.show_overview(self._settings[OVERVIEW])
        elif changed is IDS:
            self.view.set_ids_mode(self._settings[IDS])
        elif changed is COLOR_BY:
            self.view.set_color_by(self._settings[COLOR_BY])
        elif changed is HINTS:
            self.hints.setVisible(self._settings[HINTS])
            self._show_hints()

    # --- modes and hints --------------------------------------------------------------------------------

    def _follow_situation(self) -> None:
        """Show the modes that are on, and the hints of each moment."""
        self._action_hints: dict[str, KeyHint] = {}
        self.modes.ended.connect(self._end_mode)
        self.hints.setVisible(self._settings[HINTS])
        if self._actions is not None:
            self._actions.refreshed.connect(self._take_actions)
            self._actions.keys_changed.connect(self._take_actions)
            self._take_actions()
        self.view.situation_changed.connect(self._show_situation)
        self._show_situation()

    def give_up(self) -> bool:
        """Give up what is dragged, or else end the innermost mode, as Esc does; return False where there is none."""
        return self.view.give_up()

    def hold(self, key: int, *, is_down: bool) -> None:
        """Note a key that another pane was given and left: hints follow its modifier while the pointer is here."""
        if self.view.box.pointer is not None:
            self.view.hold(key, is_down=is_down)

    def _end_mode(self, mode: Mode) -> None:
        focus: QWidget | None = QApplication.focusWidget()  # the stub leaves None out
        has_keyboard = focus is not None and self.modes.isAncestorOf(focus)
        mode.end(self.view)
        if has_keyboard:
            self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_situation(self) -> None:
        self.modes.show_modes(self.view.situation.modes)
        self._show_hints()

    def _show_hints(self) -> None:
        if not self.hints.isHidden():
            self.hints.show_hints(hints_of(self.view.situation, self._action_hints))

    def _take_actions(self) -> None:
        """Take over which of the actions with a hint can be done now, and their keys."""
        actions = self._actions
        assert actions is not None
        offered = {}
        for spec in actions.present:
            if spec.id in HINTED_ACTIONS and spec.hint and spec.keys and actions[spec.id].isEnabled():
                offered[spec.id] = KeyHint(cap_text(spec.key_text), spec.hint, spec.modifiers)
        if offered != self._action_hints:
            self._action_hints = offered
            self._show_hints()

    def _follow_playback(self) -> None:
        if self._player.is_playing and self._settings[FOLLOWS_PLAYBACK]:
            self.view.follow_playback()

    def _show_comparing(self) -> None:
        """Offer the switch of the other recording while there is one; it is on for each that is newly compared."""
        other = self.session.comparison.other
        if other is not None and other is not self._compared and not self.view.switches["other"]:
            self.view.switch("other", True)
        self._compared = other
        self._offer("other", other is not None)
        self._offer("wipe", other is not None)
        self._chips["wipe"].setChecked(self.session.comparison.is_wiping)
        self.changed.emit()

    def _wipe(self, on: bool) -> None:
        """Show both recordings side by side, or this one alone."""
        self.session.comparison.wipe(on=on)

    def _show_packets_switch(self) -> None:
        """Offer the switch of described packets while the recording has some with places or rays."""
        snapshot = self.session.snapshot
        self._offer("packets", snapshot is not None and bool(snapshot.dialect.kinds_in_scene))

    def _offer(self, name: str, is_offered: bool) -> None:
        """Show or hide a switch."""
        chip = self._chips[name]
        if not is_offered or chip.parentWidget() is not None:  # without a title around it, it would be a window
            chip.setVisible(is_offered)

    def _update_roads_tip(self) -> None:
        """Set the tip of the switch: which map it is, or where to get one."""
        self._chips["roads"].setToolTip(self.session.roads.description or say("The roads under the actors"))

    def _fill_roads_menu(self, menu: QMenu) -> None:
        """Offer what can lie under the actors, name the map, and offer others."""
        for mode, text in zip(ROADS.choices, ROADS.texts.choices.values(), strict=True):
            action = menu.addAction(say(text), partial(self.view.set_roads, mode))
            make_checkable(action, mode == self.view.roads_mode)
        menu.addSeparator()
        for line in wrap_lines(self.session.roads.description, lambda line: display_width(line) <= _LINE):
            menu.addAction(line.rstrip()).setEnabled(False)
        for name, text in (
            ("roads.choose", say("Choose a road map...")),
            ("roads.simulator", say("Get from running simulator")),
        ):
            menu.addAction(text, partial(self.action_asked.emit, name))

    def _fill_ids_menu(self, menu: QMenu) -> None:
        """Offer whose ids are shown."""
        for mode, text in zip(IDS.choices, IDS.texts.choices.values(), strict=True):
            action = menu.addAction(say(text), partial(self._choose_ids, mode))
            make_checkable(action, mode == self.view.ids_mode)

    def _choose_ids(self, mode: IdsMode) -> None:
        self._settings[IDS] = mode

    def _show_switch(self, name: str, on: bool) -> None:
        if name == "roads":
            self._settings[ROADS] = self.view.roads_mode
        chip = self._chips.get(name)
        if chip is not None and chip.isChecked() != on:
            chip.setChecked(on)
        self.changed.emit()

    # --- pictures ---------------------------------------------------------------------------------------

    def picture(self, scale: float = 2.0) -> QImage:
        """Return the scene as it is seen, with `scale` pixels for one of the screen."""
        image = QImage(self.view.viewport().size() * scale, QImage.Format.Format_ARGB32_Premultiplied)
        image.setDevicePixelRatio(scale)
        self._render(image)
        return image

    def picture_at(self, frame_index: int) -> QImage | None:
        """Return the visible part of the world in another frame, small; None while the scene is hidden."""
        if not self.view.isVisible():
            return None
        with self.view.showing(frame_index):
            return self.picture(_SMALL / self.view.viewport().width())

    def _render(self, device: QPaintDevice) -> None:
        """Draw all layers, in pixels of the view."""
        self.view.box.prepare_layers()
        painter = QPainter(device)
        pane = self.view.camera.pane
        self.view.scene().render(painter, pane, pane)
        painter.end()

    def copied_actors(self) -> Copied | None:
        """Return the selected actors, or all road users where none is, as a table with their values in the frame.

        Of one selected actor also the actor itself, which Paste adds to this or another recording.
        """
        view = self.view
        heads, rows = scene_table(view.state, self.session.actors, self.theme.units)
        lives = self.session.selection.lives
        more = {}
        if len(lives) == 1 and len(rows) == 1:
            more = actor_forms(self.session, lives[0])
        return copied_table(heads, rows, more)

    def _menu(self, point: QPoint) -> QMenu:
        """Make the menu of the actor under the pointer, or else the selected one, and of the picture."""
        menu = QMenu(self)
        actor = None
        if self.session.snapshot is not None:
            actor = actor_at(self.view.state, QPointF(point))
        if actor is None:
            actor = self.session.selection.actor
        elif actor not in self.session.selection.actors:
            self.session.selection.select_actor(actor)
        if actor is not None and self.view.can_follow(actor) and actor != self.view.followed:
            menu.addAction(say("Follow {actor}", actor=actor), lambda: self.view.follow_actor(actor))
        if self.view.followed is not None:
            menu.addAction(say("Stop following"), lambda: self.view.follow_actor(None))
        menu.addAction(say("Fit road users"), self.view.fit)
        colors = menu.addMenu(say("Colour by"))
        for by, (text, _) in COLORINGS.items():
            action = colors.addAction(say(text), partial(self.color_by, by))
            make_checkable(action, by == self.view.color_by)
        menu.addSeparator()
        self.offer_copies(menu, self.view)
        self.offer(menu, say("Export picture..."), partial(self.action_asked.emit, "file.picture"), "file.picture")
        self.clicked_place = self.view.camera.world(QPointF(point))
        menu.destroyed.connect(self._forget_place)  # after the action of the menu
        self.menu_asked.emit(menu)
        return menu

    def _forget_place(self) -> None:
        self.clicked_place = None


def _are_texts(values: Sequence[object]) -> bool:
    """Return whether all values that were kept are texts."""
    return all(type(value) is str for value in values)
