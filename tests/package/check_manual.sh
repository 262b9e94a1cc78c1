#!/usr/bin/env bash
# Manual pages and completions say what the program says. Usage: check_manual.sh MAGGI
# shellcheck disable=SC2034
set -u
maggi=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

failures=0
fault() { echo "FAILED: $*" >&2; failures=$((failures + 1)); }

"$maggi" write-manual "$work" || exit 1
# the text of a page as a reader sees it
page() { sed 's/\\-/-/g; s/\\f[BIR]//g; s/\\(aq/'"'"'/g' "$work/$1.1"; }

# every command and every option of --help is in the pages and in the completions of every shell
mapfile -t commands < <("$maggi" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]\+\) .*/\1/p')
[[ ${#commands[@]} -gt 5 ]] || fault "no commands found in the help"
for command in "${commands[@]}"; do
  page maggi | grep -qx -- "$command" || fault "maggi(1) does not name $command"
  [[ -f $work/maggi-$command.1 ]] || { fault "$command has no page"; continue; }
  mapfile -t options < <("$maggi" "$command" --help | grep -oE '^  (-[a-z],)?--[a-z-]+' | grep -oE -- '--[a-z-]+')
  [[ ${#options[@]} -gt 0 ]] || fault "$command has no options in its help"
  for option in "${options[@]}"; do
    page "maggi-$command" | grep -qE -- "(^|, )$option( |$)" || fault "maggi-$command(1) lacks $option"
    grep -qF -- "$option" "$work/maggi.bash" || fault "bash does not complete $option"
    grep -qF -- "$option[" "$work/_maggi" || fault "zsh does not complete $option"
    grep -qE -- "seen_subcommand_from $command'.* -l ${option#--}( |$)" "$work/maggi.fish" || fault "fish does not complete $command $option"
  done
done

# roff without a warning, and with all that follows a line of the footer
if command -v groff >/dev/null; then
  for file in "$work"/*.1; do
    warnings=$(groff -k -man -Tutf8 -ww "$file" 2>&1 >/dev/null)
    [[ -z $warnings ]] || fault "${file##*/}: $warnings"
  done
fi
page maggi-run | grep -q "maggi run models/pendulum.toml --set" || fault "the examples of maggi-run(1) are missing"

# what bash completes
# shellcheck source=/dev/null
source "$work/maggi.bash"
completes() { # "WORD WORD ... LAST" EXPECTED...
  read -ra COMP_WORDS <<<"$1"
  [[ $1 != *" " ]] || COMP_WORDS+=("")
  shift
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
  (cd "$work/place" && _maggi && printf '%s\n' "${COMPREPLY[@]}") | sort >"$work/completed"
  printf '%s\n' "$@" | sort | cmp -s - "$work/completed" ||
    fault "${COMP_WORDS[*]}: expected $*, bash completes $(tr '\n' ' ' <"$work/completed")"
}
mkdir -p "$work/place/a folder" && touch "$work/place/model.toml" "$work/place/notes.txt"
completes "maggi ru" run
completes "maggi run --integrator dop" dopri5 dop853
completes "maggi run --integrator = rad" radau5
completes "maggi run --until " ""
completes "maggi run --qu" --quiet
completes "maggi run " "a folder" model.toml
completes "maggi run --out " "a folder"
completes "maggi compare --csv n" notes.txt

# what the other shells say to theirs, where they are installed
if command -v zsh >/dev/null; then zsh -n "$work/_maggi" || fault "zsh cannot read its completion"; fi
if command -v fish >/dev/null; then fish -n "$work/maggi.fish" || fault "fish cannot read its completion"; fi

[[ $failures -eq 0 ]] && echo "manual and completions fit the program"
exit $((failures > 0))
