"""What the traffic lights show at a moment: plain arithmetic on each signal's cycle."""

import numpy as np

from .geometry import Floats, Ints
from .town import YELLOW, Town

RED_LAMP, YELLOW_LAMP, GREEN_LAMP = 0, 1, 2


class Signals:
    """The lamps of every signal group.

    Attributes, by (signal, group): `lamp` (0 red, 1 yellow, 2 green, as in the file), `since` (seconds it has been so),
    `until_green` (seconds until it turns green again).
    """

    def __init__(self, town: Town) -> None:
        signals = town.signals
        groups = max((len(signal.starts) for signal in signals), default=1)
        self._starts = np.array(
            [[*signal.starts, *[signal.starts[0]] * (groups - len(signal.starts))] for signal in signals]
        ).reshape(len(signals), groups)
        self._cycle = np.array([[signal.cycle] for signal in signals]).reshape(len(signals), 1)
        self._green = np.array([[signal.green] for signal in signals]).reshape(len(signals), 1)
        self._shift = np.array([[signal.shift] for signal in signals]).reshape(len(signals), 1)
        self.lamp: Ints = np.zeros(self._starts.shape, dtype=np.int64)
        self.since: Floats = np.zeros(self._starts.shape)
        self.until_green: Floats = np.zeros(self._starts.shape)
        self.show(0.0)

    def show(self, time: float) -> None:
        """Brings the lamps to a moment."""
        if not self._starts.size:
            return
        passed = (time + self._shift - self._starts) % self._cycle
        green, yellow = passed < self._green, passed < self._green + YELLOW
        self.lamp = np.where(green, GREEN_LAMP, np.where(yellow, YELLOW_LAMP, RED_LAMP))
        self.since = passed - np.where(green, 0.0, np.where(yellow, self._green, self._green + YELLOW))
        self.until_green = np.where(green, 0.0, self._cycle - passed)
