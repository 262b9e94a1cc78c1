"""Models on which a program of this kind goes wrong easily: rounded data, dead centres, contradictions, numbers typed by
people. Each is asked as a user asks it, and the answer is compared with what is true.

    trials_test.py MAGGI groups/GROUP.toml [REGEX]

A group is a list of questions in TOML; the models lie in models/:

    [[trial]]
    model   = "door"                    # door.toml, copied into an empty folder together with its tables
    command = "run --until 1"           # what follows `maggi`; FILE is put behind its first word
    exit    = 0                         # default 0
    within  = 10                        # seconds, default 30
    why     = "pendulum with J = 1.5 + 20·0.45²"         # where the true values come from; required beside `at`
    says    = ["1 degree of freedom"]   # regular expressions that stdout or stderr contains (. also matches newlines)
    never   = ["singular"]              # and those that neither contains
    json    = { dof = 1 }               # entries of the --json document of the same command; dots lead into tables
    at      = [["low.angle", 1.0, -3.102297, 1e-6]]      # of trajectory.csv: channel, time, value, tolerance
"""

import csv
import json
import math
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

KEYS = {"model", "command", "exit", "within", "why", "says", "never", "json", "at"}


def ask(program, folder, trial, *more):
    """The answer to the trial's command, or None if it took too long."""
    first, *rest = trial["command"].split()
    words = [program, first, trial["model"] + ".toml", *rest, *more]
    if first == "run":
        words += ["--out", "out"]
    try:
        return subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=trial.get("within", 30))
    except subprocess.TimeoutExpired:
        return None


def entry(document, path):
    """The entry a.b.0.c of nested tables and lists; None if there is none."""
    for key in path.split("."):
        if isinstance(document, list):
            document = document[int(key)] if int(key) < len(document) else None
        elif isinstance(document, dict):
            document = document.get(key)
        else:
            return None
    return document


def same(value, wanted):
    if isinstance(wanted, float) and isinstance(value, (int, float)):
        return math.isclose(value, wanted, rel_tol=1e-6, abs_tol=1e-9)  # typed with seven digits
    return value == wanted


def stored(folder, channel, t):
    """The value of a channel at the stored state closest to t."""
    with open(folder / "out" / "trajectory.csv", encoding="utf-8", newline="") as file:
        rows = [row for row in csv.reader(file) if row and not row[0].startswith("#")]
    names = [re.sub(r" *\[.*\]$", "", name) for name in rows[0]]
    if channel not in names:
        return None
    place, closest = names.index(channel), min(rows[1:], key=lambda row: abs(float(row[0]) - t))
    return float(closest[place]) if abs(float(closest[0]) - t) < 1e-9 * max(1.0, abs(t)) else None


def mistakes(program, group, trial):
    """What is wrong with the answer, one line each."""
    unknown = set(trial) - KEYS
    if unknown:
        return [f"the trial has unknown keys {sorted(unknown)}"]
    if "at" in trial and "why" not in trial:
        return ["the trial has values without `why`"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        models = group.parent.parent / "models"
        for file in [models / (trial["model"] + ".toml"), *models.glob(trial["model"] + "*.csv")]:
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
        for channel, t, value, tolerance in trial.get("at", []):
            is_ = stored(folder, channel, t) if (folder / "out" / "trajectory.csv").exists() else None
            if is_ is None or not abs(is_ - value) <= tolerance:  # NaN is wrong, too
                wrong.append(f"{channel}({t}) = {is_} instead of {value} ± {tolerance}")
        if "json" in trial:
            document = json.loads(ask(program, folder, trial, "--json").stdout or "{}")
            wrong += [f"JSON has {path} = {entry(document, path)} instead of {wanted}"
                      for path, wanted in trial["json"].items() if not same(entry(document, path), wanted)]
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
