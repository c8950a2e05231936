# Sourced by ./setup and ./test: installs Debian packages by name, and only those that are missing,
# so that a machine which has them all needs neither root nor a network.

# Names in the given list files, comments and blank lines apart.
package_names() {
  sed -E 's/#.*//; s/[[:space:]]+//g; /^$/d' "$@"
}

# Whether the node on PATH is recent enough to take the place of Debian's.
node_is_recent() {
  local version
  version=$(node --version 2>/dev/null) || return 1
  version=${version#v}
  [ "${version%%.*}" -ge 18 ] 2>/dev/null
}

# Names on standard input that dpkg does not have installed.
missing_packages() {
  local name
  while read -r name; do
    case "$name" in
      nodejs) if node_is_recent; then continue; fi ;;
      npm) if node_is_recent && command -v npm >/dev/null; then continue; fi ;;
    esac
    [ "$(dpkg-query -W -f='${db:Status-Abbrev}' "$name" 2>/dev/null)" = "ii " ] || echo "$name"
  done
}

# install_packages LIST...: returns 2, saying what to do, where it may not install.
install_packages() {
  local -a missing=() as_root=()
  if ! command -v dpkg-query >/dev/null; then
    echo "This is no Debian system: install what these files list by hand: $*" >&2
    return 2
  fi
  mapfile -t missing < <(package_names "$@" | missing_packages)
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "Missing Debian packages, and neither root nor sudo to install them. As root, run:" >&2
      echo "  apt-get install --no-install-recommends ${missing[*]}" >&2
      return 2
    fi
    as_root=(sudo)
  fi
  echo "Installing ${#missing[@]} Debian packages: ${missing[*]}"
  "${as_root[@]}" apt-get update -qq </dev/null || return 2
  without_services "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
    --no-install-recommends -o Dpkg::Use-Pty=0 "${missing[@]}" </dev/null >/dev/null || {
    echo "apt-get could not install them; its message is above." >&2
    return 2
  }
}

# Runs a command that installs packages; none of them starts a service meanwhile. Some are servers,
# of which tests run copies of their own.
without_services() (
  local policy=/usr/sbin/policy-rc.d
  if [ ! -e "$policy" ]; then
    trap '"${as_root[@]}" rm -f "$policy"' EXIT
    printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" install -m 755 /dev/stdin "$policy" || return
  fi
  "$@"
)
