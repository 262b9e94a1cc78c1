#!/usr/bin/env python3
"""The data flow is the order of the folders, and this test keeps it so.

    base → expression → model → system → basis → formulation → dynamics → manifold → start → integration → analysis
    → results → simulation → sweep → text → io → apps, python

An #include points only to the left, or stays in its room. A room is a folder of src/; the rooms inside system,
integration and io have an order of their own (ROOMS), and inside a room no group of files includes itself in a circle.
Public headers (include/maggi) belong to a room, too (PUBLIC_ROOMS). Besides: a third-party library is known only where
it belongs, public headers show only ours, Eigen and the standard library, no text names a place on somebody's machine,
and every relative link of the documentation leads somewhere.

    check_layers.py [ROOT]       checks the repository (default: the one that holds this file)
    check_layers.py --self-test  checks the checker: each kind of violation, planted in a temporary tree, must be found
    check_layers.py --table      rooms with their files, and the include graph between them
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FLOW = ["base", "expression", "model", "system", "basis", "formulation", "dynamics", "manifold", "start", "integration",
        "analysis", "results", "simulation", "sweep", "text", "io"]
ENDS = ["apps", "python"]  # to the right of everything, and apart from each other

# the rooms inside a folder, from left to right; the folder itself, where it has files of its own, is the last
ROOMS = {
    "system": ["seam", "formulas", "mechanism/kinematics", "mechanism/loops", "mechanism/reference",
               "mechanism/rounding", "mechanism/functions", "mechanism/tree", "mechanism/recursion", "mechanism", ""],
    "integration": ["sink", "form", "drift", "event", "singular", "run", "method", "lanes", ""],
    "io": ["file", "toml", "csv", "npz", "json", "stored", "report", ""],
}

# public header → its room; what is not listed stands to the right of the library (maggi.hpp, the tour)
PUBLIC_ROOMS = {
    "error.hpp": "base", "note.hpp": "base", "state.hpp": "base", "mode.hpp": "base", "outcome.hpp": "base", "run_options.hpp": "base", "choice.hpp": "base", "integrator.hpp": "base", "summary.hpp": "base",
    "formula.hpp": "model", "model.hpp": "model", "mechanism.hpp": "model", "mechanism_builder.hpp": "model",
    "conflict.hpp": "start", "initial_conditions.hpp": "start", "hidden_constraint.hpp": "analysis",
    "comparison.hpp": "analysis",
    "equations.hpp": "simulation", "ideality.hpp": "simulation", "run_choices.hpp": "simulation", "motion.hpp": "simulation", "check.hpp": "simulation", "simulation.hpp": "simulation",
    "sweep.hpp": "sweep", "sweep/axis.hpp": "sweep", "sweep/design.hpp": "sweep", "sweep/measure.hpp": "sweep",
    "sweep/run_result.hpp": "sweep", "sweep/spread.hpp": "sweep", "sweep/table.hpp": "sweep",
    "text.hpp": "text", "files.hpp": "io",
    "expert/linear.hpp": "base", "expert/interval.hpp": "base",
    "expert/expression.hpp": "expression", "expert/parse.hpp": "expression", "expert/derivative.hpp": "expression",
    "expert/print.hpp": "expression", "expert/spline.hpp": "expression",
    "expert/scene.hpp": "system/seam", "expert/shape.hpp": "system/seam", "expert/recursion.hpp": "system/seam",
    "expert/system.hpp": "system/seam", "expert/equations.hpp": "system/seam",
    "expert/derivatives.hpp": "system/seam",
    "expert/basis.hpp": "basis", "expert/bases.hpp": "basis",
    "expert/formulation.hpp": "formulation", "expert/formulations.hpp": "formulation",
}

# header prefix → the folders that may include it; anything not listed here is free
THIRD_PARTY = {
    "toml++/": {"io"},
    "nlohmann/": {"io"},
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

APPS_MAY_USE = {"text", "io"}  # of the library, besides its public headers
PUBLIC = re.compile(r"maggi/|Eigen/|\w+$")  # what a public header may include

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)
CODE = {".hpp", ".cpp", ".h", ".c", ".cc"}
TEXT = CODE | {".py", ".sh", ".md", ".txt", ".cmake", ".in", ".toml", ".json", ".ts", ".js", ".yml", ".cff", ".bib", ""}
MACHINE_PATH = re.compile(r"(?<![\w.}])/(?:" + "|".join(["home", "root", "work", "farm", "Users"]) + r")/\w")
OUTSIDE = re.compile(r"\.\./" + r"shared\b")
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


def room_of(path):
    """The room of a file of the repository: "basis", "system/seam"; None for the tour."""
    parts = path.parts
    if parts[0] in ENDS:
        return parts[0]
    if parts[0] == "include":
        return PUBLIC_ROOMS.get("/".join(parts[2:]))
    folder = "/".join(parts[1:-1])
    return folder or None


def rank(room):
    """Where a room stands from left to right; None if it is no part of the data flow."""
    if room in ENDS:
        return (len(FLOW), 0)
    folder, _, inner = room.partition("/")
    if folder not in FLOW:
        return None
    rooms = ROOMS.get(folder, [""])
    return (FLOW.index(folder), rooms.index(inner)) if inner in rooms else None


def target_of(name, path, root):
    """The file of the repository that an #include leads to; None if it is not ours."""
    for file in ((root / path).parent / name, root / "src" / name, root / "include" / name, root / name):
        if file.is_file() and file.resolve().is_relative_to(root.resolve()):
            return file.resolve().relative_to(root.resolve())
    return None


