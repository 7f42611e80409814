"""The bytes of the recording: offset, hex and text, with packets and fields told apart."""
