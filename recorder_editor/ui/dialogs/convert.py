"""Making the recording one of another release, with a look at what cannot be carried before.

What is lost, and what it is made of, is `edits.convert`'s business.
"""

import shlex
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from ...edits.convert import Conversion, Loss, convert, is_lossy, preview_losses, warning
from ...format import DIALECTS
from ..language import put
from ..session import Session
from ..theme import Theme
from ..widgets import Label
from .fields import FieldSpec, dialect_titles
from .preview import PreviewDialog
from .widgets import NumbersTable


class ConvertDialog(PreviewDialog):
    """Chooses a dialect, shows what would be lost, and converts: one step that can be undone."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, "convertDialog", parent)
        self.snapshot = snapshot = session.snapshot_or_refuse()
        self.losses: tuple[Loss, ...] | None = None
        words = put(self.tr("Current dialect: %1, %2"), snapshot.dialect.title, snapshot.dialect.name)
        self.say(self.tr("Convert"), self.tr("Convert to another release"), words)
        self.names = tuple(name for name in DIALECTS if name != snapshot.dialect.name)
        titles = dialect_titles(self.names)
        field = FieldSpec("dialect", self.tr("Dialect"), "choice", self._nearest(), choices=titles, width=0)
        self.choice = self.form.add_field(field)
        self.form.changed.connect(self.look)
        lost = self.tr("Changes and losses")
        self.list = NumbersTable(theme, lost, (lost, self.tr("First frame")), (90,))
        self.caution = Label(theme, "", "small", wraps=True)
        self.place(self.stack(self.list, 180), self.caution)
        self.add_answers(self.tr("Convert"), self.convert)
        self.resize(theme.px(640), self.minimumHeight())
        self.look()

    def _nearest(self) -> int:
        """The dialect after the present one, or the newest."""
        order = tuple(DIALECTS)
        following = order.index(self.snapshot.dialect.name) + 1
        return self.names.index(order[following]) if following < len(order) else len(self.names) - 1

    @property
    def dialect(self) -> str:
        """The name of the dialect that is chosen."""
        return self.names[int(self.form.values["dialect"])]

    def command_line(self) -> str:
        """The command that does the same."""
        path = self.session.path
        out = f"{path.stem}-{self.dialect}{path.suffix}"
        return shlex.join(["recorder-editor", "convert", path.name, out, "--dialect", self.dialect])

    def look(self, _name: str = "") -> None:
        """Look at what would be lost."""
        snapshot, name = self.snapshot, self.dialect
        self.command.say(self.command_line())
        self.job_panel.tell("")
        caution = warning(snapshot, DIALECTS[name])
        self.caution.setText(caution)
        self.caution.setVisible(bool(caution))
        self.make_room()
        self.losses = None
        self.show_words(self.tr("Computing..."))

        self.preview(self.tr("Computing losses"), partial(preview_losses, snapshot, name), self._show)

    def _show(self, losses: tuple[Loss, ...]) -> None:
        self.losses = losses
        frames = (loss.frame_index for loss in losses)
        texts = [f"{index + 1:,}" if index is not None else "" for index in frames]
        self.list.show_rows([(loss.message, text) for loss, text in zip(losses, texts, strict=True)])
        for row, loss in enumerate(losses):
            sign, color, word = ("info", "muted", self.tr("Changed"))
            if loss.is_lossy:
                sign, color, word = ("warning", "warning", self.tr("Lost"))
            if (what := self.list.item(row, 0)) is not None:
                what.setIcon(self.theme.icons.icon(sign, color))
                what.setToolTip(put(self.tr("%1: %2"), word, loss.message))
                what.setData(Qt.ItemDataRole.AccessibleTextRole, what.toolTip())
        detail = self.tr("Converting back gives the same recording, byte for byte")
        self.show_words(self.tr("Nothing is lost"), detail, "checks", "fine")
        if losses:
            self.show_view()
        self.go.setText(self.tr("Convert with loss") if is_lossy(losses) else self.tr("Convert"))

    def show_refusal(self, error: Exception) -> None:
        """Say why it cannot be converted."""
        self.job_panel.refuse(error)
        self.show_words(self.tr("This cannot be converted"), "", "error", "error")

    def convert(self) -> None:
        """Convert, as a job; the dialog goes when it is done."""
        name = self.dialect

        def done(conversion: Conversion) -> None:
            self.session.editing.apply(conversion.edit)
            self.accept()

        self.run(self.tr("Converting to %1").replace("%1", name), partial(convert, self.snapshot, name), done)
