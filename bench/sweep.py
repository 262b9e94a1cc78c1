#!/usr/bin/env python3
"""What threads and lanes bring: a sweep of many short runs, computed in four ways that take turns.

    bench/sweep.py MAGGI [--runs N] [--rounds R] [--model FILE]

Wall-clock seconds are those that maggi itself prints for the runs; the least of all rounds counts. On a machine that does
other work the ratio of threads says nothing.
"""
import argparse
import re
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WAYS = {
    "one at a time, 1 thread": ["--lanes", "off", "--threads", "1"],
    "one at a time, 2 threads": ["--lanes", "off", "--threads", "2"],
    "lanes, 1 thread": ["--lanes", "on", "--threads", "1"],
    "lanes, 2 threads": ["--lanes", "on", "--threads", "2"],
}


def seconds(arguments, way, folder):
    command = [arguments.maggi, "sweep", arguments.model, "--over", *arguments.over, "--runs", str(arguments.runs),
               "--until", "1", "--out", folder, *WAYS[way]]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    return float(re.search(r"threads?, ([\d.e+-]+) s", done.stdout)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("maggi")
    parser.add_argument("--runs", type=int, default=10000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--model", default=ROOT / "models/moving_pendulum.toml")
    parser.add_argument("--over", nargs="+", default=["m=uniform(1,3)", "rho=uniform(0.5,1)"])
    arguments = parser.parse_args()
    least = dict.fromkeys(WAYS, float("inf"))
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(arguments.rounds):
            for way in WAYS:
                least[way] = min(least[way], seconds(arguments, way, folder))
    base = least["one at a time, 1 thread"]
    print(f"{arguments.runs} runs of {Path(arguments.model).name}, 1 s each")
    for way, time in least.items():
        print(f"  {way:26} {time:8.3f} s  {1e6 * time / arguments.runs:8.1f} µs a run  {base / time:5.2f} ×")


if __name__ == "__main__":
    main()
