#!/usr/bin/env python3
"""The data flow is the folder order, and this test keeps it so.

    base → expression → model → system → basis → formulation → integration → analysis → results → sweep → io → apps, python

An #include points only to the left, or stays in its folder. Besides: a third-party library is known only where it
belongs, public headers show only ours, Eigen and the standard library, no text names a place on somebody's machine,
and every relative link of the documentation leads somewhere.

    check_layers.py [ROOT]       checks the repository (default: the one that holds this file)
    check_layers.py --self-test  checks the checker: each kind of violation, planted in a temporary tree, must be found
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FLOW = ["base", "expression", "model", "system", "basis", "formulation", "integration", "analysis", "results",
        "sweep", "io"]
ENDS = ["apps", "python"]  # to the right of everything, and apart from each other

# header prefix → the folders that may include it; anything not listed here is free
THIRD_PARTY = {
    "toml++/": {"io"},
    "nlohmann/": {"io", "apps"},
    "zlib.h": {"io"},
    "CLI/": {"apps"},
    "mpi.h": {"apps"},
    "cvode/": {"integration"},
    "ida/": {"integration"},
    "nvector/": {"integration"},
    "sundials/": {"integration"},
    "sunmatrix/": {"integration"},
    "sunlinsol/": {"integration"},
    "sunnonlinsol/": {"integration"},
    "pybind11/": {"python"},
}

PUBLIC = re.compile(r"maggi/|Eigen/|\w+$")  # what a public header may include

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)
CODE = {".hpp", ".cpp", ".h", ".c", ".cc"}
TEXT = CODE | {".py", ".sh", ".md", ".txt", ".cmake", ".in", ".toml", ".json", ".ts", ".js", ".yml", ".cff", ".bib", ""}
MACHINE_PATH = re.compile(r"(?<![\w.}])/(?:" + "|".join(["home", "root", "work", "farm", "Users"]) + r")/\w")
OUTSIDE = re.compile(r"\.\./" + r"shared\b")
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


def layer_of(path):
    """The folder of the flow that a file of the repository belongs to; None for the umbrella header."""
    parts = path.parts
    if parts[0] in ENDS:
        return parts[0]
    inner = parts[2:] if parts[0] == "include" else parts[1:]
    return inner[0] if len(inner) > 1 else None


def target_of(name, path, root):
    """The folder that an #include leads to: a layer, "umbrella", or None if it is not ours."""
    if name == "maggi/maggi.hpp":
        return "umbrella"
    parts = Path(name).parts
    if parts[0] == "maggi":
        return parts[1] if len(parts) > 2 else None
    beside = (root / path).parent / name
    if beside.is_file() and beside.resolve().is_relative_to(root.resolve()):
        return layer_of(beside.resolve().relative_to(root.resolve()))
    return parts[0] if len(parts) > 1 and parts[0] in FLOW + ENDS else None


def rank(layer):
    return FLOW.index(layer) if layer in FLOW else len(FLOW)


def check_includes(root):
    for folder in ["include/maggi", "src", *ENDS]:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in CODE:
                continue
            path = file.relative_to(root)
            layer = layer_of(path)
            if layer is None:
                if path != Path("include/maggi/maggi.hpp"):
                    yield f"{path}: lies outside the folders of the data flow"
                continue
            if layer not in FLOW + ENDS:
                yield f'{path}: folder "{layer}" is not part of the data flow'
                continue
            text = file.read_text(encoding="utf-8")
            for match in INCLUDE.finditer(text):
                name = match[2]
                place = f"{path}:{text.count(chr(10), 0, match.start(2)) + 1}"
                yield from check_include(name, path, layer, place, root)


def check_include(name, path, layer, place, root):
    target = target_of(name, path, root)
    if target == "umbrella":
        if layer not in ENDS:
            yield f"{place}: the library includes its own umbrella header"
    elif target is not None:
        if target not in FLOW + ENDS:
            yield f'{place}: includes "{name}": folder "{target}" is not part of the data flow'
        elif target != layer and rank(target) >= rank(layer):
            yield f'{place}: {layer} includes "{name}": against the data flow'
    if path.parts[0] == "include" and not PUBLIC.match(name):
        yield f'{place}: a public header includes "{name}": only maggi, Eigen and the standard library may be seen there'
    for prefix, allowed in THIRD_PARTY.items():
        if name.startswith(prefix) and layer not in allowed:
            where = ", ".join(sorted(allowed))
            yield f'{place}: "{name}" is known only to the sources of {where}'


