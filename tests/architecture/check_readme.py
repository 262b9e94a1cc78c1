#!/usr/bin/env python3
"""What the README shows is true: its C++ example is part of a program that is compiled and run; its models are accepted
by the command line; its first model moves in the report, also with the changes that the README proposes; its list of
commands is that of the program; and the numbers beside the picture are those of a run.

    check_readme.py ROOT [MAGGI]   MAGGI: the program; without it only the C++ example and the counts are checked

What the console blocks print is checked by tests/golden/docs_test.py.
"""
import csv
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def blocks(markdown, language):
    return re.findall(rf"^```{language}\n(.*?)^```", markdown, re.S | re.M)


def section(markdown, title):
    return re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", markdown, re.S | re.M)[1]


def maggi_of(maggi, *arguments):
    return subprocess.run([maggi, *arguments], capture_output=True, text=True, check=False)


def check_cpp(readme, program):
    """Every line of the example stands in the program, in that order."""
    lines = iter(line.strip() for line in program.splitlines())
    for line in filter(None, (line.strip() for line in blocks(readme, "cpp")[0].splitlines())):
        if line not in lines:
            yield f"README.md: not in tests/package/consumer/main.cpp, or not in this order: {line}"


def check_counts(readme, root):
    shown, models = re.search(r"(\d+) example models", readme), len(list((root / "models").glob("*.toml")))
    if not shown or int(shown[1]) != models:
        yield f"README.md: there are {models} example models"


def check_models(readme, maggi, folder):
    for number, model in enumerate(blocks(readme, "toml")):
        file = folder / f"model_{number}.toml"
        file.write_text(model, encoding="utf-8")
        done = maggi_of(maggi, "check", file)
        if done.returncode != 0:
            yield f"README.md: model {number + 1} is refused: {done.stderr.strip()}"


def run_report(maggi, model, folder):
    """The data of report.html, or a fault."""
    file = folder / "first.toml"
    file.write_text(model, encoding="utf-8")
    done = maggi_of(maggi, "run", file, "--out", folder / "first")
    if done.returncode != 0:
        return None, f"README.md: the first model does not run: {done.stderr.strip()}\n{model}"
    page = (folder / "first/report.html").read_text(encoding="utf-8")
    return json.loads(re.search(r'<script[^>]*id="report"[^>]*>(.*?)</script>', page, re.S)[1]), None


def check_motion(readme, maggi, folder):
    """Every body of the first model is drawn and moves."""
    report, fault = run_report(maggi, blocks(readme, "toml")[0], folder)
    if fault:
        yield fault
        return
    moving = {channel["name"] for channel in report["channels"] if channel["values"]}
    bodies = re.findall(r"^\[body\.(\w+)\]", blocks(readme, "toml")[0], re.M)
    shown = {body["name"]: body["frame"] for body in report.get("scene", {}).get("bodies", [])}
    for body in bodies:
        if body not in shown or not moving & set(shown[body]):
            yield f'README.md: body "{body}" of the first model does not move in the report'


def check_changes(readme, maggi, folder):
    """The changes proposed below the first model, all at once, give the channels that the table names."""
    proposed = " ".join(re.findall(r"`([^`]+)`", section(readme, "A first model").split("Try next")[1]))
    driver, load, markers = (re.search(pattern, proposed) for pattern in (
        r"motor = \{.*?\}", r"load = \{.*?\}", r"markers = \{.*?\}"))
    if not (driver and load and markers) or "speed = -15" not in proposed:
        yield "README.md: a proposal below the first model is missing"
        return
    model = blocks(readme, "toml")[0].replace(", speed = -15", "").replace("[body.rod]\n", f"[body.rod]\n{markers[0]}\n")
    report, fault = run_report(maggi, f"{model}\n[driver]\n{driver[0]}\n[force]\n{load[0]}\n", folder)
    if fault:
        yield fault
        return
    for name in ("lambda.motor", "rod.middle.x", "rod.middle.y"):
        if name not in {channel["name"] for channel in report["channels"]}:
            yield f"README.md: the changed model has no channel {name}"


def check_commands(readme, maggi):
    there = set(re.findall(r"^  (\w+) {2,}", maggi_of(maggi, "--help").stdout.split("Commands:")[1].split("\n\n")[0], re.M))
    rows = re.findall(r"^\|[^|]*\|([^|]*)\|$", section(readme, "Which command answers which question"), re.M)
    shown = {name.split()[0] for row in rows for name in re.findall(r"`([^`]+)`", row)}
    if there != shown:
        yield f"README.md: the commands are {sorted(there)}, not {sorted(shown)}"


def check_table(readme, maggi, root, folder):
    """Rows "t x3 λ" at the right of the picture, against the default run of that model."""
    rows = re.findall(r" (\d\.\d) +([−-]?\d\.\d+) +([−-]?\d+\.\d+)$", blocks(readme, "text")[0], re.M)
    if len(rows) < 3:
        yield "README.md: no table beside the picture"
    done = maggi_of(maggi, "run", root / "models/moving_pendulum.toml", "--out", folder)
    if done.returncode != 0:
        yield f"README.md: the run of the moving pendulum fails: {done.stderr.strip()}"
        return
    with open(folder / "trajectory.csv", encoding="utf-8") as file:
        header, *values = csv.reader(line for line in file if not line.startswith("#"))
    names = [re.split(r"[ \[(]", name)[0] for name in header]
    motion = {f"{float(row[names.index('t')]):.6f}": row for row in values}
    for shown in rows:
        t, *numbers = (text.replace("−", "-") for text in shown)
        row = motion[f"{float(t):.6f}"]
        for number, name in zip(numbers, ("x3", "lambda.guide")):
            digits = len(number.split(".")[1])
            if f"{float(row[names.index(name)]):.{digits}f}" != number:
                yield f"README.md: {name} at t = {t} is {row[names.index(name)]}, not {number}"


def main(arguments):
    root = Path(arguments[0])
    readme = (root / "README.md").read_text(encoding="utf-8")
    faults = list(check_cpp(readme, (root / "tests/package/consumer/main.cpp").read_text(encoding="utf-8")))
    faults += check_counts(readme, root)
    if len(arguments) > 1:
        with tempfile.TemporaryDirectory() as temporary:
            faults += check_models(readme, arguments[1], Path(temporary))
            faults += check_motion(readme, arguments[1], Path(temporary))
            faults += check_changes(readme, arguments[1], Path(temporary))
            faults += check_commands(readme, arguments[1])
            faults += check_table(readme, arguments[1], root, Path(temporary))
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
