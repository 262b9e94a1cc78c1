#!/usr/bin/env python3
"""Runs a program and compares what it prints, line by line, with a file.

    compare_output.py PROGRAM EXPECTED FOLDER    FOLDER: where it is run
"""
import difflib
import subprocess
import sys
from pathlib import Path


def main(program, expected, folder):
    done = subprocess.run([program], cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False)
    difference = list(
        difflib.unified_diff(
            Path(expected).read_text(encoding="utf-8").splitlines(),
            done.stdout.splitlines(),
            expected,
            program,
            lineterm="",
        )
    )
    print("\n".join(difference))
    if done.returncode != 0:
        print(f"exit code {done.returncode}\n{done.stderr}")
    return 1 if difference or done.returncode != 0 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
