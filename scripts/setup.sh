# shellcheck shell=bash disable=SC2034,SC2154  # root comes from the caller, the package lists go to it
# Shared by ./maggi and ./test: install what is missing, configure, build. Sourced, not run.
#
# Everything here prints to stderr, so that stdout belongs to the program. A set-up that fails exits with 3.

# what the program needs to be built, by Debian package
build_packages=(g++ cmake ninja-build pkg-config
  libeigen3-dev libfmt-dev libtomlplusplus-dev nlohmann-json3-dev libcli11-dev zlib1g-dev)
# what the tests need besides: they also cover maggi-mpi, CVODE and IDA
test_packages=(libgtest-dev libgmock-dev librapidcheck-dev python3 python3-numpy python3-jsonschema chromium
  librsvg2-bin libopenmpi-dev openmpi-bin)
# SUNDIALS' package brings PETSc and MPI along, so the first run does without it unless it is asked for
case ${MAGGI_SUNDIALS:-} in
  [Oo][Nn]) build_packages+=(libsundials-dev) ;;
  [Oo][Ff][Ff]) ;;
  *) test_packages+=(libsundials-dev) ;;
esac
command -v npm >/dev/null || test_packages+=(nodejs npm) # one that is not Debian's does as well, and rules theirs out

say() { printf 'maggi: %s\n' "$*" >&2; }
fail() { say "$*"; exit 3; }

# missing_packages NAME... : those that are not installed, one per line
missing_packages() {
  local installed
  installed=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "$@" 2>/dev/null)
  for name in "$@"; do
    grep -qxF "$name installed" <<<"$installed" || echo "$name"
  done
}

# install_packages NAME... : installs those that are missing, or says which line would
install_packages() {
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    say "not a Debian system: packages are not checked (needed: $*)"
    return
  fi
  local missing as_root=()
  mapfile -t missing < <(missing_packages "$@")
  [[ ${#missing[@]} -gt 0 ]] || return 0
  if [[ $(id -u) -ne 0 ]]; then
    if ! sudo -n true 2>/dev/null; then
      say "missing packages; this installs them:"
      echo "sudo apt-get update && sudo apt-get install -y --no-install-recommends ${missing[*]}" >&2
      exit 3
    fi
    as_root=(sudo -n)
  fi
  as_root+=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=600 -o Dpkg::Use-Pty=0)
  say "installing ${missing[*]}"
  local log=$root/build/install.log
  # a failing update need not matter: the lists at hand may do
  "${as_root[@]}" update </dev/null >"$log" 2>&1
  "${as_root[@]}" install -y --no-install-recommends "${missing[@]}" </dev/null >>"$log" 2>&1 ||
    { tail -n 20 "$log" >&2; fail "could not install: ${missing[*]}"; }
}

# duration SECONDS : as people say it
duration() {
  if (($1 < 100)); then echo "$1 s"; else echo "$((($1 + 30) / 60)) min"; fi
}

# progress DONE ALL SECONDS : how far a build is, and how long it still takes at the pace of the files compiled so far
progress() {
  printf 'building, %s %%' $((100 * $1 / $2))
  ((10 * $1 < $2 || $3 < 5)) || printf ', %s left' "$(duration $(($3 * ($2 - $1) / $1)))"
}

# follow_build LOG : passes the build's output into LOG and shows how far it is, every ten seconds where it cannot overwrite
follow_build() {
  local line began=$SECONDS shown=$SECONDS
  while IFS= read -r line; do
    printf '%s\n' "$line" >&3
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
    if [[ -t 2 ]]; then
      printf '\rmaggi: %-40s' "$(progress "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" $((SECONDS - began)))" >&2
    elif ((SECONDS >= shown + 10)); then
      shown=$SECONDS
      say "$(progress "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" $((SECONDS - began)))"
    fi
  done 3>"$1"
  [[ ! -t 2 ]] || printf '\r%-48s\r' '' >&2
}

# show_errors LOG : what the compiler said, without the progress lines
show_errors() { grep -vE '^\[[0-9]+/[0-9]+\]' "$1" >&2; }

# configured PRESET : here, not in another place from which the tree was moved or copied
configured() {
  [[ -f $root/build/$1/build.ninja ]] &&
    grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$root/build/$1/CMakeCache.txt" 2>/dev/null
}

# configure PRESET OPTION... : quiet unless it fails
configure() {
  local preset=$1 log=$root/build/$1/configure.log
  shift
  mkdir -p "$root/build/$preset" || fail "cannot write to $root/build"
  configured "$preset" || rm -rf "$root/build/$preset/CMakeCache.txt" "$root/build/$preset/CMakeFiles"
  # what was compiled before, here or in another tree, is not compiled again
  if command -v ccache >/dev/null; then
    export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1
    set -- -DCMAKE_CXX_COMPILER_LAUNCHER=ccache "$@"
  fi
  (cd "$root" && cmake --preset "$preset" "$@") </dev/null >"$log" 2>&1 ||
    { cat "$log" >&2; fail "could not configure (preset $preset)"; }
}

# build PRESET [--target NAME]
build() {
  local preset=$1 log=$root/build/$1/build.log began=$SECONDS
  shift
  cmake --build "$root/build/$preset" -j "$(nproc)" "$@" </dev/null 2>&1 | follow_build "$log"
  [[ ${PIPESTATUS[0]} -eq 0 ]] || { show_errors "$log"; fail "could not build (preset $preset)"; }
  say "build/$preset is up to date ($((SECONDS - began)) s)"
}

# locked COMMAND... : one set-up at a time in this tree; the others wait. Ends the script with 3 if the command fails.
locked() {
  mkdir -p "$root/build" || fail "cannot write to $root/build"
  (
    flock -n 9 || { say "waiting for another build in this tree"; flock 9; }
    "$@"
  ) 9>"$root/build/lock" || exit 3
}
