"""MCAP files are byte for byte those of the library `mcap`, whose writer is slower."""

from io import BytesIO

from hypothesis import given
from hypothesis import strategies as st
from mcap.writer import Writer

from recorder_editor.formats.mcap_file import McapFile

CHUNK = 400
"""A chunk of few messages, so that a file has many."""

Message = tuple[int, int, bytes]

messages = st.lists(st.tuples(st.integers(1, 3), st.integers(0, 1 << 40), st.binary(max_size=90)), max_size=60)


def by_the_library(written: list[Message]) -> bytes:
    stream = BytesIO()
    writer = Writer(stream, chunk_size=CHUNK)
    writer.start(library="a program")
    writer.add_metadata("recording", {"map": "Town01", "größe": "3"})
    for number in (1, 2, 3):
        schema = writer.register_schema(f"Schema{number}", "protobuf", b"\x00\xff" * number)
        writer.register_channel(f"/topic/{number}", "protobuf", schema)
    for channel, time, data in written:
        writer.add_message(channel, time, data, time)
    writer.finish()  # type: ignore[no-untyped-call]
    return stream.getvalue()


def by_this_program(written: list[Message]) -> bytes:
    stream = BytesIO()
    file = McapFile(stream, CHUNK)
    file.start(library="a program")
    file.add_metadata("recording", {"map": "Town01", "größe": "3"})
    for number in (1, 2, 3):
        schema = file.register_schema(f"Schema{number}", "protobuf", b"\x00\xff" * number)
        file.register_channel(f"/topic/{number}", "protobuf", schema)
    file.add_messages(written)
    file.finish()
    return stream.getvalue()


@given(messages)
def test_a_file_has_the_bytes_that_the_library_writes(written: list[Message]) -> None:
    assert by_this_program(written) == by_the_library(written)
