"""The index of a folder: its recordings, those in folders below it, and their collisions and risks, for find.

Writes an SQLite file into the folder. Again, it reads only what has changed since. Risks need the extra [analysis].
Example: recorder-editor index recordings
"""

from argparse import Namespace

from ..fleet.catalogue import index
from ..fleet.pool import usable_cores
from ..texts import say
from .files import Unreadable
from .output import print_error, print_lines, progress_bar


def run(arguments: Namespace) -> bool:
    """Bring the index up to date, and say what was done; failures on stderr."""
    folder = arguments.folder
    if not folder.is_dir():
        raise Unreadable(say("{raw}: there is no such folder.", raw=folder))
    bar, workers = progress_bar(say("Indexing {name}", name=folder)), arguments.workers or usable_cores()
    done = index(folder, bar, workers=workers, anew=arguments.new, overwrite=arguments.overwrite)
    for sentence in done.failed.values():
        print_error(sentence)
    if done.lacking:
        print_error(done.lacking)
    print_lines([done.told(folder)])
    return not done.failed
