"""The matrix of features: kind of model × class × second class on the same body × command × options.

    matrix_test.py MAGGI DOC [--part I/N] [--only REGEX] [--write]

Every cell is a question to the program with an answer that is known from reference.py or specials.py. It must be right, or
refused before it starts (exit 1) for one of the reasons of refusals.py. DOC is the page with the table; each part checks
its own lines of it, and --write renews them.
"""

import argparse
import re
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import features
import judge
import page
import refusals
import specials
from models import CARRIERS, models


def questions():
    """(row, model, its title, text and files, cells, judge of a cell); special ones are in the first row."""
    for special in specials.specials():
        yield 0, None, special.name, 'title = "cell"\n' + special.text, {}, judge.cells_of_special(special), (
            lambda *cell, special=special: judge.judge_special(special, *cell))
    for row, model in models():
        if not model.made:
            continue
        alone = len(model.parts) == 1
        every = alone and CARRIERS[row % len(CARRIERS)] is model.carrier  # each class with every option once
        yield row, model, model.title, model.text, model.cell.files, judge.cells(model, every), (
            lambda *cell, model=model: judge.judge(model, *cell))


class Results:
    """Verdicts by row, and the reasons of refusals by pair of classes and by class and option."""

    def __init__(self):
        self.counts = defaultdict(Counter)   # row of features, "specials"
        self.pairs = defaultdict(set)        # (one, two): letters, without options
        self.options = defaultdict(set)      # (feature, group of options): letters
        self.bad = 0

    def add(self, row, model, command, verdict, words):
        self.counts[row if model else "specials"][verdict] += 1
        self.bad += verdict in ("wrong", "failed")
        if not model or len(model.parts) > 2:
            return
        letter = words if verdict == "refused" else ""
        names = model.names
        group = judge.group_of(command)
        if len(names) == 2 and not group:
            self.pairs[names[0], names[1]].add(letter)
        if len(names) == 1 and group:
            self.options[names[0], group].add(letter)


def ask_all(arguments, program):
    part, parts = map(int, arguments.part.split("/"))
    results = Results()
    for row, model, title, text, files, cells, judged in questions():
        if row % parts != part or arguments.only and not re.search(arguments.only, title):
            continue
        program.place(text, files)
        for command, tolerance in cells:
            verdict, words = judged(program, command, tolerance)
            results.add(row, model, command, verdict, words)
            if verdict in ("wrong", "failed"):
                print(f"{verdict}  {title} | {command}\n       {words[:800]}", flush=True)
                if arguments.keep:
                    Path(arguments.keep, re.sub(r"[^a-z0-9]+", "_", title.lower()) + ".toml").write_text(text)
    return results


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("doc", type=Path)
    parser.add_argument("--part", default="0/1", help="rows whose number leaves I when divided by N")
    parser.add_argument("--only", help="titles of models")
    parser.add_argument("--write", action="store_true", help="renews the page")
    parser.add_argument("--keep", help="folder for models with a wrong cell")
    arguments = parser.parse_args()
    began = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        results = ask_all(arguments, judge.Program(str(Path(arguments.program).resolve()), folder))
    total = sum(results.counts.values(), Counter())
    print(dict(total))
    if arguments.only:
        return 1 if results.bad else 0
    lines = page.lines(results)
    if arguments.write:
        page.write(arguments.doc, lines)
        return 1 if results.bad else 0
    old = page.missing(arguments.doc, lines, whole=arguments.part == "0/1")
    for line in old:
        print(f"{arguments.doc} does not have the line (renew it with --write):\n  {line}")
    return 1 if results.bad or old or not total else 0


if __name__ == "__main__":
    sys.exit(main())
