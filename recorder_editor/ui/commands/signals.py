"""View: what is plotted over time, and the traffic analysis beside it. File: what comes in."""

from functools import partial

from ..actions import ActionSpec
from ..panes import Services
from ..signals import SIGNALS
from ..signals.actions import selected_keys


def signal_actions(services: Services) -> list[ActionSpec]:
    """The actions of View that are about signals and traffic; those of the pane itself stand behind them."""
    session = services.session

    def selects_signals() -> bool:
        return bool(selected_keys(session))

    def no_traffic_reason() -> str:
        return services.unready() or session.traffic.lacks()

    def is_shown() -> bool:
        return session.traffic.is_shown

    add = partial(services.action_of, SIGNALS, opens=True)
    return [
        services.action("traffic.show", session.traffic.show, checked=is_shown, disabled_reason=no_traffic_reason),
        add("signals.add", lambda pane: pane.ask_add()),
        add("signals.expression", lambda pane: pane.ask_expression()),
        add("signals.plot", lambda pane: pane.add(*selected_keys(session)), when=selects_signals),
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
