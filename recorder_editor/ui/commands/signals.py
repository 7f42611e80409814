"""View: what is plotted over time, and the traffic analysis beside it. File: what comes in."""

from ..actions import ActionSpec
from ..panes import Services
from ..signals import SIGNALS
from ..signals.actions import selected_keys


def signal_actions(services: Services) -> list[ActionSpec]:
    """The actions of View that are about signals and traffic; those of the pane itself stand behind them."""
    session, panes = services.session, services.panes

    def add() -> None:
        panes.focus(SIGNALS.name)
        panes.get(SIGNALS).ask_add()

    def add_expression() -> None:
        panes.focus(SIGNALS.name)
        panes.get(SIGNALS).ask_expression()

    def plot() -> None:
        keys = selected_keys(session)
        if keys:
            panes.show(SIGNALS.name)
            panes.get(SIGNALS).add(*keys)

    def no_traffic_reason() -> str:
        return services.unready() or session.traffic.lacks()

    action = services.action
    return [
        action(
            "traffic.show",
            session.traffic.show,
            checked=lambda: session.traffic.is_shown,
            disabled_reason=no_traffic_reason,
        ),
        action("signals.add", add),
        action("signals.expression", add_expression),
        action("signals.plot", plot, enabled=lambda: bool(selected_keys(session))),
    ]


def highd_import(services: Services) -> ActionSpec:
    """File > Import highD."""

    def ask() -> None:
        # Loaded when somebody asks for it: the window starts without.
        from ..dialogs.highd import HighdDialog

        dialog = HighdDialog(services.session, services.theme, services.window)
        dialog.written.connect(lambda path: services.documents.open(path))
        dialog.open_()

    return services.action("file.import_highd", ask)
