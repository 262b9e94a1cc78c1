#!/usr/bin/env python3
"""The documents use one term for each concept: the words that CONTRIBUTING.md replaces do not occur in their prose.

Fenced and indented blocks, `code`, "quotations" and *quoted output* are exempt, and so are tables that a program writes
(between "<!-- measured" and "<!-- end").

    check_words.py [ROOT]       default: the repository that holds this file
    check_words.py --self-test
"""
import re
import subprocess
import sys
from pathlib import Path

TERMS = {  # not this → but that; a match of the first group is right
    r"poses?": "configuration",
    r"(degrees? of )?freedoms?": "degree of freedom",
    r"for ever": "permanently",
    r"anew|afresh": "again, restart",
    r"as drawn": "reference configuration",
    r"who depends on whom": "redundant constraints",
    r"nobody": "a noun",
}
EXEMPT = re.compile(r'<!-- measured.*?<!-- end|^```.*?^```|^ {4,}(?![-*] ).*?$|`[^`]*`|"[^"\n]*"|(?<!\*)\*[^*\n]+\*(?!\*)', re.S | re.M)


def prose(text):
    """The text with everything exempt blanked out; lines stay where they are."""
    return EXEMPT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def check(name, text):
    text = prose(text)
    for bad, good in TERMS.items():
        for match in re.finditer(rf"\b(?:{bad})\b".replace(" ", r"\s+"), text, re.I):
            if not (match.groups() and match[1]):
                line = text.count("\n", 0, match.start()) + 1
                yield f'{name}:{line}: "{" ".join(match[0].split())}": write {good}'


def documents(root):
    names = subprocess.run(["git", "-C", root, "ls-files", "*.md"], capture_output=True, text=True, check=False).stdout.split()
    return names or [str(path.relative_to(root)) for path in root.rglob("*.md") if "build" not in path.parts]


def check_tree(root):
    for name in sorted(documents(root)):
        text = (root / name).read_text(encoding="utf-8")
        if name == "CONTRIBUTING.md":
            text = re.sub(r"^\|.*\|$", "", text, flags=re.M)  # its table lists the words themselves
        yield from check(name, text)


def self_test():
    cases = [
        ("In this pose it rests.", 1),
        ("A singular\npose, and singular poses.", 2),
        ("two degrees of freedom, one degree of\nfreedom", 0),
        ("a freedom of the joint", 1),
        ("redundant for\never", 1),
        ("chosen Anew", 1),
        ("the purpose, to suppose, `pose`, *only in this pose*, \"singular pose is passed\"", 0),
        ("    t = 0 s: singular pose is left", 0),
        ("```text\nas drawn\n```\n", 0),
        ("<!-- measured -->\n| singular poses |\n<!-- end -->\n", 0),
        ("- a list\n- nobody", 1),
        ("**bold** pose **bold**", 1),
    ]
    for text, expected in cases:
        found = list(check("a.md", text))
        if len(found) != expected:
            yield f"self-test: {text!r}: {expected} faults expected, got {found}"


def main(arguments):
    if arguments == ["--self-test"]:
        faults = list(self_test())
    else:
        faults = list(check_tree(Path(arguments[0] if arguments else Path(__file__).parents[2])))
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
