"""Export to ASAM OSI, as omega-prime reads it. Its messages are in `osi_messages`, loaded when used."""

from dataclasses import dataclass
from pathlib import Path

from ..extras import remedy
from ..progress import Progress
from ..texts import N_, say
from .export_format import ExportError, ExportFormat, ExportPreview, ExportSource, FileBeside, Input


@dataclass(frozen=True)
class OsiOptions:
    """What may be chosen of an OSI file: nothing."""


class Osi(ExportFormat[OsiOptions]):
    """Messages GroundTruth of ASAM OSI in MCAP, with the road map."""

    name = "omega.mcap"
    title = "OSI"
    suffixes = (".omega.mcap", ".mcap")
    options = OsiOptions
    programs = ("omega-prime",)
    contents = N_("Road users and the road map as messages of ASAM OSI, for omega-prime; there is no table")

    def preview(
        self, source: ExportSource, options: OsiOptions, suffix: str, rows: int, progress: Progress
    ) -> ExportPreview:
        """Show the channels, and a size by that of frames in the middle."""
        try:
            from .osi_messages import preview_osi
        except ImportError:
            raise packages_missing() from None
        return preview_osi(source.snapshot, source.subset, progress).preview(rows)

    def write(
        self, source: ExportSource, options: OsiOptions, target: Path, *, overwrite: bool, progress: Progress
    ) -> tuple[FileBeside, ...]:
        """Write the file, atomically."""
        try:
            from .osi_messages import write_osi
        except ImportError:
            raise packages_missing() from None
        write_osi(target, source.snapshot, source.subset, progress, overwrite=overwrite)
        return ()

    def inputs(self, options: OsiOptions) -> frozenset[Input]:
        """Return what is read from files beside the recording: the road map goes into the file."""
        return frozenset({"road map"})


def packages_missing() -> ExportError:
    """Return the error that OSI files can be neither written nor read here."""
    return ExportError(say("OSI files need packages that are not installed. {remedy}", remedy=remedy("osi")))
