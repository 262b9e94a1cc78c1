#!/usr/bin/env bash
# ./maggi and ./test on machines they have never seen: Debian's tools and CMake are replaced by stand-ins that keep a
# record, so that nothing is installed or compiled. Usage: check_commands.sh SOURCE_DIR
# shellcheck disable=SC2016,SC2317,SC2329
set -u
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/tree bin=$work/bin elsewhere=$work/elsewhere
export record=$work/record state=$work/state

failures=0
expect() { # WHAT CONDITION...
  local what=$1
  shift
  "$@" || { echo "FAILED: $what" >&2; failures=$((failures + 1)); }
}
recorded() { grep -qE -- "$1" "$record"; }
times() { [[ $(grep -cE -- "$1" "$record") -eq $2 ]]; }
not() { ! "$@"; }

mkdir -p "$bin" "$elsewhere"
stand_in() { printf '#!/bin/bash\n%s\n' "$2" >"$bin/$1" && chmod +x "$bin/$1"; }
stand_in id 'echo "$as_user"'
stand_in sudo '[[ $may_sudo == yes && $1 == -n ]] || exit 1; shift; exec "$@"'
stand_in nproc 'echo 2'
stand_in dpkg-query 'for name in "$@"; do grep -xF -e "$name installed" -e "$name config-files" "$state/packages"; done; true'
stand_in apt-get 'echo "apt-get $* [$DEBIAN_FRONTEND]" >>"$record"
[[ -e $state/offline ]] && { echo "E: no network" >&2; exit 100; }
for name in "$@"; do [[ $name == -* || $name == install || $name == update ]] || echo "$name installed" >>"$state/packages"; done
echo "chatter on stdout"'
stand_in cmake 'echo "cmake $*" >>"$record"
if [[ $1 == --preset ]]; then
  mkdir -p "build/$2" && echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" >"build/$2/CMakeCache.txt" && touch "build/$2/build.ninja"
else
  sleep 0.2
  echo "[1/2] Building CXX object a.o"
  [[ -e $state/broken ]] && { echo "FAILED: a.o"; echo "a.cpp:3:1: error: a is not b"; exit 1; }
  mkdir -p "$2/apps/maggi" && printf "#!/bin/bash\necho \"\$PWD: \$*\"\nexit 2\n" >"$2/apps/maggi/maggi" && chmod +x "$2/apps/maggi/maggi"
fi'
stand_in ctest 'echo "ctest $*" >>"$record"; echo "100% tests passed"; [[ ! -e $state/broken ]]'
export PATH=$bin:/usr/bin:/bin

fresh() { # a new machine: git, a shell, nothing else
  rm -rf "$tree" "$state" && mkdir -p "$tree/src/base" "$state" && : >"$record"
  cp -r "$source/maggi" "$source/test" "$source/scripts" "$tree"
  touch "$tree/CMakeLists.txt" "$tree/src/base/a.cpp" "$tree/src/base/b.cpp"
  echo "g++ installed
libfmt-dev config-files" >"$state/packages"
  export as_user=0 may_sudo=no
}
run() { # COMMAND ARGUMENT... : sets code; stdout and stderr in files
  (cd "$elsewhere" && "$@") >"$work/out" 2>"$work/err"
  code=$?
}
out_is() { [[ $(<"$work/out") == "$1" ]]; }
err_has() { grep -qE -- "$1" "$work/err"; }

# first call, as root
fresh
run "$tree/maggi" run "a b.toml" --json
expect "the exit code is the program's" [ "$code" -eq 2 ]
expect "stdout is the program's alone, in the caller's folder" out_is "$elsewhere: run a b.toml --json"
expect "lists are fetched first" eval 'head -n 1 "$record" | grep -q "apt-get .*update"'
expect "what is missing is installed, quietly" recorded "install -y --no-install-recommends cmake .*libeigen3-dev.*\[noninteractive\]"
expect "a package that was removed is missing" recorded "install .*libfmt-dev"
expect "what is there is not installed again" not recorded "install .*g\+\+"
expect "the tests' packages are not needed" not recorded "gtest"
expect "nor are SUNDIALS and MPI" not recorded "sundials|mpi"
expect "how long it takes is said" err_has "configuring and building, once: about [0-9]+ (s|min) on 2 cores"
expect "tests are not built" recorded "cmake --preset release .*MAGGI_TESTS=OFF"
expect "progress is shown on stderr" err_has "installing cmake"

