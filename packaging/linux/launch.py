"""The program of the bundle. What starts Python in a checkout starts this one again in the bundle."""

import multiprocessing
import os
import sys

# The bundle's own libraries are for its own processes, and not for the browser that shows a page.
if (libraries := os.environ.pop("LD_LIBRARY_PATH_ORIG", None)) is not None:
    os.environ["LD_LIBRARY_PATH"] = libraries
else:
    os.environ.pop("LD_LIBRARY_PATH", None)
multiprocessing.freeze_support()
if sys.argv[1:3] == ["-P", "-c"]:
    sys.argv[:4], code = ["-c"], sys.argv[3]
    exec(code)
else:
    from recorder_editor.__main__ import main

    sys.exit(main())
