"""Edits: functions from a state of a recording and arguments to an `Edit` that can be applied to that state.

Every function takes a `Recording` or a `Snapshot` as its first argument and changes nothing. New bytes are written to
the scratch file at once. What is imported here is public.
"""

from ..recording import LostPackets, Place
from ..recording.place import place
from .actors.copying import duplicate_actor, paste_actor
from .actors.describing import set_attribute, set_blueprint, set_hero, set_role
from .actors.removing import keep_only_actors, remove_actors, remove_from_frame, trim_life
from .actors.renumbering import set_actor_id, swap_actors
from .convert import Conversion, convert
from .dropping import drop_packets
from .fields import add_over, set_field, set_fields, set_frame_start, set_over
from .header import set_header
from .join import join
from .new_actors.add_actor import add_actor
from .new_frames import append_frames
from .packets import (
    delete_packet,
    delete_record,
    delete_records,
    delete_rows,
    duplicate_packet,
    duplicate_record,
    insert_frame,
    insert_packet,
    insert_record,
    move_packet,
    move_record,
    replace_body,
    replace_record,
    take_frame,
    take_packet,
    take_record,
)
from .paths.edit_path import edit_path
from .paths.hold import hold_actor
from .paths.mirror import mirror_path
from .paths.ranges import move_actors, offset_path, place_actors, put_on_lane, smooth_path
from .raw import overwrite, replace_bytes
from .replace import replace_where
from .resample import resample
from .segments import Segment
from .states import set_traffic_lights, set_vehicle_lights, set_weather
from .taking import take_actor, take_frames, take_header, take_values
from .times import order_times, retime, shift
from .trim import RecordingSize, cut, losses_before, outcome, trim
