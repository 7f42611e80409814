"""Writes the name and the road map of the simulator at HOST:PORT to stdout, or why it cannot to stderr."""

import sys

sys.excepthook = lambda _kind, error, _where: sys.stderr.write(str(error))

import carla  # noqa: E402 - that it is missing is told so, too

host, port = sys.argv[1].split(":")
client = carla.Client(host, int(port))
client.set_timeout(10.0)
there = client.get_world().get_map()
sys.stdout.buffer.write(f"{there.name}\n{there.to_opendrive()}".encode())
