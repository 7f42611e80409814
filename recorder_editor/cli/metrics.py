"""The verb `metrics`: a metric of ScenarioRunner, run without a simulator."""

from argparse import Namespace
from pathlib import Path
from traceback import TracebackException
from typing import Any

from ..errors import RecorderError
from ..format import JsonError, read_json
from ..reports.info import info_report
from ..texts import N_, say
from . import options
from .files import Unreadable, find_lanes, open_input, read_input
from .output import print_error, progress_bar
from .parsing import VerbParser

DESCRIPTION = N_(
    """\
METRIC.py is code, and it is run: give only files that you trust. Needs the extra [carla]. Example: recorder-editor
metrics a.log distance_to_lane_center.py --xodr Town01.xodr"""
)


def add_arguments(parser: VerbParser) -> None:
    """Add the arguments of the verb."""
    options.add_recordings(parser)
    parser.add_argument(
        "metric", type=Path, metavar="METRIC.py", help=say("a file with a class derived from BasicMetric; it is run")
    )
    parser.add_argument(
        "--criteria", type=Path, metavar="FILE", help=say("the criteria of the scenario (JSON), for the metric")
    )
    parser.add_argument("--xodr", type=Path, metavar="MAP", help=say("the road map (.xodr) that the metric gets"))
    options.add_many(parser)
    options.add_outcomes(parser)


def run(arguments: Namespace) -> None:
    """Run the metric, which prints what it likes."""
    from ..simulator import metrics

    path = arguments.metric
    source = read_input(arguments.metric)
    criteria = _read_criteria(arguments.criteria)
    with open_input(arguments.file, arguments.dialect, xodr=arguments.xodr) as recording:
        find_lanes(recording)
        map_path = recording.context.road_file
        bar = progress_bar(say("Reading {name}", name=path.name))
        text = b"".join(info_report(recording.snapshot, show_all=True, family="newest", progress=bar))
    try:
        town_map = map_path and metrics.carla.Map(map_path.stem, map_path.read_text("utf-8", "replace"))
    except RuntimeError:
        raise Unreadable(say("{path} is a road map that the package carla cannot read.", path=map_path)) from None
    if map_path is None:
        print_error(say("No road map of this town is known, so the metric gets none: give it with --xodr."))
    print_error(say("Running {path}. It is code: run only files that you trust.", path=path))
    log = metrics.MetricsLog(text.decode(errors="replace"))
    try:
        was_run = metrics.run_metric(path, source, town_map, log, criteria)
    except Exception as error:
        _print_traceback(error, path)
        raise RecorderError(say("{path} has failed, as told above.", path=path)) from error
    if not was_run:
        raise Unreadable(say("{path} has no class whose first base is BasicMetric.", path=path))


def _read_criteria(file: Path | None) -> Any:
    """Return the criteria of the scenario; without a file there are none.

    Raises:
        Unreadable: The file cannot be read, or is no JSON.
    """
    if file is None:
        return {}
    try:
        return read_json(read_input(file), infinite=True)
    except JsonError as error:
        raise Unreadable(say("{file}: {reason}", file=file, reason=error)) from None


def _print_traceback(error: Exception, path: Path) -> None:
    """Print what was called when a metric failed, from its own file on."""
    traceback = TracebackException.from_exception(error)
    while traceback.stack and traceback.stack[0].filename != str(path):
        del traceback.stack[0]
    for line in "".join(traceback.format()).splitlines():
        print_error(line)
