"""What the dialogs for pictures and videos of the scene share: the picture, and what is taken from the window."""

from abc import abstractmethod
from collections.abc import Mapping

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton

from ...texts import say
from ..style.theme import Theme
from ..widgets.base import ThemedWidget
from .preview import PreviewDialog


class PictureView(ThemedWidget):
    """Shows a picture as large as there is room, never larger than it is."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__(theme)
        self._image = QImage()
        self.setAccessibleName(name)
        self.setMinimumSize(theme.px(320), theme.px(180))

    def sizeHint(self) -> QSize:
        return QSize(self.theme.px(480), self.theme.px(270))

    def show_image(self, image: QImage) -> None:
        """Show another picture."""
        self._image = image
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._image.isNull():
            return
        ratio = self.devicePixelRatioF()
        room = (self.size() * ratio).boundedTo(self._image.size())
        shown = self._image.scaled(room, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)
        size = shown.size() / ratio
        place = QRectF(0, 0, size.width(), size.height())
        place.moveCenter(QRectF(self.rect()).center())
        painter = QPainter(self)
        painter.drawImage(place, shown)
        painter.setPen(self.theme.palette.edge)
        painter.drawRect(place.adjusted(0, 0, -1, -1))


class SceneExportDialog(PreviewDialog):
    """Chooses what is in view of a picture or a video.

    Attributes:
        selected: Follows the actor that is selected in the window.
        seen: Takes over what the scene shows.
    """

    def make_view_buttons(self, place: str, *, shows_scene: bool) -> Mapping[str, QPushButton]:
        """Make the buttons beside fields, by the names of their options.

        Args:
            place: The name of the option for the place in view.
            shows_scene: The scene shows something that can be taken over.
        """
        self._place = place
        self.selected = QPushButton(say("Selected"))
        self.selected.setToolTip(say("The actor that is selected in the window"))
        self.selected.setVisible(self.session.selection.actor is not None)
        self.selected.clicked.connect(self._take_selected)
        self.seen = QPushButton(say("As in the scene"))
        self.seen.setToolTip(say("What the scene shows now"))
        self.seen.setVisible(shows_scene)
        self.seen.clicked.connect(self._take_seen)
        return {"follow": self.selected, place: self.seen}

    def _take_selected(self) -> None:
        self.form.set_value("follow", str(self.session.selection.actor))
        self.form.set_value(self._place, "")
        self.on_change()

    def _take_seen(self) -> None:
        self.form.set_value("follow", "")
        self.take_view()
        self.on_change()

    @abstractmethod
    def take_view(self) -> None:
        """Put what the scene shows into the fields."""
