"""Makes a folder with the program and its Python, for the packages of Windows and macOS: build/frozen/dist.

packaging/build does so on Linux, with more care for what goes into it; both follow packaging/linux/bundle.spec.
"""

import os
import shutil
import subprocess
import venv
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
LINUX = PROJECT / "packaging" / "linux"
WORK = PROJECT / "build" / "frozen"


def run(*command: str | Path) -> None:
    """Run a program that must succeed."""
    subprocess.run([str(word) for word in command], check=True)


def freeze() -> Path:
    """Install the program into an environment of its own and freeze it; returns the folder of what was made."""
    shutil.rmtree(WORK, ignore_errors=True)
    venv.create(WORK / "environment", with_pip=True)
    python = WORK / "environment" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    run(python, "-m", "pip", "install", "--quiet", "--constraint", LINUX / "constraints.txt", PROJECT, "pyinstaller")
    folders = ("--distpath", WORK / "dist", "--workpath", WORK / "work")
    run(python, "-m", "PyInstaller", "--log-level", "WARN", *folders, LINUX / "bundle.spec")
    return WORK / "dist"
