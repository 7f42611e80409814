"""Export to MCAP, for Foxglove and other viewers of robots. Its messages are in `mcap_messages`, loaded when used."""

from dataclasses import dataclass
from pathlib import Path

from ..extras import remedy
from ..option_specs import OptionSpec, option
from ..progress import Progress
from ..reading.events import Events, find_events
from ..texts import N_, say
from .export_format import ExportError, ExportFormat, ExportPreview, ExportSource, FileBeside, Input
from .signals import Signal, find_signals
from .tables.road_users import events_within


@dataclass(frozen=True)
class McapOptions:
    """What may be chosen of an MCAP file.

    Attributes:
        signals: Expressions of `find_signals` beside the usual ones.
        all_poses: Poses are written in every frame.
        traffic_events: Traffic events are written as log entries.
    """

    signals: tuple[str, ...] = option(
        (),
        OptionSpec(
            flag="--signals",
            kind="texts",
            metavar="[NAME=]TYPE: EXPR",
            label=N_("Signals"),
            hint=N_("more than speed and controls: slip = Kinematics: linear_velocity.y"),
            help=N_(
                "numbers over time more than speed and controls, of the heroes or of --actors, as slip = Kinematics: "
                "linear_velocity.y; may be repeated"
            ),
        ),
    )
    all_poses: bool = option(
        False,
        OptionSpec(
            flag="--all-poses",
            kind="switch",
            label=N_("All poses"),
            help=N_("poses in every frame, for viewers that draw nothing else; otherwise one message each second"),
        ),
    )
    traffic_events: bool = option(
        False,
        OptionSpec(
            flag="--traffic-events",
            kind="switch",
            label=N_("Traffic events"),
            help=N_("near misses, collisions and other traffic events as log entries, too"),
        ),
    )


class Mcap(ExportFormat[McapOptions]):
    """MCAP with Foxglove's schemas, and a layout for Foxglove beside it."""

    name = "mcap"
    title = "MCAP"
    suffixes = (".mcap",)
    options = McapOptions
    contents = N_("Boxes, frames, poses, signals and events for Foxglove; there is no table")

    def preview(
        self, source: ExportSource, options: McapOptions, suffix: str, rows: int, progress: Progress
    ) -> ExportPreview:
        """Show the channels, and a size by that of frames in the middle."""
        try:
            from .mcap_messages import McapStyle, preview_mcap
        except ImportError:
            raise packages_missing() from None
        style = McapStyle(
            signals=_signals(source, options, progress),
            all_poses=options.all_poses,
            traffic=_traffic(source, options, progress),
        )
        return preview_mcap(source.snapshot, source.subset, style, progress).preview(rows)

    def write(
        self, source: ExportSource, options: McapOptions, target: Path, *, overwrite: bool, progress: Progress
    ) -> tuple[FileBeside, ...]:
        """Write the file, atomically."""
        try:
            from .mcap_messages import McapStyle, write_mcap
        except ImportError:
            raise packages_missing() from None
        style = McapStyle(
            signals=_signals(source, options, progress),
            all_poses=options.all_poses,
            traffic=_traffic(source, options, progress),
        )
        layout = write_mcap(target, source.snapshot, source.subset, style, progress, overwrite=overwrite)
        return (FileBeside(layout_path(target), layout),)

    def inputs(self, options: McapOptions) -> frozenset[Input]:
        """Return what is read from files beside the recording: lanes are lines, notes are events."""
        return frozenset({"road map", "notes"})

    def paths_beside(self, target: Path) -> tuple[Path, ...]:
        """Return the path of the layout."""
        return (layout_path(target),)


def layout_path(target: Path) -> Path:
    """Return the path of the layout for Foxglove that goes with an MCAP file."""
    return target.with_suffix(".layout.json")


def _signals(source: ExportSource, options: McapOptions, progress: Progress) -> list[Signal]:
    signals = list(find_signals(source.snapshot, source.subset, options.signals, progress.quiet()))
    signals.extend(source.signals)
    return signals


def _traffic(source: ExportSource, options: McapOptions, progress: Progress) -> Events | None:
    """Return the traffic events of the chosen actors and frames; None where they were not asked for."""
    if not options.traffic_events:
        return None
    events = find_events(source.snapshot, progress=progress.quiet())
    return events_within(events, source.subset)


def packages_missing() -> ExportError:
    """Return the error that MCAP cannot be written here."""
    return ExportError(say("MCAP files need packages that are not installed. {remedy}", remedy=remedy("mcap")))
