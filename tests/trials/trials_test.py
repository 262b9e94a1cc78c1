"""Models on which a program of this kind goes wrong easily: rounded data, dead centres, contradictions, numbers typed by
people. Each is asked as a user asks it, and the answer is compared with what is true.

    trials_test.py MAGGI groups/GROUP.toml [REGEX]

A group is a list of questions in TOML; the models lie in models/:

    [[trial]]
    model   = "door"                    # models/door.toml or one of ../reference/rounded or contact, copied into an empty
                                        # folder together with its tables
    command = "run --until 1"           # what follows `maggi`; FILE is put behind its first word
    exit    = 0                         # default 0
    within  = 10                        # seconds, default 30
    why     = "pendulum with J = 1.5 + 20·0.45²"         # where the true values come from; required beside `at`
    says    = ["1 degree of freedom"]   # regular expressions that stdout or stderr contains (. also matches newlines)
    never   = ["singular"]              # and those that neither contains
    json    = { dof = 1 }               # entries of the --json document of the same command; dots lead into tables
    at      = [["low.angle", 1.0, -3.102297, 1e-6]]      # of trajectory.csv: channel, time, value, tolerance
    range   = [["gx.friction.power", -inf, 1e-12]]       # channels and the bounds of all their stored values
    without = ["lambda.ab"]             # channels that trajectory.csv must not have
    follow  = true                      # the remedy that check gives is written into the file: then nothing is redundant,
                                        # the degrees of freedom are the same, and the bodies move as before

An entry of JSON whose key contains dots is found as it stands.
"""

import csv
import json
import math
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

KEYS = {"model", "command", "exit", "within", "why", "says", "never", "json", "at", "range", "without", "follow"}


def ask(program, folder, trial, *more):
    """The answer to the trial's command, or None if it took too long."""
    first, *rest = shlex.split(trial["command"])
    words = [program, first, trial["model"] + ".toml", *rest, *more]
    if first == "run":
        words += ["--out", "out"]
    try:
        return subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=trial.get("within", 30))
    except subprocess.TimeoutExpired:
        return None


def place_of(model, models):
    """The file of a model: among the trials, or among the references that other tests use as well."""
    places = [models, *(models.parents[1] / "reference" / name for name in ("rounded", "contact"))]
    return next(place / f"{model}.toml" for place in places if (place / f"{model}.toml").exists())


def entry(document, path):
    """The entry a.b.0.c of nested tables and lists, where keys may contain dots; None if there is none."""
    if isinstance(document, list):
        first, _, rest = path.partition(".")
        item = document[int(first)] if first.isdigit() and int(first) < len(document) else None
        return entry(item, rest) if rest else item
    if not isinstance(document, dict):
        return None
    if path in document:
        return document[path]
    for dot in (place for place, letter in enumerate(path) if letter == "."):
        found = entry(document.get(path[:dot]), path[dot + 1:])
        if found is not None:
            return found
    return None


def same(value, wanted):
    if isinstance(wanted, float) and isinstance(value, (int, float)):
        return math.isclose(value, wanted, rel_tol=1e-6, abs_tol=1e-9)  # typed with seven digits
    return value == wanted


def trajectory(folder):
    """The channels of a run with their stored values; empty if there are none."""
    file = folder / "out" / "trajectory.csv"
    if not file.exists():
        return {}
    with open(file, encoding="utf-8", newline="") as lines:
        rows = [row for row in csv.reader(lines) if row and not row[0].startswith("#")]
    names = [re.sub(r" *\[.*\]$", "", name) for name in rows[0]]
    return dict(zip(names, zip(*([float(value) if value else math.nan for value in row] for row in rows[1:]))))


def stored(channels, channel, t):
    """The value of a channel at the stored time t."""
    for time_, value in zip(channels.get("t", []), channels.get(channel, [])):
        if abs(time_ - t) <= 1e-9 * max(1.0, abs(t)):
            return value
    return None


def wrong_channels(channels, trial):
    wrong = []
    for channel, t, value, tolerance in trial.get("at", []):
        found = stored(channels, channel, t)
        if found is None or not abs(found - value) <= tolerance:  # NaN is wrong, too
            wrong.append(f"{channel}({t}) = {found} instead of {value} ± {tolerance}")
    for channel, low, high in trial.get("range", []):
        values = channels.get(channel, [math.nan])
        if not all(low <= value <= high for value in values):
            wrong.append(f"{channel} lies in [{min(values)}, {max(values)}] instead of [{low}, {high}]")
    wrong += [f"there is a channel {channel}" for channel in trial.get("without", []) if channel in channels]
    if "without" in trial and not channels:
        wrong.append("there are no channels")
    return wrong


