"""Edits of the file header: map, date, and a version that fits the content.

The version decides how attributes are read and converts nothing; see `convert`.
"""

from dataclasses import replace

from ..errors import EditError
from ..format import FileHeader
from ..format.dialects import with_header_version
from ..recording import Edit, Intent, RecordingLike, Snapshot
from ..recording.recording import detection_of, shown_version_of
from ..texts import N_, say

VERSIONS = (1, 2)
"""Versions that CARLA writes; 2 since 0.9.16."""

_CHANGES = {"map_name": N_("map to {value}"), "date": N_("date"), "version": N_("version to {value}")}


def set_header(
    recording: RecordingLike, *, map_name: str | None = None, date: int | None = None, version: int | None = None
) -> Edit:
    """Return the edit that changes the file header; what is None stays.

    Args:
        recording: The recording, which is not changed.
        map_name: The name of the map.
        date: Seconds since 1970 UTC.
        version: The version of the header.

    Raises:
        EditError: There is no header, nothing is named, or the recording would be read as another release.
        FieldError: A value does not fit.
    """
    snapshot = recording.snapshot
    if snapshot.header is None:
        raise EditError(say("The file has no readable header that could be changed."))
    arguments = {"map_name": map_name, "date": date, "version": version}
    given: dict[str, object] = {}
    for name, value in arguments.items():
        if value is not None:
            given[name] = value
    if not given:
        raise EditError(say("Nothing is named that the header should hold instead."))
    header = snapshot.header
    if map_name is not None:
        header = replace(header, map_name=map_name)
    if date is not None:
        header = replace(header, date=date)
    if version is not None:
        header = replace(header, version=version)
    header.encode()
    detection = None
    if header.version != snapshot.header.version:
        _refuse_misread(snapshot, header)
        if not snapshot.detection.forced:
            detection = detection_of(replace(snapshot, header=header))
    changes = ""
    for name, new_value in given.items():
        change = say(_CHANGES[name], value=new_value)
        if changes:
            changes = say("{one} and {other}", one=changes, other=change)
        else:
            changes = change
    label = say("Set {changes}", changes=changes)
    return Edit(label, snapshot.version, (), header=header, intent=Intent("set_header", given), detection=detection)


def _refuse_misread(snapshot: Snapshot, header: FileHeader) -> None:
    """Raise `EditError` for a version that does not fit the content."""
    if header.version not in VERSIONS:
        raise EditError(
            say(
                "CARLA writes version 1, and 2 since 0.9.16; a header of version {version} is none.",
                version=header.version,
            )
        )
    shown = shown_version_of(snapshot)
    if header.version == shown:
        return
    if snapshot.dialect.wide:
        raise EditError(say("Recordings of Unreal Engine 5 are of version 1, not {version}.", version=header.version))
    now = detection_of(snapshot).dialect
    then = detection_of(replace(snapshot, header=header)).dialect
    if shown is None and now.title == then.title:
        return
    if then.title != now.title:
        template = N_(
            "With version {version} this recording of {title} would be read as {other}, "
            "and its bytes are not. To make it one of another release, convert it: "
            "recorder-editor convert IN OUT --write-as {name}"
        )
    else:
        template = N_(
            "With version {version} this recording of {title} would be read with its "
            "attributes as other types, and its bytes are not. To make it one of another "
            "release, convert it: recorder-editor convert IN OUT --write-as {name}"
        )
    name = with_header_version(snapshot.dialect, header.version).name
    raise EditError(say(template, version=header.version, title=now.title, other=then.title, name=name))
