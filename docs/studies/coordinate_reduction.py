#!/usr/bin/env python3
"""The methods of [PennestriValentini2007], timed by maggi: ratios of CPU time, QR = 1, beside those of the paper.

    coordinate_reduction.py MAGGI [MODEL ...]     MAGGI: the program; default: Andrews' squeezer and ladders of four-bars
    coordinate_reduction.py MAGGI --short         few and short runs: do all methods agree?

Prints tables in Markdown. The exit code is 1 if a method refuses, fails or disagrees.
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

# of the paper; formulation, basis and unknowns of maggi; CPU time in the paper [s]
METHODS = [
    ("coordinate partitioning", "partitioning", None, "independent", 11.45),
    ("the same, all q and v integrated", "partitioning", None, "velocities", None),
    ("QR", "maggi", "qr", "velocities", 2.64),
    ("PUTD", "maggi", "putd", "velocities", 4.83),
    ("SVD", "maggi", "svd", "velocities", 2.73),
    ("zero eigenvalue", "maggi", "zero-eigenvalue", "velocities", 2.72),
    ("Schur", "maggi", "schur", "velocities", 2.74),
    ("Udwadia-Kalaba", "udwadia-kalaba", None, "velocities", 3.17),
]
QR = ("maggi", "qr", "velocities")
SQUEEZER = Path(__file__).resolve().parents[2] / "models/andrews_squeezer.toml"


def ladder(loops):
    """Uniform rods of 1 m and 1 kg: cranks hang from pins 1 m apart, couplers join their free ends (x_i, y_i).
    n = 2 loops + 2, m = 2 loops + 1, one degree of freedom. It falls from upright and is stopped before it lies flat,
    where it is singular."""
    coordinates = ["x0 = { start = 0.0, speed = 1.0 }", "y0 = { guess = 1.0 }"]
    kinetic, potential, constraints = [], [], []
    for i in range(loops + 1):
        if i > 0:
            coordinates += [f"x{i} = {{ guess = {i}.0, speed_guess = 1.0 }}", f"y{i} = {{ guess = 1.0 }}"]
            kinetic.append(f"(x{i-1}'^2 + x{i-1}'*x{i}' + x{i}'^2 + y{i-1}'^2 + y{i-1}'*y{i}' + y{i}'^2)/6")
            potential.append(f"9.81*(y{i-1} + y{i})/2")
            constraints.append(f'coupler{i} = {{ position = "(x{i} - x{i-1})^2 + (y{i} - y{i-1})^2 = 1" }}')
        kinetic.append(f"(x{i}'^2 + y{i}'^2)/6")
        potential.append(f"9.81*y{i}/2")
        constraints.append(f'crank{i} = {{ position = "(x{i} - {i})^2 + y{i}^2 = 1" }}')
    return "\n".join(
        [f'title = "ladder, n = {2 * loops + 2}"', "[coordinates]", *coordinates]
        + ["[energy]", f'kinetic = "{" + ".join(kinetic)}"', f'potential = "{" + ".join(potential)}"']
        + ["[constraint]", *constraints, "[simulation]", "until = 0.5", "output = 0.05", ""]
    )


def ask(maggi, model, short, unknowns):
    """What maggi compare says of the methods with these unknowns, and its complaints."""
    methods = [(formulation, basis) for _, formulation, basis, other, _ in METHODS if other == unknowns]
    bases = [basis for _, basis in methods if basis]
    command = [maggi, "compare", model, "--json", "--unknowns", unknowns]
    command += ["--formulation", ",".join(sorted({formulation for formulation, _ in methods}))]
    command += ["--basis", ",".join(bases)] if bases else []
    command += ["--timing", "0.001", "--rtols", "1e-4,1e-8"] if short else ["--timing", "0.1"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    found = json.loads(done.stdout) if done.stdout else {"title": str(model), "rows": []}
    return found, [done.stderr.strip()] if done.returncode != 0 else []


def compare(maggi, model, short):
    """Title, rows by (formulation, basis, unknowns), and what is wrong with them."""
    rows, faults = {}, []
    for unknowns in ("velocities", "independent"):
        found, complaints = ask(maggi, model, short, unknowns)
        faults += complaints
        for row in found["rows"]:
            rows[row["formulation"], row["basis"], unknowns] = row
            wrong = row["failure"] or row["disagreement"] or (None if row["work_seconds"] else "too far from the end")
            faults += [f"{found['title']}, {row['formulation']}, {row['basis']}, {unknowns}: {wrong}"] if wrong else []
    return found["title"], rows, faults


def quietest(maggi, model, short):
    """The least times of several comparisons: what else the machine does only adds to them."""
    title, rows, faults = compare(maggi, model, short)
    for _ in range(0 if short or faults else 4):
        _, again, faults = compare(maggi, model, short)
        if faults:
            break
        for method, row in rows.items():
            for column in ("seconds", "work_seconds"):
                row[column] = min(row[column], again[method][column])
    return title, rows, faults


def table(head, titles, column):
    """Ratios to QR of one time of all rows."""
    print(f"| {head} | paper | " + " | ".join(titles) + " |")
    print("|---|" + "---|" * (1 + len(titles)))
    at_qr = [rows[QR][column] for rows in titles.values()]
    for name, *method, seconds in METHODS:
        if column == "seconds" and method[-1] == "independent":
            continue  # an evaluation of v̇ is the same; what differs is done around it
        ratios = [rows[tuple(method)][column] / unit for rows, unit in zip(titles.values(), at_qr)]
        paper = f"{seconds / 2.64:.2f}" if seconds else ""
        print(f"| {name} | {paper} | " + " | ".join(f"{ratio:.2f}" for ratio in ratios) + " |")
    print("| QR takes | 2.64 s | " + " | ".join(f"{1e3 * unit:.3g} ms" for unit in at_qr) + " |\n")


def main(maggi, *words):
    short = "--short" in words
    models = [Path(word) for word in words if word != "--short"]
    with tempfile.TemporaryDirectory() as folder:
        if not models:
            models = [SQUEEZER]
            for loops in [3] if short else [5, 10, 20, 40]:
                models.append(Path(folder) / f"ladder_{loops}.toml")
                models[-1].write_text(ladder(loops), encoding="utf-8")
        titles, faults = {}, []
        for model in models:
            title, rows, wrong = quietest(maggi, model, short)
            faults += wrong
            titles[title] = rows
    if not faults:
        table("one evaluation of v̇", titles, "seconds")
        table("the motion, to 1e-6", titles, "work_seconds")
    print("\n".join(faults), file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