def with_remedy(text, remedy):
    """The model with other types of joints, and without what is to be left out; each of them is one line of the file."""
    lines = []
    for line in text.splitlines():
        found = re.match(r"(\w+)(\s*=\s*\{\s*)(\w+)", line)
        if found and found[1] in remedy:
            kind = remedy[found[1]]
            if not kind:
                continue
            if isinstance(kind, dict):  # a joint that needs an axis and has none
                line = line.rstrip().removesuffix("}") + f", axis = {kind['axis']} }}"
                kind = kind["type"]
            line = found[1] + found[2] + kind + line[found.end():]
            for key in ("axis", "second_axis") if kind in ("spherical", "fixed") else ("second_axis",) * (kind != "universal"):
                line = re.sub(rf",\s*{key}\s*=\s*\[[^\]]*\]", "", line)
        lines.append(line)
    return "\n".join(lines)


def wrong_remedy(program, folder, trial):
    """What is wrong if the advice of check is followed."""
    def facts():
        return json.loads(ask(program, folder, {**trial, "command": "check"}, "--json").stdout)

    def motion():
        ask(program, folder, {**trial, "command": "run --rtol 1e-10"})
        return {name: values[-1] for name, values in trajectory(folder).items() if name.startswith("drawing.")}
    file = folder / (trial["model"] + ".toml")
    before, moved = facts(), motion()
    file.write_text(with_remedy(file.read_text(encoding="utf-8"), before.get("remedy") or {}), encoding="utf-8")
    after, moves = facts(), motion()
    wrong = [] if before.get("remedy") else ["check gives no remedy"]
    wrong += [f"{row['row']} is still redundant" for row in after["redundant"]]
    if after["dof"] != before["dof"]:
        wrong.append(f"{before['dof']} degrees of freedom became {after['dof']}")
    wrong += [f"{name} ends at {moves[name]} instead of {value}" for name, value in moved.items()
              if name in moves and not abs(moves[name] - value) <= 1e-6 * max(1.0, abs(value))]  # of runs with rtol 1e-10
    return wrong if moved else ["nothing moves before the remedy"]


def mistakes(program, group, trial):
    """What is wrong with the answer, one line each."""
    unknown = set(trial) - KEYS
    if unknown:
        return [f"the trial has unknown keys {sorted(unknown)}"]
    if {"at", "range"} & set(trial) and "why" not in trial:
        return ["the trial has values without `why`"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        models = group.parent.parent / "models"
        for file in [place_of(trial["model"], models), *models.glob(trial["model"] + "*.csv")]:
            shutil.copy(file, folder)
        answer = ask(program, folder, trial)
        if answer is None:
            return [f"no answer within {trial.get('within', 30)} s"]
        wrong = []
        text = answer.stdout + answer.stderr
        if answer.returncode != trial.get("exit", 0):
            wrong.append(f"exit code {answer.returncode} instead of {trial.get('exit', 0)}")
        wrong += [f"does not say /{words}/" for words in trial.get("says", []) if not re.search(words, text, re.DOTALL)]
        wrong += [f"says /{words}/" for words in trial.get("never", []) if re.search(words, text, re.DOTALL)]
        if {"at", "range", "without"} & set(trial):
            wrong += wrong_channels(trajectory(folder), trial)
        if "json" in trial:
            document = json.loads(ask(program, folder, trial, "--json").stdout or "{}")
            wrong += [f"JSON has {path} = {entry(document, path)} instead of {wanted}"
                      for path, wanted in trial["json"].items() if not same(entry(document, path), wanted)]
        if trial.get("follow"):
            wrong += wrong_remedy(program, folder, trial)
        if wrong:
            wrong.append(text.strip()[:2000])
        return wrong


def main():
    program, group = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2]).resolve()
    trials = tomllib.loads(group.read_text(encoding="utf-8"))["trial"]
    if len(sys.argv) > 3:
        trials = [trial for trial in trials if re.search(sys.argv[3], trial["model"])]
    failed = 0
    for trial in trials:
        began = time.perf_counter()
        wrong = mistakes(program, group, trial)
        failed += bool(wrong)
        print(f"{'WRONG' if wrong else 'right'} {time.perf_counter() - began:6.2f} s  {trial['model']}: {trial['command']}",
              *wrong, sep="\n      ", flush=True)
    print(f"{len(trials)} trials, {failed} wrong")
    return 1 if failed or not trials else 0


if __name__ == "__main__":
    sys.exit(main())
