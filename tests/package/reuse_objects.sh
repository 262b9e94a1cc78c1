#!/usr/bin/env bash
# A compiler launcher for trees that check packaging: the objects of the library are those of BUILD_DIR, which are
# position-independent and compiled alike; a few are compiled nevertheless, to see that they can be.
# Usage: reuse_objects.sh BUILD_DIR COMPILER ARGUMENT...
build=$1
shift
object=
for ((i = 1; i < $#; ++i)); do
  [[ ${!i} != -o ]] || { i=$((i + 1)); object=${!i}; }
done
name=${object#*CMakeFiles/}
case ${name#*.dir/} in
  src/base/error* | src/base/names* | Unity/unity_base_1* | src/io/report/viewer_page*) exec "$@" ;;
esac
kept=$build/CMakeFiles/$name
if [[ -n $object && -f $kept ]]; then exec cp "$kept" "$object"; fi
exec "$@"
