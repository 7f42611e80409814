"""View: what is plotted over time, and the analysis of traffic beside it. File: what goes out of it and comes in."""

from pathlib import Path

from PySide6.QtWidgets import QFileDialog

from ...progress import Progress
from ..actions import ActionSpec
from ..panes import Services
from ..signals import SIGNALS
from ..signals.actions import selected_keys

_KINDS = "Parquet (*.parquet);;CSV (*.csv);;JSON lines (*.jsonl)"


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


def l1_export(services: Services) -> ActionSpec:
    """File > Export L1 table."""
    session, tr = services.session, services.tr

    def disabled_reason() -> str:
        return services.unready() or session.traffic.lacks("polars", "pyarrow")

    def ask() -> None:
        path = services.documents.path
        assert path is not None
        name, kind = QFileDialog.getSaveFileName(
            services.window, tr("Export L1 table"), str(path.with_name(f"{path.stem}-L1.parquet")), _KINDS
        )
        if name:
            target = Path(name)
            ending = next((each for each in (".csv", ".jsonl") if each in kind), ".parquet")
            export_l1(services, target if target.suffix else target.with_suffix(ending))

    return services.action("file.export_l1", ask, disabled_reason=disabled_reason)


def export_l1(services: Services, target: Path) -> None:
    """Write the L1 table of the present state as a job; what goes wrong is said."""
    # Loaded when somebody asks for it: the window starts without.
    from ...analysis import LibraryMissing, of_recording

    session = services.session
    snapshot, traffic = session.snapshot, session.traffic
    if snapshot is None:
        return
    known = traffic.analysis if traffic.is_current else None

    def work(progress: Progress) -> None:
        analysis = known or of_recording(snapshot, progress=progress)
        analysis.export(target)

    def failed(error: Exception) -> None:
        if isinstance(error, LibraryMissing):
            session.refused.emit(error.message)
            return
        services.documents.tell(services.tr("%1 could not be written").replace("%1", target.name), error, target)

    title = services.tr("Writing %1").replace("%1", target.name)
    session.jobs.start(title, work, lambda _result: None, failed)


def highd_import(services: Services) -> ActionSpec:
    """File > Import highD."""

    def ask() -> None:
        # Loaded when somebody asks for it: the window starts without.
        from ..dialogs.highd import HighdDialog

        dialog = HighdDialog(services.session, services.theme, services.window)
        dialog.written.connect(lambda path: services.documents.open(path))
        dialog.open_()

    return services.action("file.import_highd", ask)