def code_files(root):
    for folder in ["include/maggi", "src", *ENDS]:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix in CODE:
                yield file.relative_to(root)


def includes_of(path, root):
    text = (root / path).read_text(encoding="utf-8")
    for match in INCLUDE.finditer(text):
        yield match[2], f"{path}:{text.count(chr(10), 0, match.start(2)) + 1}"


TOUR = Path("include/maggi/maggi.hpp")


def check_includes(root):
    for path in code_files(root):
        room = room_of(path)
        if room is None:
            if path != TOUR:
                yield f"{path}: lies outside the rooms of the data flow"
            continue
        if rank(room) is None:
            yield f'{path}: "{room}" is no room of the data flow'
            continue
        for name, place in includes_of(path, root):
            yield from check_include(name, path, room, place, root)


def check_include(name, path, room, place, root):
    target = target_of(name, path, root)
    if target == TOUR or name == "maggi/maggi.hpp":
        if room not in ENDS:
            yield f"{place}: the library includes its own tour"
    elif target is not None and (other := room_of(target)) is not None and other != room:
        if rank(other) is None or rank(other) >= rank(room):
            yield f'{place}: {room} includes "{name}" of {other}: against the data flow'
    if room == "apps" and target is not None and target.parts[0] == "src" and target.parts[1] not in APPS_MAY_USE:
        yield f'{place}: apps includes "{name}": they use public headers, text and io only'
    if room == "apps" and name.startswith("Eigen/"):
        yield f'{place}: "{name}": nothing is computed in apps'
    if path.parts[0] == "include" and not PUBLIC.match(name):
        yield f'{place}: a public header includes "{name}": only maggi, Eigen and the standard library may be seen there'
    for prefix, allowed in THIRD_PARTY.items():
        if name.startswith(prefix) and room.partition("/")[0] not in allowed:
            where = ", ".join(sorted(allowed))
            yield f'{place}: "{name}" is known only to the sources of {where}'


def unit_graph(root):
    """Unit → units that it includes, inside one room; a public header is the unit of the source with its name."""
    files = list(code_files(root))
    names = {}
    for path in files:
        if path.parts[0] == "src":
            names[(room_of(path), path.stem)] = str(path.with_suffix(""))
    def unit(path):
        return names.get((room_of(path), path.stem), str(path.with_suffix("")))
    graph = {}
    for path in files:
        edges = graph.setdefault(unit(path), set())
        for name, _ in includes_of(path, root):
            target = target_of(name, path, root)
            if target is not None and room_of(target) == room_of(path) and unit(target) != unit(path):
                edges.add(unit(target))
    return graph


def circles(graph):
    """Strongly connected components of more than one unit (Tarjan)."""
    index, low, stack, found = {}, {}, [], []

    def visit(v):
        index[v] = low[v] = len(index)
        stack.append(v)
        for w in sorted(graph.get(v, ())):
            if w not in index:
                visit(w)
            if w in stack:
                low[v] = min(low[v], low[w])
        if low[v] == index[v]:
            component = stack[stack.index(v):]
            del stack[stack.index(v):]
            if len(component) > 1:
                found.append(sorted(component))

    for v in sorted(graph):
        if v not in index:
            visit(v)
    return found


def check_circles(root):
    for circle in circles(unit_graph(root)):
        yield f"these include each other in a circle: {', '.join(circle)}"


def print_table(root):
    rooms, edges = {}, {}
    for path in code_files(root):
        room = room_of(path) or "tour"
        rooms[room] = rooms.get(room, 0) + 1
        for name, _ in includes_of(path, root):
            target = target_of(name, path, root)
            other = room_of(target) if target else None
            if other and other != room:
                edges.setdefault(room, set()).add(other)
    for room in sorted(rooms, key=lambda r: rank(r) or (99, 0)):
        print(f"{room:32} {rooms[room]:4} files → {', '.join(sorted(edges.get(room, ())))}")


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
    return [*check_includes(root), *check_circles(root), *check_texts(root)]


