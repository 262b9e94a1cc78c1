#!/usr/bin/env python3
"""Every public header compiles alone, and all of them compile together, in both orders; maggi.hpp leads to all but
those of experts.

    check_headers.py COMPILER ROOT [FLAG...]
"""
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def compile_error(compiler, flags, headers):
    source = "".join(f'#include "{header}"\n' for header in headers)
    run = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", "-x", "c++", *flags, "-"], input=source,
                         capture_output=True, text=True, check=False)
    return "" if run.returncode == 0 else run.stderr


def reached_from(header, include, reached):
    if header not in reached:
        reached.add(header)
        for name in re.findall(r'#include "(maggi/[^"]+)"', (include / header).read_text(encoding="utf-8")):
            reached_from(name, include, reached)
    return reached


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
    missing = {header for header in headers if "/expert/" not in header} - reached_from("maggi/maggi.hpp", include, set())
    for header in sorted(missing):
        print(f"maggi/maggi.hpp does not lead to {header}")
    return 1 if any(errors) or missing else 0


if __name__ == "__main__":
    sys.exit(main())
