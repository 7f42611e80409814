# Shared by run and test: a Python, the project's own environment, the system libraries Qt stands on.
# Written for bash 3.2 and later (macOS still ships 3.2), so without associative arrays.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
environment=$root/.venv
python=$environment/bin/python

say() { printf '%s\n' "$*" >&2; }

fail() {
  say "$@"
  exit 1
}

# --- Python and the environment ---------------------------------------------------------------------------

is_recent() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

can_make_environments() { "$1" -c 'import ensurepip, venv' >/dev/null 2>&1; }

# The first Python that is recent enough and complete, else the first that is recent enough.
find_python() {
  local candidate incomplete=
  if [ -n "${PYTHON:-}" ]; then
    is_recent "$PYTHON" || fail "PYTHON is set to $PYTHON, which does not run as Python 3.11 or newer."
    printf '%s\n' "$PYTHON"
    return
  fi
  for candidate in python3.13 python3.12 python3.11 python3 python; do
    is_recent "$candidate" || continue
    if can_make_environments "$candidate"; then
      printf '%s\n' "$candidate"
      return
    fi
    incomplete=${incomplete:-$candidate}
  done
  [ -n "$incomplete" ] || fail "Recorder Editor needs Python 3.11 or newer, and none was found." \
    "Install one, or set PYTHON to the one to use."
  printf '%s\n' "$incomplete"
}

make_environment() {
  local base version log
  base=$(find_python)
  if ! can_make_environments "$base"; then
    version=$("$base" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    say "Python $version ($(command -v "$base")) cannot make virtual environments: its module venv or ensurepip is missing."
    case $(package_manager) in
      apt-get) install_packages "python$version-venv" || exit 1 ;;
      *) fail "Install the package that holds them, or set PYTHON to a complete Python." ;;
    esac
    can_make_environments "$base" || fail "They are still missing. Set PYTHON to a complete Python, 3.11 or newer."
  fi
  log=$("$base" -m venv --clear "$environment" 2>&1) || fail "The environment $environment could not be made:" "$log"
}

# prepare [EXTRA [OPTION]]: the environment with the project in it; installs (pip gets the option) only when
# pyproject.toml, the extra or the folder changed since the last time.
prepare() {
  local extra=${1:-} stamp=$environment/installed${1:+-$1} state
  state="$root $(cksum <"$root/pyproject.toml")"
  is_recent "$python" || make_environment
  [ "$(cat "$stamp" 2>/dev/null)" = "$state" ] && return
  say "Installing what the program needs into $environment (once; about 100 MB)."
  "$python" -m pip --version >/dev/null 2>&1 || make_environment
  "$python" -m pip install --quiet --quiet --disable-pip-version-check ${2:+"$2"} --editable \
    "$root${extra:+[$extra]}" ||
    fail "pip could not install what the program needs; its own words are above."
  printf '%s\n' "$state" >"$stamp"
  [ -z "$extra" ] || printf '%s\n' "$state" >"$environment/installed"
}

# --- the system's packages --------------------------------------------------------------------------------

package_manager() {
  local name
  for name in apt-get dnf zypper pacman apk; do
    if command -v "$name" >/dev/null 2>&1; then
      printf '%s\n' "$name"
      return
    fi
  done
}

# install_packages NAME...: as root or with a sudo that asks nothing; otherwise names the command and fails.
install_packages() {
  local manager log prefix=() command=()
  manager=$(package_manager)
  case $manager in
    apt-get) command=(apt-get install --yes --no-install-recommends "$@") ;;
    dnf) command=(dnf install --assumeyes "$@") ;;
    zypper) command=(zypper --non-interactive install --capability "$@") ;;
    pacman) command=(pacman --sync --noconfirm --needed "$@") ;;
    apk) command=(apk add "$@") ;;
    *)
      say "No known package manager was found here. Please install: $*"
      return 1
      ;;
  esac
  if [ "$(id -u)" -ne 0 ]; then
    if ! sudo -n true >/dev/null 2>&1; then
      say "Installing it takes an administrator. Please run this, and then start again:"
      say "  $([ "$manager" = apt-get ] && echo "sudo apt-get update && ")sudo$(printf ' %q' "${command[@]}")"
      return 1
    fi
    prefix=(sudo -n)
  fi
  say "Installing with $manager: $*"
  prefix+=(env DEBIAN_FRONTEND=noninteractive)
  if [ "$manager" = apt-get ]; then
    "${prefix[@]}" apt-get -o DPkg::Lock::Timeout=300 update >/dev/null 2>&1 || true
    command=(apt-get -o DPkg::Lock::Timeout=300 "${command[@]:1}")
  fi
  if ! log=$("${prefix[@]}" "${command[@]}" 2>&1 </dev/null); then
    say "$log"
    say "That did not work. Please install it yourself: $*"
    return 1
  fi
}

