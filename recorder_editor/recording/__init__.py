"""The document: a recording as a list of frames, each frame a span of bytes.

Other packages import from here what is imported here, and the rest from the modules.
"""

from .actors import Actors
from .atomic_file import atomic_write, write_file
from .blocks import Block, Bytes
from .findings import Finding
from .frames import FRAME, LARGEST_FRAME, RAW, START_SIZE, FrameTable
from .history import Edit, Intent, LostPackets, Splice
from .lives import Attachment, Life, RecordPlace, short_blueprint
from .place import Place, RecordingLike
from .recording import Change, Recording, open_recording
from .rigid import Ghost
from .selectors import SelectorError, Subset
from .snapshot import FRAME_START_HEADER, Frame, Packet, Row, Snapshot
from .tracks import Tracks
from .trajectories import Trajectories, Trajectory
