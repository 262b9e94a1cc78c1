"""Questions to the program about a model, and whether the answers are right."""

import csv
import json
import math
import re
import subprocess
from pathlib import Path

import options
import refusals
from models import AT, OUTPUT, STATE, UNTIL, pick


class Program:
    """Asks in a folder of its own; a run leaves its channels there."""

    def __init__(self, path, folder):
        self.path, self.folder = path, folder

    def place(self, text, files):
        Path(self.folder, "cell.toml").write_text(text, encoding="utf-8")
        for name, content in files.items():
            Path(self.folder, name).write_text(content, encoding="utf-8")

    def ask(self, command):
        """Exit code, JSON document and messages."""
        first, *rest = command.split()
        words = [self.path, first, "cell.toml", *rest, "--json"] + (["--out", "out"] if first in ("run", "sweep") else [])
        try:
            answer = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, timeout=30)
        except subprocess.TimeoutExpired:
            return -1, None, "no answer within 30 s"
        return answer.returncode, json.loads(answer.stdout) if answer.stdout.strip() else None, answer.stderr

    def channels(self):
        with open(Path(self.folder, "out", "trajectory.csv"), encoding="utf-8", newline="") as lines:
            rows = [row for row in csv.reader(lines) if row]
        names = [re.sub(r" *\[[^\]]*\]$", "", name) for name in rows[0]]
        return dict(zip(names, zip(*([float(value) if value else math.nan for value in row] for row in rows[1:]))))


def near(value, wanted, tolerance):
    return isinstance(value, (int, float)) and abs(value - wanted) <= tolerance * (1 + abs(wanted))  # a NaN is not


# --- what is wrong with an answer; tolerances are relative ---------------------------------------------------------------

EXACT = 1e-8        # of numbers at one state: ε times a condition number of some hundred, and five digits
ENERGY = 100        # [J] of a few kg, m/s and m under gravity
RATE, FORCE = 10, 100   # of rates and forces against the positions: frequencies are below 10/s, but for impacts


def wrong_vdot(model, document, wanted, where, tolerance=EXACT):
    names, vdot, s = list(document["v"]), document["vdot"], model.carrier.s
    key = next(key for key in (s, s + "'") if key in names)
    value = vdot[key] if isinstance(vdot, dict) else vdot[names.index(key)]
    return [] if near(value, wanted, tolerance) else [f"v̇({s}) = {value} {where} instead of {wanted}"]


def product(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector)) for row in matrix]


def transposed(matrix, columns):
    return [[row[j] for row in matrix] for j in range(columns)]


def wrong_equations(document, tolerance=EXACT):
    """M v̇ = h + Cᵀλ + T τ + B p, C v̇ = γ and C D = 0 in the numbers that are printed."""
    vdot, n, C = document["vdot"], len(document["vdot"]), document["C"]
    parts = [product(document["M"], vdot), [-x for x in document["h"]]]
    for matrix, forces in ((transposed(C, n), document["lambda"]), (document["T"], document["tau"]),
                           (document["B"], document["p"])):
        parts.append([-x for x in product(matrix, forces)] if forces else [0.0] * n)
    size = max([1.0] + [abs(x) for part in parts for x in part])
    wrong = [f"the balance of {name} has the residual {sum(part)}" for name, *part in zip(document["v"], *parts)
             if not abs(sum(part)) <= tolerance * size]
    wrong += [f"C v̇ = {left} instead of γ = {right} in {name}"
              for name, left, right in zip(document["constraints"], product(C, vdot), document["gamma"])
              if not near(left, right, tolerance)]
    for column in transposed(document["D"], len(document["D"][0]) if document["D"] else 0):
        wrong += [f"C D = {value} in {name}" for name, value in zip(document["constraints"], product(C, column))
                  if not abs(value) <= tolerance]
    return wrong


class Channels:
    """Compares channels of a run at stored times without an event."""

    def __init__(self, channels, tolerance):
        self.channels, self.tolerance, self.wrong = channels, tolerance, []

    def place(self, t):
        places = [i for i, stored in enumerate(self.channels["t"]) if abs(stored - t) < 1e-6]
        return places[0] if len(places) == 1 else None

    def compare(self, name, t, wanted, factor=1.0):
        at = self.place(t)
        if at is None or self.wrong:
            return
        if name not in self.channels:
            self.wrong.append(f"there is no channel {name}")
        elif not near(self.channels[name][at], wanted, factor * self.tolerance):
            self.wrong.append(f"{name}({t:g}) = {self.channels[name][at]} instead of {wanted}")


def wrong_run(model, document, channels, tolerance):
    cell, s, last = model.cell, model.carrier.s, model.states[-1]
    if not near(document["t"], last["t"], tolerance):
        return [f"ends at t = {document['t']} instead of {last['t']}"]
    if document["energy_drift"] is not None and not abs(document["energy_drift"]) <= ENERGY * tolerance:
        return [f"the energy is said to be conserved and drifts by {document['energy_drift']} J"]
    run = Channels(channels, tolerance)
    for state in model.states:
        t = state["t"]
        run.compare(s, t, state["s"])
        run.compare(s + "'", t, state["v"], RATE)
        run.compare(s + "''", t, state["a"], FORCE)
        for name, factor in cell.second:
            run.compare(name, t, factor * state["s"])
            run.compare(name + "'", t, factor * state["v"], RATE)
        if model.unique and model.carrier.reaction:
            run.compare(model.carrier.reaction, t, state["normal"], FORCE)
        if len(cell.prescriptions) == 1 and cell.prescriptions[0]:
            name, of_unit = cell.prescriptions[0]
            run.compare(name, t, state["required"] / of_unit, FORCE)
        for name, value in state["checks"].items():
            run.compare(name, t, value, FORCE)
    return run.wrong


