"""The index of a folder: its recordings, those in folders below it, and their collisions and risks, for find.

Writes an SQLite file into the folder. Again, it reads only what has changed since. Needs the extra [analysis]. Example:
recorder-editor index recordings
"""

from argparse import Namespace

from ..analysis.catalogue import NAME, index
from ..analysis.fleet import usable_cores
from ..sentences import say
from .files import Unreadable
from .output import print_error, print_json, print_lines, progress_bar


def run(arguments: Namespace) -> bool:
    """Bring the index up to date, and say what was done; failures on stderr."""
    folder = arguments.folder
    if not folder.is_dir():
        raise Unreadable(say("cli.there_is_no_such_folder", raw=folder))
    workers = arguments.workers or usable_cores()
    done = index(folder, workers=workers, anew=arguments.new, progress=progress_bar(say("cli.indexing", name=folder)))
    for name, error in done.failed.items():
        print_error(say("cli.file_message", name=name, message=error))
    if arguments.json:
        print_json({"index": str(folder / NAME), **done._asdict()})
    else:
        numbers = {name: f"{number:,}" for name, number in done._asdict().items() if name != "failed"}
        print_lines([say("cli.indexed", path=folder / NAME, **numbers, failed=f"{len(done.failed):,}")])
    return not done.failed
