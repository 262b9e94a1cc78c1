#!/usr/bin/env python3
"""Every basis and every formulation has a page in docs/theory, and every page is in the index there; every joint type
and every integrator has its row in a table.

The names are those of the arrays `entries` in src/basis/bases.cpp and src/formulation/formulations.cpp. The page of a
basis shows `--basis NAME`, that of a formulation `--formulation NAME`; the keys it cites are in docs/references.bib.
The names of the others are those of the entries in ROWS.

    check_theory.py [ROOT]       default: the repository that holds this file
    check_theory.py --self-test
"""
import re
import sys
import tempfile
from pathlib import Path

KINDS = {"basis": "src/basis/bases.cpp", "formulation": "src/formulation/formulations.cpp"}
# registry → the page with the table
ROWS = {"src/model/joint_entries.cpp": "docs/model-file.md",
        "src/integration/method/integrators.cpp": "docs/theory/integration.md"}
KEY = re.compile(r"\[([A-Z]\w*\d{4})[^\]]*\](?!\()")


def check(root):
    theory = root / "docs/theory"
    index = (theory / "README.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"\]\(([\w-]+\.md)", index))
    bib = set(re.findall(r"^@\w+\{(\w+),", (root / "docs/references.bib").read_text(encoding="utf-8"), re.M))
    for kind, source in KINDS.items():
        names = re.findall(r'\bEntry\{(?:\{\.name = )?"([^"]+)"', (root / source).read_text(encoding="utf-8"))
        if not names:
            yield f"{source}: no entries found"
        for name in names:
            page = theory / f"{name}.md"
            if not page.is_file():
                yield f'docs/theory/{name}.md: the page of {kind} "{name}" is missing'
            elif not re.search(rf"--{kind} {name}(?![\w-])", page.read_text(encoding="utf-8")):
                yield f"docs/theory/{name}.md: does not show --{kind} {name}"
    for page in sorted(theory.glob("*.md")):
        if page.name != "README.md" and page.name not in listed:
            yield f"docs/theory/{page.name}: is not in the index, docs/theory/README.md"
        for key in sorted(set(KEY.findall(page.read_text(encoding="utf-8"))) - bib):
            yield f"docs/theory/{page.name}: [{key}] is not in docs/references.bib"


    for source, table in ROWS.items():
        names = re.findall(r'\.name = "([^"]+)"', (root / source).read_text(encoding="utf-8"))
        if not names:
            yield f"{source}: no entries found"
        rows = set(re.findall(r"^\| `([^`]+)`", (root / table).read_text(encoding="utf-8"), re.M))
        for name in names:
            if name not in rows:
                yield f'{table}: no table has a row for "{name}" of {source}'


def self_test():
    good = {
        "src/basis/bases.cpp": 'Entry{"qr", make<QrBasis>},',
        "src/formulation/formulations.cpp": 'Entry{"maggi", true, make<Maggi>},',
        "src/model/joint_entries.cpp": '.name = "revolute",',
        "src/integration/method/integrators.cpp": '.name = "rk4",',
        "docs/model-file.md": "| joint |\n| `revolute` | `at` |",
        "docs/theory/integration.md": "| `rk4` (default) | | [integration](integration.md) ",
        "docs/references.bib": "@article{Blajer1993,\n}",
        "docs/theory/README.md": "[qr](qr.md) [maggi](maggi.md#top) [i](integration.md)",
        "docs/theory/qr.md": "`--basis qr`, [Blajer1993 (3.1)]",
        "docs/theory/maggi.md": "`--formulation maggi`, [see1999](qr.md)",
    }
    # file, its text instead, what the complaint must contain (None: none)
    cases = [
        ("docs/theory/qr.md", good["docs/theory/qr.md"], None),
        ("src/basis/bases.cpp", 'Entry{"qr", 0}, Entry{"svd", 0}', 'the page of basis "svd" is missing'),
        ("src/formulation/formulations.cpp", "", "no entries found"),
        ("src/model/joint_entries.cpp", '.name = "revolute", .name = "screw"', 'no table has a row for "screw"'),
        ("docs/theory/integration.md", "`rk4`", 'no table has a row for "rk4"'),
        ("docs/theory/qr.md", "`--basis qr-2`", "does not show --basis qr"),
        ("docs/theory/README.md", "[qr](qr.md) [i](integration.md)", "maggi.md: is not in the index"),
        ("docs/theory/rank.md", "", "rank.md: is not in the index"),
        ("docs/theory/maggi.md", "--formulation maggi [Dinh1994, sec. 3]", "[Dinh1994] is not in"),
    ]
    for changed, text, expected in cases:
        with tempfile.TemporaryDirectory() as temporary:
            for name, content in {**good, changed: text}.items():
                file = Path(temporary) / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(content, encoding="utf-8")
            found = list(check(Path(temporary)))
        if (expected is None and found) or (expected is not None and not any(expected in f for f in found)):
            yield f"self-test: {changed} with {text!r}: expected {expected!r}, got {found}"


def main(arguments):
    if arguments == ["--self-test"]:
        faults = list(self_test())
    else:
        faults = list(check(Path(arguments[0] if arguments else Path(__file__).parents[2])))
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
