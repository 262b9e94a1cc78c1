#!/usr/bin/env python3
"""Every public header compiles alone, and all of them compile together, in both orders.

    check_headers.py COMPILER ROOT [FLAG...]
"""
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def compile_error(compiler, flags, headers):
    source = "".join(f'#include "{header}"\n' for header in headers)
    run = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", "-x", "c++", *flags, "-"], input=source,
                         capture_output=True, text=True, check=False)
    return "" if run.returncode == 0 else run.stderr


def main():
    compiler, root, *flags = sys.argv[1:]
    include = Path(root) / "include"
    headers = [str(file.relative_to(include)) for file in sorted(include.rglob("*.hpp"))]
    if len(headers) < 10:
        print(f"{len(headers)} public headers in {include}: expected the whole library")
        return 1
    groups = {header: [header] for header in headers}
    groups |= {"all together": headers, "all together, last first": headers[::-1]}
    flags = [f"-I{include}", *flags]
    with ThreadPoolExecutor(2) as pool:
        errors = list(pool.map(lambda group: compile_error(compiler, flags, group), groups.values()))
    for name, error in zip(groups, errors):
        if error:
            print(f"{name}:\n{error}")
    return 1 if any(errors) else 0


if __name__ == "__main__":
    sys.exit(main())
