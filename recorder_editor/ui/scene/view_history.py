"""Back and forward through the parts of the world that were looked at. No Qt."""

from .camera import Camera

_MOST = 100


class ViewHistory:
    """The cameras before the present one and, after `back`, those that were left."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget all of them."""
        self._before: list[Camera] = []
        self._ahead: list[Camera] = []
        self._gesture = ""

    def keep(self, camera: Camera, gesture: str = "") -> None:
        """Take up what is left now; of one gesture in many small steps, its first one."""
        if not gesture or gesture != self._gesture:
            self._before.append(camera)
            del self._before[:-_MOST]
            self._ahead.clear()
        self._gesture = gesture

    def step(self, camera: Camera, *, back: bool) -> Camera | None:
        """The camera before the present one or, not `back`, the one behind it; None without any."""
        taken, left = (self._before, self._ahead) if back else (self._ahead, self._before)
        if not taken:
            return None
        left.append(camera)
        self._gesture = ""
        return taken.pop()