# The package that holds a shared library.  The rpm family finds it by the library's own name.
package_of() {
  local library=$1
  case $(package_manager) in
    dnf | zypper)
      case $(uname -m) in
        *64*) printf '%s()(64bit)\n' "$library" ;;
        *) printf '%s\n' "$library" ;;
      esac
      ;;
    pacman)
      case $library in
        libEGL.* | libGL.* | libGLX.* | libOpenGL.* | libGLdispatch.*) echo libglvnd ;;
        libxkbcommon-x11.*) echo libxkbcommon-x11 ;;
        libxkbcommon.*) echo libxkbcommon ;;
        libxcb-cursor.*) echo xcb-util-cursor ;;
        libxcb-icccm.*) echo xcb-util-wm ;;
        libxcb-image.*) echo xcb-util-image ;;
        libxcb-keysyms.*) echo xcb-util-keysyms ;;
        libxcb-render-util.*) echo xcb-util-renderutil ;;
        libxcb-util.*) echo xcb-util ;;
        libxcb*) echo libxcb ;;
        libX11*) echo libx11 ;;
        libfontconfig.*) echo fontconfig ;;
        libfreetype.*) echo freetype2 ;;
        libdbus-1.*) echo dbus ;;
        libglib-2.0.* | libgthread-2.0.*) echo glib2 ;;
        libwayland-*) echo wayland ;;
        libstdc++.* | libgcc_s.*) echo gcc-libs ;;
        libz.*) echo zlib ;;
        libzstd.*) echo zstd ;;
        *) echo "$library" ;;
      esac
      ;;
    *)
      case $library in
        libEGL.*) echo libegl1 ;;
        libGL.*) echo libgl1 ;;
        libGLX.*) echo libglx0 ;;
        libOpenGL.*) echo libopengl0 ;;
        libX11.*) echo libx11-6 ;;
        libX11-xcb.*) echo libx11-xcb1 ;;
        libfontconfig.*) echo libfontconfig1 ;;
        libfreetype.*) echo libfreetype6 ;;
        libdbus-1.*) echo libdbus-1-3 ;;
        libglib-2.0.* | libgthread-2.0.*) echo libglib2.0-0 ;;
        libstdc++.*) echo libstdc++6 ;;
        libgcc_s.*) echo libgcc-s1 ;;
        libz.*) echo zlib1g ;;
        libzstd.*) echo libzstd1 ;;
        # The rest follow Debian's rule: libxcb-cursor.so.0 is in libxcb-cursor0, libxkbcommon-x11.so.0 in -x11-0.
        *) printf '%s\n' "$library" | sed -e 's/\([0-9]\)\.so\./\1-/' -e 's/\.so\.//' ;;
      esac
      ;;
  esac
}

font_package() {
  case $(package_manager) in
    dnf) echo dejavu-sans-fonts dejavu-sans-mono-fonts ;;
    zypper) echo dejavu-fonts ;;
    pacman) echo ttf-dejavu ;;
    apk) echo font-dejavu ;;
    *) echo fonts-dejavu-core ;;
  esac
}

has_fonts() {
  local folder
  for folder in /usr/share/fonts /usr/local/share/fonts "${XDG_DATA_HOME:-$HOME/.local/share}/fonts" "$HOME/.fonts"; do
    [ -z "$(find -L "$folder" \( -name '*.ttf' -o -name '*.otf' -o -name '*.ttc' \) 2>/dev/null | head -n 1)" ] || return 0
  done
  return 1
}

# missing_libraries PLATFORM...: what Qt's own libraries and the named platform plugins ask for and do not find.
missing_libraries() {
  local qt name files=()
  qt=$("$python" -c 'from importlib.util import find_spec; print(find_spec("PySide6").submodule_search_locations[0])')/Qt
  for name in Core Gui Widgets DBus Svg OpenGLWidgets Test; do
    files+=("$qt/lib/libQt6$name.so.6")
  done
  for name in "$@"; do
    files+=("$qt/plugins/platforms/libq$name.so")
  done
  for name in "${files[@]}"; do
    [ ! -e "$name" ] || ldd "$name" 2>/dev/null
  done | awk '/=> not found/ { print $1 }' | sort -u
}

# need_system PLATFORM...: installs the libraries and the font that are missing, or says how and fails.
need_system() {
  local library missing packages=()
  [ "$(uname -s)" = Linux ] || return 0
  missing=$(missing_libraries "$@")
  for library in $missing; do
    packages+=("$(package_of "$library")")
  done
  if ! has_fonts; then
    missing="$missing a font"
    # shellcheck disable=SC2207 # package names hold no spaces
    packages+=($(font_package))
  fi
  [ ${#packages[@]} -gt 0 ] || return 0
  # shellcheck disable=SC2086 # one line out of several
  say "The window's toolkit, Qt, does not find on this system:" $missing
  # shellcheck disable=SC2207
  packages=($(printf '%s\n' "${packages[@]}" | sort -u))
  install_packages "${packages[@]}" || exit 1
  missing=$(missing_libraries "$@")
  # shellcheck disable=SC2086
  [ -z "$missing" ] || fail "Still missing after that:" $missing
}
