#!/usr/bin/env python3
"""What the documentation shows is what maggi does.

Every command in a ```console block ("$ maggi ...") is run and must succeed; what the block prints below it must have the
same words, whatever the numbers are ("..." ends the comparison). Every ```toml block that is a complete model is checked;
one that begins with a line "# NAME.toml" is saved under that name for the commands below it, and one that begins with
"# NAME.toml, continued" is appended to it. A page that a command prints is what it prints. The tables of JSON keys list exactly what --json prints; a key whose meaning
begins with "only if" may be absent.

    docs_test.py MAGGI SOURCE_DIR
"""
import csv
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

PAGES = ["README.md", "docs/tutorial.md", "docs/command-line.md", "docs/model-file.md", "docs/sweeps.md", "docs/studies/coordinate-reduction.md"]
# page, section with a table of keys, commands whose objects have them
KEYS = [
    ("docs/command-line.md", "check", ["check models/door.toml", "check models/two_masses_servo.toml", "check large.toml"]),
    ("docs/command-line.md", "init", ["init models/overhead_crane.toml", "init models/four_bar.toml --branches"]),
    ("docs/command-line.md", "equations", ["equations models/pendulum.toml", "equations models/four_bar.toml --basis svd"]),
    ("docs/command-line.md", "compare", ["compare models/pendulum.toml --no-run --timing 0"]),
    ("docs/command-line.md", "sweep", ["sweep models/pendulum.toml --over l=1,2 --until 0.1"]),
    ("docs/results.md", "summary.json", ["run models/stick_slip_block.toml --until 0.1", "run models/pendulum.toml --until 0.1"]),
]
# page that is what a command prints
PRINTED = [("docs/model-keys.md", ["schema", "--reference"])]
NUMBER = re.compile(r"[-−]?\b\d+(?:\.\d+)?(?:e[-+]\d+)?(?:\b|(?=s\b))")


def blocks(text):
    """(line, language, text) of each fenced block, in order."""
    for match in re.finditer(r"^```(\w+)\n(.*?)^```", text, re.S | re.M):
        yield text.count("\n", 0, match.start(2)) + 1, match[1], match[2]


def words(line):
    return NUMBER.sub("#", line).replace("steps", "step").split()


def check_console(place, block, maggi, folder):
    parts = re.split(r"^\$ (.*)\n", block, flags=re.M)[1:]
    for command, shown in zip(parts[::2], parts[1::2]):
        arguments = shlex.split(command)
        if Path(arguments[0]).name != "maggi":
            yield f"{place}: not a command of maggi: {command}"
            continue
        cache = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}  # as a reader begins: nothing is compiled
        done = subprocess.run([maggi, *arguments[1:]], cwd=folder, env=cache, capture_output=True, encoding="utf-8",
                              check=False)
        if done.returncode != 0:
            yield f"{place}: {command}: exit code {done.returncode}: {done.stderr}"
            continue
        printed = done.stdout.splitlines()
        for number, line in enumerate(shown.splitlines()):
            if line.strip() == "...":
                break
            if number >= len(printed) or words(line) != words(printed[number]):
                now = printed[number] if number < len(printed) else "nothing"
                yield f"{place}: {command}: shows\n  {line}\nand maggi prints\n  {now}"
                break


def check_model(place, block, maggi, folder):
    name = re.match(r"# (\w+\.toml)(, continued)?\n", block)
    file = folder / (name[1] if name else "model.toml")
    if name and name[2]:
        block = file.read_text(encoding="utf-8") + block
    file.write_text(block, encoding="utf-8")
    formulas = "[coordinates]" in block and re.search(r"^\[(energy|equations)\]", block, re.M)
    if not formulas and not ("[body." in block and "[joint]" in block):
        return
    done = subprocess.run([maggi, "check", file], capture_output=True, encoding="utf-8", check=False)
    if done.returncode != 0:
        yield f"{place}: the model is refused: {done.stderr}"


def check_sweep_tables(text, page, folder):
    """A table with the columns of a sweep.csv that the page has made has its numbers, as far as they are shown."""
    for file in folder.rglob("sweep.csv"):
        with open(file, encoding="utf-8") as stream:
            runs = list(csv.DictReader(stream))
        for header, rows in re.findall(r"^\|([^\n]*)\|\n\|[-|]+\|\n((?:\|[^\n]*\n)+)", text, re.M):
            columns = [cell.strip() for cell in header.split("|")]
            if not set(columns) <= set(runs[0]):
                continue
            for row in rows.splitlines():
                shown = [cell.strip() for cell in row.strip("|").split("|")]
                rounded = [[f"{float(run[c]):.{len(n.partition('.')[2])}f}" for c, n in zip(columns, shown)] for run in runs]
                if shown not in rounded:
                    yield f"{page}: no run of the sweep has the row {row}"


def key_table(text, section):
    """key → whether every object has it, from the table of keys in a section."""
    part = re.search(rf"^## {re.escape(section)}\n(.*?)(?=^## |\Z)", text, re.S | re.M)[1]
    table = re.search(r"^\| key.*?\n((?:\|.*\n)+)", part, re.M)[1]
    rows = re.findall(r"^\|([^|]*)\|(.*)$", table, re.M)
    return {key: not meaning.strip().startswith("only if") for keys, meaning in rows for key in re.findall(r"`(\w+)`", keys)}


def check_keys(text, page, section, commands, maggi, folder):
    told, printed = key_table(text, section), set()
    for command in commands:
        done = subprocess.run([maggi, *command.split(), "--json"], cwd=folder, capture_output=True, encoding="utf-8", check=False)
        if done.returncode != 0:
            yield f"{page}: maggi {command} --json: exit code {done.returncode}: {done.stderr}"
            return
        printed |= set(json.loads(done.stdout))
    for key in sorted(printed - set(told)):
        yield f'{page}: the table of {section} lacks the key "{key}"'
    for key in sorted(key for key, always in told.items() if always and key not in printed):
        yield f'{page}: the table of {section} has the key "{key}", which maggi does not print'


def main(maggi, source):
    faults, count = [], 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / "models").symlink_to(Path(source).resolve() / "models")
        for page in PAGES:
            text = (Path(source) / page).read_text(encoding="utf-8")
            for line, language, block in blocks(text):
                if check := {"console": check_console, "toml": check_model}.get(language):
                    count += 1
                    faults += check(f"{page}:{line}", block, maggi, folder)
            faults += check_sweep_tables(text, page, folder)
        subprocess.run([maggi, "new", "chain", "--loops", "800", "--out", "large.toml"], cwd=folder, capture_output=True, check=True)
        for page, section, commands in KEYS:
            text = (Path(source) / page).read_text(encoding="utf-8")
            faults += check_keys(text, page, section, commands, maggi, folder)
        for page, command in PRINTED:
            printed = subprocess.run([maggi, *command], cwd=folder, capture_output=True, encoding="utf-8", check=True).stdout
            if (Path(source) / page).read_text(encoding="utf-8") != printed:
                faults.append(f"{page} is not what maggi {' '.join(command)} prints: write it again")
    if count < 6:
        faults.append(f"only {count} blocks found: is the documentation still where it was?")
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
