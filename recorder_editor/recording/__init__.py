"""The document: a recording as a list of frames, each frame a span of bytes.

Other packages import from here what is imported here, and the rest from the modules.
"""

from .atomic_file import atomic_write, write_file
from .blocks import Bytes, FrameBlock
from .findings import Finding
from .frames import FRAME, LARGEST_FRAME, RAW, START_SIZE, FrameTable
from .history import Edit, Intent, LostPackets, Splice
from .place import Place, RecordingLike, RecordPlace
from .recording import Change, Recording, open_recording
from .snapshot import FRAME_START_HEADER, Frame, Packet, Row, Snapshot
