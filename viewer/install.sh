#!/usr/bin/env bash
# The packages of package-lock.json, exactly; nothing to do if they are there.
set -eu
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")"
[[ node_modules/.package-lock.json -nt package-lock.json ]] && exit 0
npm ci --ignore-scripts --no-audit --no-fund
touch node_modules/.package-lock.json
