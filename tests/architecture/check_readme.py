#!/usr/bin/env python3
"""What the README shows is true: its C++ example is part of a program that is compiled and run, its model is accepted
by the command line, and the numbers beside the picture are what a run gives.

    check_readme.py ROOT [MAGGI]   MAGGI: the program; without it only the C++ example is checked
"""
import csv
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def blocks(markdown, language):
    return re.findall(rf"^```{language}\n(.*?)^```", markdown, re.S | re.M)


def check_cpp(readme, program):
    """Every line of the example stands in the program, in that order."""
    lines = iter(line.strip() for line in program.splitlines())
    for line in filter(None, (line.strip() for line in blocks(readme, "cpp")[0].splitlines())):
        if line not in lines:
            yield f"README.md: not in tests/package/consumer/main.cpp, or not in this order: {line}"


def check_model(readme, maggi, folder):
    file = folder / "readme.toml"
    file.write_text(blocks(readme, "toml")[0], encoding="utf-8")
    done = subprocess.run([maggi, "check", file], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        yield f"README.md: the first model is refused: {done.stderr.strip()}"


def check_table(readme, maggi, root, folder):
    """Rows "t x3 λ" at the right of the picture, against the run of the first command."""
    rows = re.findall(r" (\d\.\d) +([−-]?\d\.\d+) +([−-]?\d+\.\d+)$", blocks(readme, "text")[0], re.M)
    if len(rows) < 3:
        yield "README.md: no table beside the picture"
    run = [maggi, "run", root / "models/moving_pendulum.toml", "--out", folder]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        yield f"README.md: the first command fails: {done.stderr.strip()}"
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
    if len(arguments) > 1:
        with tempfile.TemporaryDirectory() as temporary:
            faults += check_model(readme, arguments[1], Path(temporary))
            faults += check_table(readme, arguments[1], root, Path(temporary))
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
