"""Making the recording one of another release, with a look at what cannot be carried before.

What is lost, and what it is made of, is `edits.convert`'s business.
"""

import shlex
from collections.abc import Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from ...edits.convert import (
    Conversion,
    Loss,
    Preview,
    Renaming,
    convert,
    is_lossy,
    preview,
    warning,
    with_blueprints_of,
)
from ...edits.convert.renaming import Change
from ...format import DIALECTS
from ...texts import say
from ...views.command_words import schema_words
from ..session import Session
from ..style.boxes import keep_room
from ..style.theme import Theme
from ..widgets import ChoiceEdit, Label
from .fields import FieldSpec, dialect_titles
from .preview import PreviewDialog
from .widgets import NumbersTable, table_item

_SUBSTITUTE = 2
"""The column of substitutes."""


class ConvertDialog(PreviewDialog):
    """Chooses a dialect, shows what would be lost, and converts: one step that can be undone."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, "convertDialog", parent)
        self.snapshot = snapshot = session.snapshot_or_refuse()
        self.losses: tuple[Loss, ...] | None = None
        self.renaming: Renaming | None = None
        self.substitutes: dict[str, str] = {}
        self.boxes: dict[str, ChoiceEdit] = {}
        words = say("Current dialect: {title}, {name}", title=snapshot.dialect.title, name=snapshot.dialect.name)
        self.say(say("Convert"), say("Convert to another release"), words)
        self.names = tuple(name for name in DIALECTS if name != snapshot.dialect.name)
        titles = dialect_titles(self.names)
        field = FieldSpec("dialect", say("Dialect"), "choice", self._nearest(), choices=titles, width=0)
        self.choice = self.form.add_field(field)
        keep = say("Keep blueprints and uids")
        tip = say("Leave them as they were recorded, whatever the release makes of them")
        self.form.add_field(FieldSpec("keep_blueprints", keep, "check", False, tip=tip))
        self.form.changed.connect(self._choose_again)
        lost = say("Changes and losses")
        columns = (lost, say("First frame"), say("Substitute"))
        self.list = NumbersTable(theme, lost, columns, (90, 230))
        self.list.setHorizontalHeaderItem(_SUBSTITUTE, table_item(columns[_SUBSTITUTE]))
        self.caution = Label(theme, "", "small", wraps=True)
        self.place(self.stack(self.list, 180), self.caution)
        self.all_nearest = self.add_button(say("Nearest for all"), self.take_nearest, left=True)
        tip = say("The nearest of its class stands in for every blueprint that the release does not have")
        self.all_nearest.setToolTip(tip)
        keep_room(self.all_nearest)
        self.add_answers(say("Convert"), self.convert)
        self.keep_width(self.go, say("Convert with loss"))
        self.resize(theme.px(900), self.minimumHeight())
        self.update_preview()

    def _nearest(self) -> int:
        """The dialect after the present one, or the newest."""
        order = tuple(DIALECTS)
        following = order.index(self.snapshot.dialect.name) + 1
        if following < len(order):
            return self.names.index(order[following])
        return len(self.names) - 1

    @property
    def dialect(self) -> str:
        """The name of the dialect that is chosen."""
        return self.names[int(self.form.values["dialect"])]

    def command_line(self) -> str:
        """The command that does the same."""
        path = self.session.path
        out = f"{path.stem}-{self.dialect}{path.suffix}"
        words = ["recorder-editor", "convert", path.name, out, "--write-as", self.dialect]
        if self.form.values["keep_blueprints"]:
            words.append("--keep-blueprints")
        if self.substitutes and self.substitutes == self._nearest_ones():
            words.append("--substitute")
        else:
            words += [f"--substitute={old}={new}" for old, new in self.substitutes.items()]
        words += schema_words(path, self.snapshot)
        return shlex.join(words)

    def _choose_again(self, _name: str) -> None:
        """Look anew; other substitutes may be chosen for another dialect."""
        self.substitutes = {}
        self.update_preview()

    def update_preview(self) -> None:
        """Look at what would be lost."""
        snapshot = self.snapshot
        name = self.dialect
        self.command.say(self.command_line())
        self.job_panel.show_sentence("")
        caution = warning(snapshot, DIALECTS[name])
        self.caution.setText(caution)
        self.caution.setVisible(bool(caution))
        self.make_room()
        self.losses = None
        self.show_words(say("Computing..."))
        work = partial(preview, snapshot, name, **self._options())
        self.preview(say("Computing losses"), work, self._show)

    def _options(self) -> dict[str, Any]:
        """What is chosen, as arguments of `convert`."""
        return {"keep_blueprints": self.form.values["keep_blueprints"], "substitutes": dict(self.substitutes)}

    def _show(self, result: Preview) -> None:
        self.renaming = result.renaming
        self._show_losses(result.losses)

    def _show_losses(self, losses: tuple[Loss, ...]) -> None:
        self.losses = losses
        rows = []
        for loss in losses:
            first_frame = ""
            if loss.frame_index is not None:
                first_frame = f"{loss.frame_index + 1:,}"
            rows.append((loss.message, first_frame))
        self.list.show_rows(rows)
        for row, loss in enumerate(losses):
            icon = self.theme.icons.icon("info", "muted")
            word = say("Changed")
            if loss.is_lossy:
                icon = self.theme.icons.icon("warning", "warning")
                word = say("Lost")
            item = self.list.item(row, 0)
            if item is not None:
                item.setIcon(icon)
                item.setToolTip(say("{word}: {message}", word=word, message=loss.message))
                item.setData(Qt.ItemDataRole.AccessibleTextRole, item.toolTip())
        self._place_boxes(losses)
        detail = say("Converting back gives the same recording, byte for byte")
        self.show_words(say("Nothing is lost"), detail, "checks", "fine")
        if losses:
            self.show_view()
        if is_lossy(losses):
            self.go.setText(say("Convert with loss"))
        else:
            self.go.setText(say("Convert"))

    # --- substitutes ------------------------------------------------------------------------------------

    def _place_boxes(self, losses: Sequence[Loss]) -> None:
        """Put a choice of substitutes beside each blueprint that the release does not have."""
        focused = ""
        for name, box in self.boxes.items():
            if box.hasFocus():
                focused = name
        self.boxes = {}
        missing = self._missing()
        for row, loss in enumerate(losses):
            if loss.kind == "blueprint" and loss.blueprint in missing:
                names = missing[loss.blueprint].alternatives
                if names:
                    self._place_box(row, loss, names)
        self.list.setColumnHidden(_SUBSTITUTE, not self.boxes)
        self.all_nearest.setVisible(bool(self.boxes))
        if focused in self.boxes:
            self.boxes[focused].setFocus()

    def _place_box(self, row: int, loss: Loss, names: Sequence[str]) -> None:
        """Put a choice of these blueprints into a row; its first entry is that the blueprint stays."""
        texts = {0: say("None: it stays")}
        texts.update(enumerate(names, 1))
        name = say("Substitute for {blueprint}", blueprint=loss.blueprint)
        box = ChoiceEdit(self.theme, texts, numbers=False, name=name)
        box.set_value(names.index(loss.becomes) + 1 if loss.becomes in names else 0)
        box.committed.connect(partial(self._substitute, loss.blueprint, names))
        self.list.setCellWidget(row, _SUBSTITUTE, box)
        self.list.setRowHeight(row, box.sizeHint().height())
        self.boxes[loss.blueprint] = box

    def _substitute(self, blueprint: str, names: Sequence[str], number: str) -> None:
        """Let a blueprint stand in for another one, or none (0)."""
        chosen = int(number)
        self.substitutes.pop(blueprint, None)
        if chosen:
            self.substitutes[blueprint] = names[chosen - 1]
        self._look_at_blueprints()

    def _nearest_ones(self) -> dict[str, str]:
        """Return the nearest blueprint for each that the release does not have."""
        nearest = {}
        for name, blueprint in self._missing().items():
            if blueprint.alternatives:
                nearest[name] = blueprint.alternatives[0]
        return nearest

    def _missing(self) -> dict[str, Change]:
        """The blueprints that the release does not have, by name."""
        if self.renaming is None:
            return {}
        return self.renaming.missing

    def take_nearest(self) -> None:
        """Let the nearest of its class stand in for each blueprint that the release does not have."""
        self.substitutes = self._nearest_ones()
        self._look_at_blueprints()

    def _look_at_blueprints(self) -> None:
        """Show what becomes of blueprints; the packets were looked at, and stay the same."""
        assert self.losses is not None
        self.renaming = Renaming(self.snapshot, DIALECTS[self.dialect], self.substitutes)
        self.command.say(self.command_line())
        self._show_losses(with_blueprints_of(self.losses, self.renaming))

    def show_refusal(self, error: Exception) -> None:
        """Say why it cannot be converted."""
        self.job_panel.refuse(error)
        self.show_words(say("This cannot be converted"), "", "error", "error")

    def convert(self) -> None:
        """Convert, as a job; the dialog goes when it is done."""
        name = self.dialect
        work = partial(convert, self.snapshot, name, **self._options())

        def done(conversion: Conversion) -> None:
            self.session.editing.apply(conversion.edit)
            self.accept()

        self.run(say("Converting to {name}", name=name), work, done)