def wrong_sweep(model, document):
    motion = model.cell.motion
    motion.begin(0.0, 0.9)
    motion.advance(UNTIL)
    wanted, found = sorted([motion.s, model.states[-1]["s"]]), document["outputs"][0]
    right = near(found["min"], wanted[0], options.LESS) and near(found["max"], wanted[1], options.LESS)
    return [] if right and not document["failed"] else [f"the ends are {found['min']}, {found['max']} instead of {wanted}"]


def wrong_answer(model, command, document, program, tolerance):
    if command == "check":
        dof = (0 if model.states[0]["held"] else 1) + model.carrier.free
        return [] if document["dof"] == dof else [f"{document['dof']} degrees of freedom instead of {dof}"]
    if command == "init":
        return wrong_vdot(model, document, model.states[0]["a"], "at the start")
    if command.startswith("sweep"):
        return wrong_sweep(model, document)
    if command.startswith("run"):
        return wrong_run(model, document, program.channels(), tolerance)
    if command.startswith("equations --state"):
        model.cell.motion.begin(*STATE)
        wanted, where, tolerance = model.cell.motion.acceleration(0.0, *STATE), "at the state given", EXACT
    elif command.startswith("equations --at"):
        wanted, where, tolerance = model.states[AT]["a"], "at the time given", FORCE * options.USUAL
    elif command.startswith("equations"):
        wanted, where, tolerance = model.states[0]["a"], "at the start", EXACT
    else:
        return []
    # rows that agree to the tolerance of the run only share what they disagree by
    balance = tolerance if "driver by a table" in model.names else EXACT
    return wrong_equations(document, balance) + wrong_vdot(model, document, wanted, where, tolerance)


# --- cells ---------------------------------------------------------------------------------------------------------------

def run_command(of_options=""):
    return " ".join(filter(None, [f"run --until {UNTIL}", "" if "--output" in of_options else f"--output {OUTPUT}", of_options]))


def group_of(command):
    """The group of the option in the command; none if it has none."""
    return next((name for name, group in options.GROUPS.items()
                 if any(command.endswith(" " + option) for option, _ in group)), None)


def commands(model):
    """What every model is asked, without options."""
    s, rate = model.carrier.s, model.carrier.rate()
    given = re.sub(r"\.(distance|angle)$", "", s)  # as a joint with one coordinate is given its speed
    yield from ("check", "init", "equations", run_command())
    if model.free:
        yield f"equations --state {s}={STATE[0]},{rate}={STATE[1]}"
    followed = len(model.states) - (1 if model.ended or model.conflict else 0)
    if followed > AT and (abs(model.states[AT]["v"]) > 1e-3 or model.states[AT]["held"]):
        yield f"equations --at {model.states[AT]['t']:.6g}"
    yield "compare --no-run --timing 0"
    if model.free and not model.ended and not model.conflict:
        yield f"sweep --over {given}'=0.9,1 --keep {s} --until {UNTIL} --threads 1 --restart"


def cells(model, every_option):
    """(command, tolerance): all commands, and one option of each group or every option."""
    for command in commands(model):
        yield command, options.USUAL
    groups = [group if every_option else [group[pick(f"{model.title}{name}", len(group))]]
              for name, group in options.GROUPS.items()]
    for group in groups:
        for option, tolerance in group:
            yield run_command(option), tolerance


def judge(model, program, command, tolerance):
    """(verdict, words): right, refused with the letter of the reason, wrong or failed."""
    code, document, errors = program.ask(command)
    if code == 1 or code == 2 and command.startswith("sweep") and refusals.letter_of(errors):
        letter = refusals.letter_of(errors)
        return ("refused", letter) if letter else ("failed", f"refused for an unknown reason: {errors.strip()}")
    goes_on = command.startswith(("run", "sweep"))
    if goes_on and model.conflict:
        told = code == 2 and '"hook"' in errors and "against" in errors
        return ("right", "") if told else ("wrong", f"exit {code} where a row drives against a stop: {errors.strip()}")
    if not (code == 0 or code == 2 and goes_on and model.ended) or document is None:
        return "failed", f"exit {code}: {errors.strip()}"
    wrong = wrong_answer(model, command, document, program, tolerance)
    return ("wrong", "; ".join(wrong[:3])) if wrong else ("right", "")


def cells_of_special(special):
    yield from ((command, options.USUAL) for command in (
        "check", "init", "equations", f"equations --at {special.until * 0.6:g}", "compare --no-run --timing 0",
        f"run --until {special.until} --output {special.until / 20}"))
    for name, group in options.GROUPS.items():
        for k in range(3):
            option, tolerance = group[pick(f"{special.name}{name}{k}", len(group))]
            output = "" if "--output" in option else f"--output {special.until / 20} "
            yield f"run --until {special.until} {output}{option}", tolerance


def judge_special(special, program, command, tolerance):
    code, document, errors = program.ask(command)
    if code == 1:
        letter = refusals.letter_of(errors)
        return ("refused", letter) if letter else ("failed", f"refused for an unknown reason: {errors.strip()}")
    if code != 0 or document is None:
        return "failed", f"exit {code}: {errors.strip()}"
    wrong = []
    if command == "check" and document["dof"] != special.dof:
        wrong = [f"{document['dof']} degrees of freedom instead of {special.dof}"]
    elif command.startswith("equations"):
        wrong = wrong_equations(document)
    elif command.startswith("run"):
        run = Channels(program.channels(), tolerance)
        for name, value in special.wanted.items():
            factor = FORCE if "lambda" in name or "force" in name else RATE
            for t in sorted(set(run.channels["t"])):
                run.compare(name, t, value(t), factor)
        wrong = run.wrong
    return ("wrong", "; ".join(wrong)) if wrong else ("right", "")
