"""The windows that ask or tell something for a moment. None waits in a loop of its own."""
