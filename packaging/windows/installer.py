"""Makes the installer for Windows: dist/recorder-editor-VERSION-windows.exe.

python packaging/windows/installer.py                   everything, on Windows, with NSIS
python packaging/windows/installer.py --bundle FOLDER   only the installer, of a folder that is there; on any system

Signs if WINDOWS_CERTIFICATE names a .pfx file, with the password WINDOWS_CERTIFICATE_PASSWORD.
"""

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

PACKAGING = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PACKAGING))

from facts import facts  # noqa: E402 - its folder is found a line above
from freeze import PROJECT, freeze, run  # noqa: E402 - as above
from icons import ico  # noqa: E402 - as above

TIMESTAMPS = "http://timestamp.digicert.com"  # as RFC 3161 has them; the answer is signed, so plain HTTP does


def sign(*files: Path) -> None:
    """Sign programs, if there is a certificate."""
    if certificate := os.environ.get("WINDOWS_CERTIFICATE"):
        password = os.environ.get("WINDOWS_CERTIFICATE_PASSWORD", "")
        key = ("/f", certificate, "/p", password, "/fd", "sha256", "/tr", TIMESTAMPS, "/td", "sha256")
        run("signtool", "sign", *key, *files)


def installer(bundle: Path, out: Path) -> None:
    """Compile the installer of a folder."""
    known = facts()
    with tempfile.TemporaryDirectory() as scratch:
        icon = Path(scratch) / "recorder-editor.ico"
        icon.write_bytes(ico())
        told = {name.upper(): known[name] for name in ("version", "numbers", "title", "summary", "publisher")}
        told |= {"ICON": str(icon), "BUNDLE": str(bundle.resolve()), "OUT": str(out.resolve())}
        defines = [f"-D{name}={value}" for name, value in told.items()]
        run(makensis(), "-WX", "-V2", "-INPUTCHARSET", "UTF8", *defines, PACKAGING / "windows" / "installer.nsi")


def makensis() -> str:
    """The compiler of NSIS: in the path, or where its own installer puts it."""
    usual = Path(os.environ.get("PROGRAMFILES(X86)", "")) / "NSIS" / "makensis.exe"
    return shutil.which("makensis") or str(usual)


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the installer for Windows.")
    parser.add_argument("--bundle", type=Path, metavar="FOLDER", help="make it of this folder, without a signature")
    bundle = parser.parse_args().bundle
    out = PROJECT / "dist" / f"recorder-editor-{facts()['version']}-windows.exe"
    out.parent.mkdir(exist_ok=True)
    if bundle is not None:
        installer(bundle, out)
        return
    bundle = freeze() / "recorder-editor"
    sign(*bundle.glob("*.exe"))
    installer(bundle, out)
    sign(out)


if __name__ == "__main__":
    main()