# second call
: >"$record"
run "$tree/maggi" check x.toml
expect "the second call goes straight to the program" out_is "$elsewhere: check x.toml"
expect "and does nothing else" [ ! -s "$record" ]
expect "and says nothing" [ ! -s "$work/err" ]
best=1000
for _ in 1 2 3 4 5 6 7; do
  began=$(date +%s%N) && "$tree/maggi" >/dev/null
  took=$((($(date +%s%N) - began) / 1000000)) && best=$((took < best ? took : best))
done
expect "and starts within 0.1 s (best of seven: $best ms)" [ "$best" -lt 100 ]
ln -s "$tree/maggi" "$work/link"
run "$work/link" run
expect "a symbolic link works" out_is "$elsewhere: run"

# something changed
sleep 0.02 && touch "$tree/src/base/a.cpp"
run "$tree/maggi"
expect "a changed source is built" times "cmake --build" 1
expect "without configuring again" times "cmake --preset" 0
sleep 0.02 && rm "$tree/src/base/b.cpp"
run "$tree/maggi"
expect "a removed source is built" times "cmake --build" 2
mv "$tree" "$work/moved" && : >"$record"
run "$work/moved/maggi"
expect "a moved tree is configured anew" times "cmake --preset" 1
mv "$work/moved" "$tree"

# faults
touch "$state/broken" && sleep 0.02 && touch "$tree/src/base/a.cpp"
run "$tree/maggi" run
expect "a failed build exits with 3" [ "$code" -eq 3 ]
expect "and shows the compiler's error" err_has "a.cpp:3:1: error: a is not b"
expect "and no progress lines" not err_has "Building CXX"
rm "$state/broken"
run "$tree/maggi" run
expect "and is tried again" out_is "$elsewhere: run"
fresh && touch "$state/offline"
run "$tree/maggi"
expect "a failed installation exits with 3" [ "$code" -eq 3 ]
expect "and shows why" err_has "E: no network"

# without root
fresh && as_user=1000
run "$tree/maggi"
expect "without root: exit 3" [ "$code" -eq 3 ]
expect "and nothing was done" [ ! -s "$record" ]
expect "and the one line that is missing" eval '[[ $(grep -cE "^sudo apt-get update && sudo apt-get install -y --no-install-recommends cmake ninja-build .*zlib1g-dev$" "$work/err") -eq 1 ]]'
may_sudo=yes
run "$tree/maggi" run
expect "with sudo: installed" recorded "install .*cmake.*\[noninteractive\]"
expect "and built" out_is "$elsewhere: run"
fresh && cp -r "$bin" "$work/other" && rm "$work/other/dpkg-query" "$work/other/apt-get"
for tool in bash env dirname readlink find cat mkdir grep flock mv rm sleep touch chmod; do
  ln -s "$(type -P $tool)" "$work/other/$tool"
done
run env PATH="$work/other" "$tree/maggi" run
expect "not Debian: built with what is there" out_is "$elsewhere: run"
expect "and the packages are named" err_has "not a Debian system.*libeigen3-dev"

# two at once
fresh
"$tree/maggi" first >"$work/first" 2>/dev/null &
"$tree/maggi" second >"$work/second" 2>/dev/null &
wait
expect "of two calls at once, one builds" times "cmake --build" 1
expect "and both run" grep -q "first" "$work/first"
expect "and both run" grep -q "second" "$work/second"

# ./test
fresh
run "$tree/test"
expect "all tests" [ "$code" -eq 0 ]
expect "the tests' packages are installed" recorded "install .*libgtest-dev.*librapidcheck-dev.*libopenmpi-dev.*libsundials-dev"
expect "the summary is last" eval '[[ $(tail -n 1 "$work/out") == "100% tests passed" ]]'
expect "in the release build, tests included" recorded "cmake --preset release .*MAGGI_TESTS=ON"
: >"$record"
run "$tree/maggi"
expect "./maggi keeps that build" times "cmake --preset" 0
run "$tree/test" --asan "Agreement.*"
expect "sanitizers and a filter" recorded "ctest --test-dir .*/build/asan .*-R Agreement\.\*"
run "$tree/test" --debug --subset
expect "a subset builds no more than it runs" recorded "cmake --build .*/build/debug .*--target test_subset"
expect "with assertions" recorded "ctest --test-dir .*/build/debug .*-L subset"
run "$tree/test" --help
expect "help" [ "$code" -eq 0 ]
run "$tree/test" --nonsense
expect "an unknown option is refused" [ "$code" -eq 1 ]
expect "by name" err_has "nonsense"
stand_in ctest 'echo "50% tests passed"; exit 8'
run "$tree/test"
expect "a failing test exits with 1" [ "$code" -eq 1 ]

[[ $failures -eq 0 ]] && echo "all commands behave"
exit $((failures > 0))
