"""The page with the table of the matrix."""

import features
import options
import refusals

BEGIN, END = "<!-- written by tests/matrix/matrix_test.py --write -->", "<!-- end -->"


def number(title):
    return next(i for i, feature in enumerate(features.FEATURES) if feature.title == title)


def entry(letters):
    """Of a pair: right everywhere, or the reasons for which something is refused, with + if something is right."""
    reasons = "".join(sorted(letters - {""}))
    return "·" if not reasons else reasons + ("+" if "" in letters else "")


def pair_lines(results):
    """One line for each class: the classes behind it in the order of the table."""
    rows = {}
    for (one, two), letters in results.pairs.items():
        rows.setdefault(number(one), {})[number(two)] = entry(letters)
    count = len(features.FEATURES)
    for row in sorted(rows):
        cells = [rows[row].get(column, "") for column in range(1, count)]
        yield f"| {row + 1} {features.FEATURES[row].title} | " + " | ".join(cells) + " |"


def option_lines(results):
    rows = {}
    for (title, group), letters in results.options.items():
        rows.setdefault(number(title), {})[group] = entry(letters)
    for row in sorted(rows):
        cells = [rows[row].get(group, "") for group in options.GROUPS]
        yield f"| {features.FEATURES[row].title} | " + " | ".join(cells) + " |"


def count_lines(results):
    def line(name, count):
        return f"| {name} | {count['right']} | {count['refused']} |"
    for row in sorted(row for row in results.counts if row != "specials"):
        yield line(features.FEATURES[row].title, results.counts[row])
    if "specials" in results.counts:
        yield line("models of their own", results.counts["specials"])


def lines(results):
    return {"pairs": list(pair_lines(results)), "options": list(option_lines(results)), "counts": list(count_lines(results))}


def reasons():
    for letter, _, words in refusals.REFUSALS:
        if words:
            yield f"| {letter} | {words} |"


def table(head, body):
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *body]


def write(doc, new):
    count = len(features.FEATURES)
    pairs = table(["", *(str(column + 1) for column in range(1, count))], new["pairs"])
    text = "\n".join([
        BEGIN, "", *pairs, "", *table(["letter", "what does not go together, and why"], reasons()), "",
        *table(["class", *options.GROUPS], new["options"]), "",
        *table(["cells of the models whose first class is", "right", "refused"], new["counts"]), "", END])
    old = doc.read_text(encoding="utf-8")
    doc.write_text(old[:old.index(BEGIN)] + text + old[old.index(END) + len(END):], encoding="utf-8")


def missing(doc, new, whole):
    """Lines that the page does not have."""
    known = set(doc.read_text(encoding="utf-8").splitlines())
    body = [line for part in new.values() for line in part] + (list(reasons()) if whole else [])
    return [line for line in body if line not in known]
