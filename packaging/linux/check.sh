# Sourced by packaging/build: tries what is in dist/. What cannot be tried here is said, and is not a failure.
# shellcheck shell=bash
# shellcheck disable=SC2154 # these variables are packaging/build's

max_deb=90000000
max_glibc=2.35
max_seconds=3
sample=$source/resources/sample/town.log
trial=$(mktemp -d)
root_folder=
trap 'remove_trial' EXIT

remove_trial() {
  [ -z "$root_folder" ] || rm -rf --one-file-system "$root_folder"
  rm -rf "$trial"
}

need_tools() {
  local tool packages=()
  while read -r tool package; do
    command -v "$tool" >/dev/null 2>&1 || packages+=("$package")
  done <<'TOOLS'
appstreamcli appstream
debootstrap debootstrap
desktop-file-validate desktop-file-utils
fish fish
lintian lintian
man man-db
readelf binutils
Xvfb xvfb
zsh zsh
TOOLS
  [ ${#packages[@]} -eq 0 ] || install_packages "${packages[@]}" || exit 1
}

# try_program WHAT COMMAND...: the command shows its versions, reads the sample and draws it without a screen; in Chinese,
# too.
try_program() {
  local what=$1
  shift
  (
    HOME=$(mktemp -d "$trial/home.XXXX")
    cd "$HOME" || exit 1
    export QT_QPA_PLATFORM=
    unset DISPLAY WAYLAND_DISPLAY
    "$@" --version | head -n 2 | paste --serial --delimiters=, | sed "s/,/, /; s|^|  $what: |" >&2
    [ "$("$@" info "$sample" | grep -c '^Frames: 421$')" = 1 ] || fail "$what: info does not read the sample."
    "$@" screenshot "$sample" town.png
    [ "$(stat --format %s town.png)" -gt 50000 ] || fail "$what: the picture of the sample is empty."
    "$@" check --lang zh_CN "$sample" | grep --quiet '421 帧' || fail "$what: check does not speak Chinese."
    if has_chinese_font; then
      LC_ALL=zh_CN.UTF-8 "$@" screenshot "$sample" "$dist/chinese.png" 2>/dev/null
      ! cmp --silent town.png "$dist/chinese.png" || fail "$what: the window does not speak Chinese."
    else
      say "  $what: NOT TRIED with a Chinese window: no font has its letters."
    fi
  )
}

# By what the program asks before it speaks Chinese.
has_chinese_font() {
  QT_QPA_PLATFORM=offscreen "$tools/python" <<'CODE'
import sys
from PySide6.QtGui import QFontDatabase, QGuiApplication

application = QGuiApplication([])
sys.exit(not QFontDatabase.families(QFontDatabase.WritingSystem.SimplifiedChinese))
CODE
}

check_wheel() {
  say "check: wheel and source distribution"
  local version python
  "$tools/pip" wheel --quiet --quiet --no-deps --no-build-isolation --wheel-dir "$trial/again" "$sdist"
  cmp "$wheel" "$trial/again/$(basename "$wheel")" || fail "The source distribution builds another wheel."
  for version in 3.11 3.12 3.13; do
    python=$(python_of "$version")
    if [ -z "$python" ]; then
      say "  NOT TRIED with Python $version: there is none here."
      continue
    fi
    for package in "$wheel" "$sdist"; do
      rm -rf "$trial/environment"
      "$python" -m venv "$trial/environment"
      "$trial/environment/bin/pip" install --quiet --quiet --disable-pip-version-check "$package"
      try_program "Python $version, $(basename "$package")" "$trial/environment/bin/recorder-editor"
    done
  done
}

# A Python of that version: in PATH, or among pyenv's.
python_of() {
  local candidate pyenv=${PYENV_ROOT:-$HOME/.pyenv}
  for candidate in "/usr/bin/python$1" "$pyenv"/versions/"$1".*/bin/python "$(command -v "python$1")"; do
    if [ -x "$candidate" ] && can_make_environments "$candidate"; then
      printf '%s\n' "$candidate"
      return
    fi
  done
}

unpack_bundle() {
  [ ! -d "$trial/bundle" ] || return 0
  mkdir "$trial/bundle"
  tar --extract --file "$archive" --directory "$trial/bundle" --strip-components 1
}

check_bundle() {
  say "check: bundle"
  local place=$trial/bundle newest
  unpack_bundle
  try_program "bundle" "$place/recorder-editor"
  "$tools/python" "$source/packaging/trial.py" "$place/recorder-editor" || fail "bundle: see above."
  [ -s "$place/_internal/licenses/LGPL-3.txt" ] || fail "The bundle lacks the licence of Qt."
  newest=$(needed_glibc)
  say "  needs glibc $newest"
  printf '%s\n' "$newest" "$max_glibc" | sort --version-sort --check || fail "That is newer than $max_glibc."
  if LD_DEBUG=files "$place/recorder-editor" info "$sample" 2>&1 >/dev/null | grep --quiet libQt6; then
    fail "The command line of the bundle loads Qt."
  fi
  # Processes that it starts are the bundle's own.
  "$place/recorder-editor" edit "$sample" "$trial/one.log" --shift 1 --save-script "$trial/shift.json"
  cp "$sample" "$trial/two.log"
  "$place/recorder-editor" run "$trial/shift.json" "$sample" "$trial/two.log" --out-dir "$trial/shifted" --workers 2
  cmp "$trial/one.log" "$trial/shifted/two.log"
  [ "$("$place/recorder-editor" -P -c 'import sys; print(sys.argv)' one)" = "['-c', 'one']" ] ||
    fail "The bundle does not run code for itself as Python does."
  if grep --recursive --quiet --fixed-strings "$build" "$place"; then
    fail "The bundle names the folder it was built in."
  fi
}

check_files() {
  say "check: what desktops and shells read"
  local share=$trial/bundle/share
  unpack_bundle
  desktop-file-validate "$share"/applications/*.desktop
  appstreamcli validate --no-net "$share"/metainfo/*.xml >&2
  [ -z "$(man --warnings --local-file "$share/man/man1/recorder-editor.1.gz" 2>&1 >/dev/null)" ] ||
    fail "The manual page has errors."
  bash -n "$share/bash-completion/completions/recorder-editor"
  zsh -n "$share/zsh/vendor-completions/_recorder-editor"
  fish --no-execute "$share/fish/vendor_completions.d/recorder-editor.fish"
}

check_deb() {
  say "check: deb"
  local size
  size=$(stat --format %s "$deb")
  say "  $size bytes"
  [ "$size" -le "$max_deb" ] || fail "That is more than $max_deb."
  lintian --allow-root --fail-on error "$deb" >"$trial/log" 2>&1 || fail "$(cat "$trial/log")"
  cat "$trial/log" >&2
}

check_reproducible() {
  say "check: built again, in another folder"
  RECORDER_EDITOR_BUILD=$trial/somewhere/else RECORDER_EDITOR_DIST=$trial/dist \
    "$root/packaging/build" packages 2>"$trial/log" || fail "$(cat "$trial/log")"
  for file in "$wheel" "$sdist" "$archive" "$deb"; do
    cmp "$file" "$trial/dist/$(basename "$file")" || fail "$(basename "$file") differs."
    sha256sum "$file" | sed 's|^|  |; s| [^ ]*/| |' >&2
  done
}

# Installs the package into a bare Debian, opens the sample there as a double click does, and removes the package.
check_installed() {
  say "check: deb in a bare Debian"
  if [ "$(id -u)" -ne 0 ]; then
    say "  NOT TRIED: this takes an administrator."
    return
  fi
  root_folder=$build/debian
  rm -rf --one-file-system "$root_folder"
  debootstrap --variant=minbase --include=xdg-utils,libglib2.0-bin,desktop-file-utils,shared-mime-info \
    bookworm "$root_folder" http://deb.debian.org/debian >"$trial/log" || fail "$(tail "$trial/log")"
  cp /etc/resolv.conf "$root_folder/etc/"
  in_root useradd --create-home driver
  in_root apt-get update --quiet=2
  list_files >"$trial/before"
  cp "$sample" "$root_folder/home/driver/town.log"
  cp "$deb" "$root_folder/tmp/package.deb"
  in_root apt-get install --quiet=2 --yes --no-install-recommends /tmp/package.deb >"$trial/log" 2>&1 ||
    fail "$(tail "$trial/log")"
  rm "$root_folder/tmp/package.deb"
  as_driver recorder-editor --version | head -n 1 | sed 's/^/  /' >&2
  check_types
  local seconds best=
  for _ in 1 2 3; do
    seconds=$(WATCH=$dist/opened.png as_driver xdg-open /home/driver/town.log) ||
      fail "Nothing was drawn; see $dist/opened.png."
    say "  opened by xdg-open and drawn after $seconds s; see $dist/opened.png"
    # shellcheck disable=SC2086 # there is none at first
    best=$(printf '%s\n' $best "$seconds" | sort -g | head -n 1)
  done
  awk "BEGIN { exit $best > $max_seconds }" || fail "The best of these is more than $max_seconds s."
  in_root apt-get purge --quiet=2 --yes --auto-remove recorder-editor >"$trial/log" 2>&1 || fail "$(tail "$trial/log")"
  list_files >"$trial/after"
  diff "$trial/before" "$trial/after" >&2 || fail "These files were left behind or lost (marked > or <)."
  cmp "$sample" "$root_folder/home/driver/town.log"
  say "  removed; nothing is left but the user's files"
}

check_types() {
  printf 'a line of a log\n' >"$root_folder/home/driver/plain.log"
  cp "$sample" "$root_folder/home/driver/nameless"
  local name found
  for name in town.log nameless plain.log; do
    found=$(as_driver xdg-mime query filetype "/home/driver/$name")
    say "  $name is $found"
    [ "$([ "$found" = application/x-carla-recorder ] && echo yes)" = "$([ "$name" != plain.log ] && echo yes)" ] ||
      fail "That is wrong."
  done
}

# in_root COMMAND...: as its administrator; as_driver COMMAND...: as its user. With WATCH set, on a screen of its own.
in_root() {
  ${WATCH:+"$tools/python" "$linux/watch.py" "$WATCH"} unshare --mount --mount-proc="$root_folder/proc" \
    chroot ${USERSPEC:+"--userspec=$USERSPEC"} "$root_folder" env DEBIAN_FRONTEND=noninteractive "$@"
}

# xdg-open asks GLib, as most desktops do. Where it finds no desktop at all it goes by a file's name alone, and for that
# what ends in .log is text.
as_driver() { USERSPEC=driver in_root HOME=/home/driver XDG_CURRENT_DESKTOP=GNOME "$@"; }

# What is there, but for what the user has and what the package manager writes down for itself.
list_files() {
  local left_out
  left_out=$(printf ' -o -path ./%s' proc tmp var/log var/cache/apt var/lib/apt)
  # shellcheck disable=SC2086 # words of find
  (cd "$root_folder" && find . -xdev \( -path ./home $left_out \) -prune -o -print | sort)
}

need_tools
for file in "$wheel" "$sdist" "$archive" "$deb"; do
  [ -e "$file" ] || fail "$(basename "$file") is not in dist/; packaging/build makes all of them."
done
[ -d "$program" ] || fail "The folder of the bundle is gone; packaging/build makes it."
parts=("${@:2}")
[ ${#parts[@]} -gt 0 ] || parts=(wheel bundle files deb installed reproducible)
for part in "${parts[@]}"; do
  "check_$part"
done
