#!/usr/bin/env bash
# Can a stranger use us? Usage: check_package.sh find|find-shared|subdirectory SOURCE_DIR BUILD_DIR
#
#   find          installs BUILD_DIR into a temporary prefix, moves the prefix, and consumes it by find_package
#   find-shared   builds a shared library first, then as above
#   subdirectory  consumes the source tree by add_subdirectory
set -eu
kind=$1 source=$2 build=$3
here=$source/tests/package
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

quiet() { "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; echo "failed: $*" >&2; exit 1; }; }
cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }
# compiled in the same groups, so that the objects have the same names
unity=$(cached MAGGI_UNITY)
cmake_options=(-G Ninja -DCMAKE_BUILD_TYPE="$(cached CMAKE_BUILD_TYPE)" -DMAGGI_UNITY="${unity:-OFF}"
  -DCMAKE_CXX_COMPILER_LAUNCHER="$here/reuse_objects.sh;$build")

if [[ $kind == find-shared ]]; then
  quiet cmake -S "$source" -B "$work/shared" "${cmake_options[@]}" -DBUILD_SHARED_LIBS=ON \
    -DMAGGI_TESTS=OFF -DMAGGI_EXAMPLES=OFF -DMAGGI_APP=OFF
  quiet cmake --build "$work/shared"
  build=$work/shared
fi
if [[ $kind == subdirectory ]]; then
  cmake_options+=(-DMAGGI_ROOT="$source")
else
  quiet cmake --install "$build" --prefix "$work/installed"
  mv "$work/installed" "$work/moved" # nothing may remember where it was
  cmake_options+=(-DCMAKE_PREFIX_PATH="$work/moved")
fi
quiet cmake -S "$here/consumer" -B "$work/consumer" "${cmake_options[@]}"
quiet cmake --build "$work/consumer"
"$work/consumer/consumer"

if [[ $kind != subdirectory ]]; then
  # no path of the machine we were built on may travel with the package
  if grep -rIlF -e "$source" -e "$build" "$work/moved/lib" "$work/moved/include"; then
    echo "these installed files name the source or build folder" >&2
    exit 1
  fi
  if [[ -x $work/moved/bin/maggi ]]; then quiet "$work/moved/bin/maggi" --version; fi
fi
