"""How much memory this process has taken at most."""

import resource
import sys
from pathlib import Path

_STATUS = Path("/proc/self/status")


def peak() -> int:
    """The most resident memory so far, in bytes.

    Where the kernel tells it of the program that runs: `ru_maxrss` counts from the process that started this one.
    """
    if _STATUS.exists():
        line = next(line for line in _STATUS.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) << 10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << (0 if sys.platform == "darwin" else 10)
