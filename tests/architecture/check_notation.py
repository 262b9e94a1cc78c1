#!/usr/bin/env python3
"""Every identifier in the code column of docs/notation.md exists in the headers.

`Class::member` must stand in the body of that class, a plain `name` anywhere in the code; comments do not count.

    check_notation.py [ROOT]       default: the repository that holds this file
    check_notation.py --self-test
"""
import re
import sys
from pathlib import Path

COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)
CLASS = re.compile(r"\b(?:struct|class|enum\s+class)\s+(\w+)[^;{}()]*\{")


def code_of(header):
    return COMMENT_OR_STRING.sub(" ", header)


def class_bodies(code):
    """Class name → the text between its braces (of all classes of that name)."""
    bodies = {}
    for match in CLASS.finditer(code):
        depth, end = 1, match.end()
        while depth and end < len(code):
            depth += {"{": 1, "}": -1}.get(code[end], 0)
            end += 1
        bodies[match[1]] = bodies.get(match[1], "") + code[match.end() : end]
    return bodies


def identifiers(markdown):
    """(line, identifier) for each `...` in a column headed "code"."""
    column = None
    for number, line in enumerate(markdown.splitlines(), 1):
        if not line.startswith("|"):
            column = None
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if column is None:
            column = cells.index("code") if "code" in cells else -1
        elif 0 <= column < len(cells):
            for name in re.findall(r"`([^`]+)`", cells[column]):
                yield number, name


def check(markdown, headers):
    code = "\n".join(code_of(text) for text in headers)
    bodies = class_bodies(code)
    found = list(identifiers(markdown))
    if not found:
        yield "docs/notation.md: no table with a column \"code\""
    for number, name in found:
        owner, _, member = name.rpartition("::")
        if owner and owner not in bodies:
            yield f'docs/notation.md:{number}: no class "{owner}" in the headers'
        elif not re.search(rf"\b{re.escape(member)}\b", bodies[owner] if owner else code):
            yield f'docs/notation.md:{number}: "{name}" is not in the headers'


def self_test():
    header = 'struct Terms : Base {\n  Vector M, h;  // gone\n  struct Inner { int k; };\n};\nint rank();  const char* s = "text";'
    cases = [("`Terms::M`, `Terms::h`", 0), ("`rank`", 0), ("`Inner::k`", 0), ("`Terms::gone`", 1), ("`text`", 1)]
    cases += [("`Terms::rank`", 1), ("`Other::M`", 1), ("`M`, `nowhere`", 1)]
    for cell, expected in cases:
        faults = list(check(f"| math | code |\n|---|---|\n| M | {cell} |\n", [header]))
        if len(faults) != expected:
            yield f"self-test: {cell}: {expected} faults expected, got {faults}"
    if not list(check("no table", [header])):
        yield "self-test: a page without table must be refused"


def main(arguments):
    if arguments == ["--self-test"]:
        faults = list(self_test())
    else:
        root = Path(arguments[0] if arguments else Path(__file__).parents[2])
        headers = [file.read_text(encoding="utf-8") for folder in ("include", "src")
                   for file in sorted((root / folder).rglob("*.hpp"))]
        faults = list(check((root / "docs/notation.md").read_text(encoding="utf-8"), headers))
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