def tracked_files(root):
    """What the repository holds; outside of git, everything but build folders."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, text=True, check=False)
    if listed.returncode == 0 and listed.stdout:
        return [root / name for name in listed.stdout.split("\0") if name]
    skipped = {"build", "results", "node_modules", ".git", "__pycache__"}
    return [f for f in sorted(root.rglob("*")) if not skipped & set(f.relative_to(root).parts)]


def check_texts(root):
    for file in tracked_files(root):
        if file.suffix not in TEXT or not file.is_file():
            continue
        path = file.relative_to(root)
        for number, line in enumerate(file.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
            for pattern in (MACHINE_PATH, OUTSIDE):
                if found := pattern.search(line):
                    yield f'{path}:{number}: "{found[0]}" is a place on one machine, outside the repository'
            if path.suffix == ".md":
                for link in LINK.finditer(line):
                    if ":" not in link[1] and not (file.parent / link[1]).exists():
                        yield f'{path}:{number}: the link "{link[1]}" leads nowhere'


def check(root):
    return [*check_includes(root), *check_texts(root)]


def self_test():
    # file, text, what the complaint must contain (None: none)
    cases = [
        ("src/basis/a.cpp", '#include "maggi/system/s.hpp"\n#include "maggi/basis/b.hpp"\n#include <Eigen/Core>', None),
        ("src/basis/a.cpp", '\n#include "maggi/formulation/f.hpp"', "src/basis/a.cpp:2: basis includes"),
        ("include/maggi/base/a.hpp", "# include <maggi/io/f.hpp>", "against the data flow"),
        ("src/integration/a.cpp", '#include "maggi/analysis/a.hpp"', "against the data flow"),
        ("src/analysis/a.cpp", '#include "maggi/integration/a.hpp"', None),
        ("src/results/a.cpp", '#include "maggi/analysis/a.hpp"\n#include "maggi/integration/i.hpp"', None),
        ("src/model/a.cpp", '#include "io/private.hpp"', "against the data flow"),
        ("src/io/a.cpp", '#include "../apps/b.hpp"', None),  # no such file: the compiler's business
        ("src/io/a.cpp", '#include "maggi/base/error.hpp"\n#include <toml++/toml.h>', None),
        ("src/model/a.cpp", "#include <toml++/toml.h>", "known only to the sources of io"),
        ("src/results/a.cpp", "#include <nlohmann/json.hpp>", "known only to the sources of apps, io"),
        ("include/maggi/io/a.hpp", "#include <nlohmann/json.hpp>", "a public header includes"),
        ("include/maggi/base/a.hpp", "#include <fmt/format.h>", "a public header includes"),
        ("include/maggi/basis/a.hpp", '#include "basis/private.hpp"', "a public header includes"),
        ("include/maggi/basis/a.hpp", '#include "maggi/system/s.hpp"\n#include <Eigen/QR>\n#include <vector>', None),
        ("src/misc/a.cpp", "", 'folder "misc" is not part'),
        ("src/a.cpp", "", "outside the folders"),
        ("src/base/a.cpp", '#include "maggi/maggi.hpp"', "umbrella"),
        ("apps/maggi/a.cpp", '#include "maggi/maggi.hpp"\n#include <CLI/CLI.hpp>', None),
        ("apps/maggi/a.cpp", '#include "python/b.hpp"', "against the data flow"),
        ("python/src/a.cpp", '#include "maggi/io/model_file.hpp"', None),
        ("docs/a.md", "see /ho" + "me/someone/x", "one machine"),
        ("docs/a.md", "see .." + "/shared/x", "one machine"),
        ("docs/a.md", "[gone](gone.md) [web](https://example.org/x.md) [here](a.md#top)", 'link "gone.md"'),
        ("docs/a.md", "run /usr/bin/python3, results in /t" + "mp/x, a/ro" + "ot/b", None),
    ]
    failures = []
    for name, text, expected in cases:
        with tempfile.TemporaryDirectory() as temporary:
            root = Path(temporary)
            (root / name).parent.mkdir(parents=True)
            (root / name).write_text(text, encoding="utf-8")
            found = check(root)
        if (expected is None and found) or (expected is not None and not any(expected in f for f in found)):
            failures.append(f"self-test: {name} with {text!r}: expected {expected!r}, got {found}")
    return failures


def main(arguments):
    if arguments == ["--self-test"]:
        faults = self_test()
    else:
        faults = check(Path(arguments[0] if arguments else Path(__file__).parents[2]).resolve())
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
