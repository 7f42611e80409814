"""The scene: the recording from above, in metres."""

from typing import TYPE_CHECKING

from ..panes import PaneSpec, Services

if TYPE_CHECKING:
    from .pane import ScenePane


def _make(services: Services) -> "ScenePane":
    from .pane import ScenePane

    return ScenePane(services.session, services.theme, services.player, services.settings)


SCENE = PaneSpec("scene", "Scene", _make, None)
