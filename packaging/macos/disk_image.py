"""Makes the disk image for macOS: dist/recorder-editor-VERSION-macos-MACHINE.dmg. For macOS only.

python packaging/macos/disk_image.py

Signs if MACOS_IDENTITY names an identity of the keychain (packaging/linux/bundle.spec does so for the bundle), and has
Apple notarize the image if MACOS_PROFILE names a profile that `notarytool store-credentials` kept in MACOS_KEYCHAIN.
"""

import os
import platform
import sys
from pathlib import Path

PACKAGING = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PACKAGING))

from facts import facts  # noqa: E402 - its folder is found a line above
from freeze import PROJECT, WORK, freeze, run  # noqa: E402 - as above


def main() -> None:
    known = facts()
    image = PROJECT / "dist" / f"recorder-editor-{known['version']}-macos-{platform.machine()}.dmg"
    image.parent.mkdir(exist_ok=True)
    folder = WORK / "image"
    app = freeze() / f"{known['title']}.app"
    folder.mkdir()
    app.rename(folder / app.name)
    (folder / "Applications").symlink_to("/Applications")
    run("hdiutil", "create", "-volname", known["title"], "-srcfolder", folder, "-format", "UDZO", "-ov", image)
    if identity := os.environ.get("MACOS_IDENTITY"):
        run("codesign", "--sign", identity, "--timestamp", image)
    if profile := os.environ.get("MACOS_PROFILE"):
        keychain = ("--keychain", os.environ["MACOS_KEYCHAIN"])
        run("xcrun", "notarytool", "submit", image, "--keychain-profile", profile, *keychain, "--wait")
        run("xcrun", "stapler", "staple", image)


if __name__ == "__main__":
    main()
