"""The recorder format of every CARLA release as tables; bytes to values and back.

Imports only the standard library and numpy; knows no files, recordings or windows. Other packages import what is
imported here from the package, and the rest from its modules.
"""

from .codec import MAX_RECORDS, PACKET_HEADER, Body, Leaf, decode, encode_record, packet_bytes, without_records
from .detection import Detection
from .dialects import ASSUMED_DIALECT, DEFAULT_DIALECT, DIALECTS, NEWEST, Dialect, dialect_named
from .header import LONGEST_MAP_NAME, FileHeader, has_year, parse_header, simulators_date
from .json_text import JsonError, json_of, read_json
from .packet_names import packet_number, packets_named
from .packets import LIGHT_STATES, VEHICLE_LIGHTS
from .schema import INTEGER_RANGES, WIDTHS, Array, Field, PacketType, Struct
from .values import LONGEST_STRING, exact_text, pack_value, parse_value
