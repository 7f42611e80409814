"""What may be chosen of a table of trajectories, besides what may be chosen of the recording."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...option_specs import OptionSpec, option
from ...texts import N_, listed, say
from .choosing import KINDS
from .columns import MEANINGS
from .options import RecordingOptions
from .trajectories import TrajectoryError

AXES = {"opendrive": "opendrive", "simulator": "simulator"}
HEIGHTS = {"centre": "centre", "ground": "ground", "origin": "origin"}
HEADINGS = {"counter-clockwise": "counter-clockwise", "clockwise": "clockwise", "compass": "compass"}


@dataclass(frozen=True)
class TableOptions(RecordingOptions):
    """What may be chosen of a table.

    Attributes:
        columns: `MEANING=NAME` of columns that are not found by their names; `MEANING=` for none.
        units: `MEANING=UNIT` of columns whose units are not told.
        classes: `WORD=KIND` of words for classes.
        axes: Those of the places, `opendrive` or `simulator`; None: by the road map, else OpenDRIVE's.
        heading: How headings are counted, `counter-clockwise` or `clockwise` from x, or `compass`; None: as the axes.
        z_at: What heights are of, `centre`, `ground` or `origin`; None: the centre, or as an own table has it.
        frame_rate: Frames a second, where no column tells the time.
        delimiter: What separates columns; None: found.
        decimal: What separates the fraction of numbers; None: found.
    """

    columns: tuple[str, ...] = option(
        (),
        OptionSpec(
            flag="--column",
            kind="texts",
            metavar="MEANING=NAME",
            label=N_("Columns"),
            help=N_(
                "what a column is, by its name or number, where its name does not tell: {meanings}; without NAME: no "
                "column is; may be repeated"
            ),
            help_values={"meanings": ", ".join(MEANINGS)},
        ),
    )
    units: tuple[str, ...] = option(
        (),
        OptionSpec(
            flag="--unit",
            kind="texts",
            metavar="MEANING=UNIT",
            label=N_("Units"),
            help=N_("unit of a column, where its name does not tell: time=ms, x=ft, yaw=deg, vx=km/h; may be repeated"),
        ),
    )
    classes: tuple[str, ...] = option(
        (),
        OptionSpec(
            flag="--class",
            kind="texts",
            metavar="WORD=KIND",
            label=N_("Classes"),
            help=N_("what a word for a class means: {kinds}; may be repeated"),
            help_values={"kinds": ", ".join(KINDS)},
        ),
    )
    axes: str | None = option(
        None,
        OptionSpec(
            flag="--axes",
            kind="choice",
            label=N_("Axes"),
            hint=N_("found"),
            choices=AXES,
            help=N_("opendrive: y to the north; simulator: y to the south (default: by the road map, else opendrive)"),
        ),
    )
    heading: str | None = option(
        None,
        OptionSpec(
            flag="--heading",
            kind="choice",
            label=N_("Heading"),
            hint=N_("as the axes"),
            choices=HEADINGS,
            help=N_(
                "how headings are counted: counter-clockwise or clockwise from x, or compass, clockwise from north "
                "(default: as the axes)"
            ),
        ),
    )
    z_at: str | None = option(
        None,
        OptionSpec(
            flag="--z-at",
            kind="choice",
            label=N_("Height"),
            hint=N_("found"),
            choices=HEIGHTS,
            help=N_(
                "what z is of: the centre of boxes, the ground, or the origin as the simulator has it (default: the "
                "centre)"
            ),
        ),
    )
    frame_rate: float | None = option(
        None,
        OptionSpec(
            flag="--frame-rate",
            kind="unsigned",
            metavar="HZ",
            label=N_("Frame rate"),
            unit="Hz",
            hint=N_("times of the file"),
            help=N_("frames a second, where a column counts frames and none tells the time"),
        ),
    )
    delimiter: str | None = option(
        None,
        OptionSpec(
            flag="--delimiter",
            kind="text",
            metavar="C",
            label=N_("Separator"),
            hint=N_("found"),
            longest=1,
            help=N_("what separates columns (default: found in the first line)"),
        ),
    )
    decimal: str | None = option(
        None,
        OptionSpec(
            flag="--decimal",
            kind="text",
            metavar="C",
            label=N_("Decimal sign"),
            hint=N_("found"),
            longest=1,
            help=N_("what separates the fraction of numbers, . or , (default: found in the first rows)"),
        ),
    )

    def chosen_columns(self) -> dict[str, str]:
        """Return names of columns by meaning. Raises TrajectoryError: A text has another form."""
        return _pairs(self.columns, "--column")

    def chosen_units(self) -> dict[str, str]:
        """Return units by meaning. Raises TrajectoryError: A text has another form."""
        return _pairs(self.units, "--unit")

    def chosen_classes(self) -> Mapping[str, str]:
        """Return kinds by words for classes. Raises TrajectoryError: A text has another form or an unknown kind."""
        classes = _pairs(self.classes, "--class")
        for kind in classes.values():
            if kind not in KINDS:
                raise TrajectoryError(
                    say("{kind} is no kind of road user; there are {names}.", kind=kind, names=listed(KINDS))
                )
        return classes


def _pairs(texts: Sequence[str], flag: str) -> dict[str, str]:
    """The parts before and behind the first `=`."""
    pairs = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign:
            raise TrajectoryError(say("{flag} takes NAME=VALUE; not {text}.", flag=flag, text=text))
        pairs[name.strip()] = value.strip()
    return pairs
