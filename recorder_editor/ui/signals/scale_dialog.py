"""A fixed range for the y axis of a lane: two numbers."""

from PySide6.QtWidgets import QWidget

from ..dialogs.base import BaseDialog
from ..dialogs.fields import Fields, FieldSpec
from .lane import Lane
from .plot import Plot
from .scale import LARGEST, Scale


class ScaleDialog(BaseDialog):
    """Asks for the least and the greatest value, and scales the lane. Attribute: `fields`."""

    def __init__(self, plot: Plot, lane: Lane, parent: QWidget | None = None) -> None:
        super().__init__(plot.theme, parent, "signalRange")
        self.say(self.tr("Range"), self.tr("Range of the axis"))
        self._plot, self._unit, self._is_log = plot, lane.unit, lane.scale.is_log
        low, high = lane.view_values()
        self.fields = Fields(plot.theme)
        for name, label, value in (("low", self.tr("From"), low), ("high", self.tr("To"), high)):
            shown = float(f"{value:.4g}")
            self.fields.add_field(FieldSpec(name, label, "number", shown, lane.unit, low=-LARGEST, high=LARGEST))
        self.body.addWidget(self.fields)
        self.told = self.add_line("", small=True)
        self.add_answers(self.tr("Set range"), self._set)
        self.fields.editors["low"].setFocus()

    def _set(self) -> None:
        if not self.fields.commit():
            return
        low, high = float(self.fields.values["low"]), float(self.fields.values["high"])
        if low >= high:
            self.told.setText(self.tr("The first number must be smaller than the second."))
        elif low <= 0 and self._is_log:
            self.told.setText(self.tr("A logarithmic axis begins above 0."))
        else:
            self._plot.set_scale(self._unit, Scale("fixed", low, high, self._is_log))
            self.accept()