def self_test():
    # files with texts, what the complaint must contain (None: none)
    cases = [
        ({"src/basis/a.cpp": '#include "system/seam/s.hpp"\n#include "basis/b.hpp"\n#include <Eigen/Core>',
          "src/system/seam/s.hpp": "", "src/basis/b.hpp": ""}, None),
        ({"src/basis/a.cpp": '\n#include "formulation/f.hpp"', "src/formulation/f.hpp": ""},
         "src/basis/a.cpp:2: basis includes"),
        ({"include/maggi/error.hpp": '# include "maggi/model.hpp"', "include/maggi/model.hpp": ""},
         "against the data flow"),
        ({"src/integration/a.cpp": '#include "analysis/a.hpp"', "src/analysis/a.hpp": ""}, "against the data flow"),
        ({"src/analysis/a.cpp": '#include "integration/sink/a.hpp"', "src/integration/sink/a.hpp": ""}, None),
        ({"src/integration/form/a.cpp": '#include "integration/run/a.hpp"', "src/integration/run/a.hpp": ""},
         "against the data flow"),
        ({"src/integration/run/a.cpp": '#include "integration/form/a.hpp"', "src/integration/form/a.hpp": ""}, None),
        ({"src/model/a.cpp": '#include "io/file/private.hpp"', "src/io/file/private.hpp": ""}, "against the data flow"),
        ({"src/io/a.cpp": '#include "../apps/b.hpp"'}, None),  # no such file: the compiler's business
        ({"src/io/toml/a.cpp": '#include "maggi/error.hpp"\n#include <toml++/toml.h>', "include/maggi/error.hpp": ""},
         None),
        ({"src/model/a.cpp": "#include <toml++/toml.h>"}, "known only to the sources of io"),
        ({"src/results/a.cpp": "#include <nlohmann/json.hpp>"}, "known only to the sources of"),
        ({"include/maggi/model.hpp": "#include <nlohmann/json.hpp>"}, "a public header includes"),
        ({"include/maggi/error.hpp": "#include <fmt/format.h>"}, "a public header includes"),
        ({"include/maggi/expert/basis.hpp": '#include "basis/private.hpp"'}, "a public header includes"),
        ({"include/maggi/expert/basis.hpp": '#include "maggi/expert/system.hpp"\n#include <Eigen/QR>\n#include <vector>',
          "include/maggi/expert/system.hpp": ""}, None),
        ({"include/maggi/basis/a.hpp": ""}, "outside the rooms"),
        ({"src/misc/a.cpp": ""}, '"misc" is no room'),
        ({"src/system/misc/a.cpp": ""}, '"system/misc" is no room'),
        ({"src/a.cpp": ""}, "outside the rooms"),
        ({"src/basis/a.hpp": '#include "basis/b.hpp"', "src/basis/b.cpp": '#include "basis/a.hpp"',
          "src/basis/b.hpp": ""}, "in a circle: src/basis/a, src/basis/b"),
        ({"src/basis/a.hpp": '#include "basis/b.hpp"', "src/basis/b.hpp": "", "src/basis/a.cpp": '#include "basis/a.hpp"'},
         None),
        ({"include/maggi/expert/basis.hpp": "", "src/basis/qr.hpp": '#include "maggi/expert/basis.hpp"',
          "src/basis/basis.cpp": '#include "basis/qr.hpp"'}, "in a circle"),
        ({"src/base/a.cpp": '#include "maggi/maggi.hpp"'}, "tour"),
        ({"apps/maggi/a.cpp": '#include "maggi/maggi.hpp"\n#include <CLI/CLI.hpp>'}, None),
        ({"apps/maggi/a.cpp": '#include "text/t.hpp"\n#include "io/json/j.hpp"\n#include "maggi/error.hpp"',
          "src/text/t.hpp": "", "src/io/json/j.hpp": "", "include/maggi/error.hpp": ""}, None),
        ({"apps/maggi/a.cpp": '#include "analysis/a.hpp"', "src/analysis/a.hpp": ""}, "public headers, text and io only"),
        ({"apps/maggi/a.cpp": "#include <Eigen/LU>"}, "nothing is computed in apps"),
        ({"apps/maggi/a.cpp": '#include "python/b.hpp"', "python/b.hpp": ""}, "against the data flow"),
        ({"docs/a.md": "see /ho" + "me/someone/x"}, "one machine"),
        ({"docs/a.md": "see .." + "/shared/x"}, "one machine"),
        ({"docs/a.md": "[gone](gone.md) [web](https://example.org/x.md) [here](a.md#top)"}, 'link "gone.md"'),
        ({"docs/a.md": "run /usr/bin/python3, results in /t" + "mp/x, a/ro" + "ot/b"}, None),
    ]
    failures = []
    for files, expected in cases:
        with tempfile.TemporaryDirectory() as temporary:
            root = Path(temporary)
            for name, text in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            found = check(root)
        if (expected is None and found) or (expected is not None and not any(expected in f for f in found)):
            failures.append(f"self-test: {files!r}: expected {expected!r}, got {found}")
    return failures


def main(arguments):
    if arguments == ["--self-test"]:
        faults = self_test()
    elif arguments == ["--table"]:
        faults = print_table(Path(__file__).parents[2].resolve()) or []
    else:
        faults = check(Path(arguments[0] if arguments else Path(__file__).parents[2]).resolve())
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
