"""What goes into the bundle, and what of the system the bundle needs.

python packaging/contents.py LIBRARY...    prints those that no system is sure to have; exit code 1 if there are any

Read by packaging/linux/bundle.spec, by packaging/build and by the tests.
"""

import sys
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]

PACKAGES = ("numpy", "PySide6_Essentials", "shiboken6", "pyqtgraph", "colorama")
"""The distributions in the bundle beside the program, which tell their versions and licences in it."""

BUNDLED = ("numpy", "PySide6", "shiboken6", "pyqtgraph", "colorama")
"""What these and what they require are imported as."""

QT_PLUGINS = (
    "iconengines/*",
    "imageformats/libqsvg.so",
    "platforminputcontexts/libcompose*",
    "platforminputcontexts/libibus*",
    "platforms/libqoffscreen.so",
    "platforms/libqwayland*",
    "platforms/libqxcb.so",
    "platformthemes/*",
    "wayland-decoration-client/*",
    "wayland-graphics-integration-client/*",
    "wayland-shell-integration/*",
    "xcbglintegrations/*",
)
QT_LIBRARIES = ("Core", "DBus", "Gui", "OpenGL", "OpenGLWidgets", "Svg", "Widgets", "XcbQpa", "Wayland*", "Wl*")
KEPT = (
    "libpython3*",
    "libffi.so.*",
    "libsqlite3.so.*",
    "libxcb-cursor.so.*",
    "libxcb-icccm.so.*",
    "libxcb-image.so.*",
    "libxcb-keysyms.so.*",
    "libxcb-render-util.so.*",
    "libxcb-util.so.*",
    "numpy*",
    "python3*",
    "shiboken6/*",
    "PySide6/Qt*.abi3.so",
    "PySide6/libpyside6.*",
    "PySide6/Qt/lib/libicu*",
    *(f"PySide6/Qt/lib/libQt6{name}.so.*" for name in QT_LIBRARIES),
    *(f"PySide6/Qt/plugins/{name}" for name in QT_PLUGINS),
)
"""The libraries and extension modules that stay in the bundle for Linux, by their paths in it."""

SYSTEM = (
    "ld-linux*.so.*",
    "libEGL.so.*",
    "libGL.so.*",
    "libX11-xcb.so.*",
    "libX11.so.*",
    "libc.so.*",
    "libdbus-1.so.*",
    "libdl.so.*",
    "libexpat.so.*",
    "libfontconfig.so.*",
    "libfreetype.so.*",
    "libgcc_s.so.*",
    "libglib-2.0.so.*",
    "libgthread-2.0.so.*",
    "libm.so.*",
    "libpthread.so.*",
    "libstdc++.so.*",
    "libwayland-*.so.*",
    "libxcb.so.*",
    "libxcb-glx.so.*",
    "libxcb-randr.so.*",
    "libxcb-render.so.*",
    "libxcb-shape.so.*",
    "libxcb-shm.so.*",
    "libxcb-sync.so.*",
    "libxcb-xfixes.so.*",
    "libxcb-xkb.so.*",
    "libxkbcommon*.so.*",
    "libz.so.*",
    "libzstd.so.*",
)
"""The libraries that every system with a desktop has; the Debian package depends on those that the bundle needs."""

UNUSED = (
    "PySide6.QtDBus",
    "PySide6.QtNetwork",
    "PySide6.QtTest",
    "_bz2",
    "_curses",
    "_hashlib",
    "_lzma",
    "_ssl",
    "numpy.f2py",
    "pyqtgraph.examples",
    "pyqtgraph.jupyter",
    "pyqtgraph.opengl",
    "readline",
    "tkinter",
)
"""The modules that are left out on every system; tests/packaging/test_bundle.py: the program imports none of them."""

LEFT_OUT = (
    "*.dist-info/INSTALLER",
    "*.dist-info/RECORD",
    "*.dist-info/direct_url.json",  # the folder it was built in
    "PySide6/Qt/translations/*",
    "pyqtgraph/icons/peegee/*",
)
"""The other files that are left out on Linux."""


def is_among(patterns: Iterable[str], name: str) -> bool:
    """Whether a name matches one of the patterns."""
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def licences() -> list[Path]:
    """Return the texts that tell whose all of it is: notices, licences, and where the data of the program come from."""
    return [PROJECT / "LICENSE", PROJECT / "NOTICE", *sorted((PROJECT / "packaging" / "licenses").glob("*.txt"))]


def unknown(libraries: Iterable[str]) -> list[str]:
    """Return the libraries that no system is sure to have."""
    return [library for library in libraries if not is_among(SYSTEM, library)]


if __name__ == "__main__":
    missing = unknown(sys.argv[1:])
    if missing:
        print("\n".join(missing))
        sys.exit(1)
