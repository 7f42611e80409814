"""Asks a simulator what its argument says in JSON, and writes what it answers, or why not, as JSON to stdout.

    {"host": "localhost", "port": 2000, "seconds": 10, "memory": 1073741824, "do": "map"}

`memory` bounds the bytes of this process, whatever a server answers. `do` is `map` (the map and its roads), `look`
(release and map) or `replay`: with the arguments of `replay_file`, what the replayer is to be set to, and the map that
is loaded first, if any.
"""

import json
import os
import socket
import sys

MOST = 65535  # of ports; the system would take one more for 0
SHARE = 8
"""An answer is written as text, read and kept: none may be larger than this part of the memory."""
TOO_LARGE = "its answer is too large"


def bound_memory(most):
    """Let this process take no more bytes than that: the package keeps whatever a server sends."""
    try:
        import resource
    except ImportError:  # on Windows
        return
    # Not RLIMIT_AS: each thread reserves addresses that it never uses.
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if hard == resource.RLIM_INFINITY or hard > most:
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # where there is no memory left, the package aborts


def look(client):
    """The release that answers, that of this package, and the map that is shown."""
    release = client.get_server_version()
    return {"release": release, "client": client.get_client_version(), "map": client.get_world().get_map().name}


def road_map(client):
    """The map that is shown, and its roads."""
    shown = client.get_world().get_map()
    return {"map": shown.name, "xodr": shown.to_opendrive()}


def replay(client, asked):
    """What the server says of a replay that it begins, and whether it found the file."""
    client.set_timeout(3600.0)  # a town takes a while, and so does the way to the middle of a long recording
    if asked["load"]:
        client.load_world(asked["load"])
    for name, value in asked["settings"].items():
        # Packages before 0.9.15 know nothing of the spectator, and so do their servers.
        if value or hasattr(client, name):
            getattr(client, name)(value)
    lines = client.replay_file(*asked["file"]).splitlines()
    for line in lines:
        if line.startswith("Could not load"):
            raise RuntimeError(line)
    return {"lines": lines, "found": not any("not found on server" in line for line in lines)}


def answer_to(client, asked):
    """The answer as JSON."""
    does = {"map": road_map, "look": look}.get(asked["do"])
    text = json.dumps(does(client) if does is not None else replay(client, asked))
    if len(text) > asked["memory"] // SHARE:
        raise ValueError(TOO_LARGE)
    return text


def main():
    asked = json.loads(sys.argv[1])
    bound_memory(asked["memory"])
    with os.fdopen(os.dup(1), "w") as answer:
        os.dup2(2, 1)  # the package prints what it likes
        try:
            try:
                import carla
            except ImportError as error:
                raise RuntimeError(f"the package carla cannot be loaded ({error})") from None
            if asked["port"] > MOST:
                raise ValueError(f"ports end at {MOST}")
            # The package would wait until its time is out, although nobody is there.
            socket.create_connection((asked["host"], asked["port"]), asked["seconds"]).close()
            client = carla.Client(asked["host"], asked["port"])
            client.set_timeout(asked["seconds"])
            answer.write(answer_to(client, asked))
        except MemoryError:
            json.dump({"error": TOO_LARGE}, answer)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is told
            json.dump({"error": getattr(error, "strerror", None) or str(error)}, answer)


main()
