#!/usr/bin/env python3
"""No residual, error or scale is found by a comparison that loses a NaN.

std::max(x, NaN), and Eigen's lpNorm<Infinity>(), maxCoeff() and minCoeff() with a NaN among the others, give one of the
other numbers: a test passes, an iteration ends as if it had converged. base/largest.hpp has Largest, largest(), larger()
and within() instead, to which a NaN is infinite. Refused in src, apps and tests:

    lpNorm<Infinity>(), maxCoeff(), minCoeff()
    x = std::max(x, ...) in any order and over several lines, also with a list and with std::fmax
    printf in a test: what was measured is a property of the test (support/measured.hpp), or asserted

What ALLOWED lists is known to be finite, or to do no harm there; an entry that is no longer needed is a fault, too.

    check_nan.py [ROOT]       default: the repository that holds this file
    check_nan.py --self-test
"""
import re
import sys
import tempfile
from pathlib import Path

HELPER = "src/base/largest.hpp"

# file, or how its path ends → what stands there (a method, or the variable that accumulates): why it may
ALLOWED = {
    "table.cpp": {"width[j]": "a number of characters"},
    "src/analysis/compared_method.cpp": {"row.tolerance": "reference.tolerance() is bounded and no NaN"},
    "src/analysis/hidden_constraints.cpp": {"most": "a number of derivatives", "rank_nearby": "a rank"},
    "src/analysis/servo.cpp": {"result.index": "a differentiation index"},
    "src/dynamics/row_decision.cpp": {"longest": "lengths of rows in use; with a NaN the order stays, and the factor refuses it"},
    "src/expression/interval.cpp": {"result.high": "hull() returns before, if a value is NaN"},
    "src/expression/make_tape.cpp": {"value.stage": "a number of a stage"},
    "src/formulation/lanes.cpp": {"rounding[l]": "a bound on rounding, which a NaN must not widen"},
    "src/formulation/scaled_lu.hpp": {
        "maxCoeff": "a NaN stays in the matrix, whose allFinite() is asked next",
        "minCoeff": "compared with the largest pivot, which is infinite if one is NaN"},
    "src/integration/drift/constraint_keeper.cpp": {
        "statistics_.largest_correction": "of a projection that met its constraints, so it is finite"},
    "src/integration/drift/rank_monitor.cpp": {
        "longest_[watched_.rows()[k]]": "a scale of later lengths, in which a NaN must not stay",
        "clearest_": "a scale of later distances, in which a NaN must not stay",
        "since_choice_[i]": "a scale of later lengths, in which a NaN must not stay"},
    "src/dynamics/complementarity.cpp": {"minCoeff": "of a tableau made of finite numbers"},
    "src/integration/run/step_progress.hpp": {"statistics.largest_step": "step sizes are finite"},
    "src/integration/singular/singularity_search.cpp": {"largest_": "clearances; a scale in which a NaN must not stay"},
    "src/io/npz/npy.cpp": {"longest": "a number of characters"},
    "src/io/report/figure.cpp": {"high": "of finite values only", "step": "a distance of ticks, not less than 1"},
    "src/io/report/packed.cpp": {"scale": "of finite values only"},
    "src/io/report/sweep_report.cpp": {"greatest": "values of a design are finite"},
    "src/manifold/projection.cpp": {
        "longest[group[i]]": "divides residuals, which a NaN must not make small",
        "now[group[i]]": "divides residuals, which a NaN must not make small"},
    "src/start/start_search.cpp": {"damping": "a factor of ten from a finite number"},
    "src/system/seam/equations.cpp": {"largest": "a bound on rounding, which a NaN must not widen"},
    "tests/package/consumer/main.cpp": {"printf": "a program of a user of the package, not a test of ours"},
    "tests/unit/base/cholesky_test.cpp": {"minCoeff": "of random numbers, to leave some matrices out"},
    "tests/unit/basis/projective_test.cpp": {"minCoeff": "of singular values, compared with > a bound"},
}

COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)
METHOD = re.compile(r"\b(lpNorm(?=\s*<\s*(?:Eigen::)?Infinity)|maxCoeff|minCoeff)\b")
ASSIGNED = re.compile(r"((?:[A-Za-z_]\w*(?:\.|->))*[A-Za-z_]\w*(?:\((?=\))\))?(?:\[[^=;{}]*\])?)\s*=\s*(?:std::)?f?max(?:<double>)?\(")  # of another type: integers
PRINT = re.compile(r"\b(?:std::)?printf\b")
HELP = "use Largest, largest(), larger() or within() of base/largest.hpp"


def code_of(text):
    """Without comments and texts; lines stay where they are."""
    return COMMENT_OR_STRING.sub(lambda match: "\n" * match[0].count("\n"), text)


def arguments_from(code, start):
    depth, end = 1, start
    while depth and end < len(code):
        depth += {"(": 1, ")": -1}.get(code[end], 0)
        end += 1
    return code[start : end - 1]


def faults_of(name, text):
    """(line, what stands there, the complaint)"""
    code = code_of(text)

    def line(position):
        return code.count("\n", 0, position) + 1

    for match in METHOD.finditer(code):
        yield line(match.start()), match[1], f"{match[1]}() loses a NaN: {HELP}"
    for match in ASSIGNED.finditer(code):
        target = match[1]
        if re.search(rf"(?<![\w.>]){re.escape(target)}(?![\w(])", arguments_from(code, match.end())):
            yield line(match.start()), target, f"{target} = std::max({target}, ...) loses a NaN: {HELP}"
    if name.startswith("tests/"):
        for match in PRINT.finditer(code):
            yield line(match.start()), "printf", "a test prints: record() it (support/measured.hpp), or assert it"


def check(root, allowed):
    used = set()
    for folder in ("src", "apps", "tests"):
        for file in sorted((root / folder).rglob("*")):
            name = file.relative_to(root).as_posix()
            if file.suffix not in {".cpp", ".hpp", ".h"} or name == HELPER:
                continue
            for line, what, complaint in faults_of(name, file.read_text(encoding="utf-8")):
                keys = [key for key in allowed if f"/{name}".endswith(f"/{key}") and what in allowed[key]]
                used.update((key, what) for key in keys)
                if not keys:
                    yield f"{name}:{line}: {complaint}"
    for name, entries in allowed.items():
        for what in entries:
            if (name, what) not in used:
                yield f'{name}: ALLOWED in check_nan.py has "{what}", which no longer stands there'


def self_test():
    # text of a file of src, of a file of tests, what is allowed in the former, number of faults
    cases = [
        ("const double e = x.lpNorm<Eigen::Infinity>();", "", {}, 1),
        ("h = x.lpNorm<1>() + x.norm();", "", {}, 0),
        ("e = x.cwiseAbs().maxCoeff(); f = x.template maxCoeff<2>(&i);", "", {}, 2),
        ("if (x.minCoeff() < 0) return;", "", {}, 1),
        ("error = std::max(error, std::abs(a - b));", "", {}, 1),
        ("error = std::max(\n    {error, a,\n     b});", "", {}, 1),
        ("worst = std::max<double>(f(a, g(b)), worst);", "", {}, 1),
        ("error = std::fmax(error, x); e.most = max(e.most, x);", "", {}, 2),
        ("size[name] = std::max(size[name], x); largest_[rows()[k]] = std::max(largest_[rows()[k]], x);", "", {}, 2),
        ("s.error = std::max(t.error, x); error = std::max(row.error, error_);", "", {}, 0),
        ("const double goal = std::max(tolerance, 4 * epsilon);", "", {}, 0),
        ("// error = std::max(error, x), maxCoeff()\nconst char* s = \"maxCoeff()\";", "", {}, 0),
        ("width = std::max(width, n);", "", {"width": "characters"}, 0),
        ("", "", {"width": "characters"}, 1),
        ("printf(\"x\");", "std::printf(\"x\");", {}, 1),
        ("", "std::snprintf(s, 3, \"x\"); error = std::max(error, x);", {}, 1),
    ]
    for source, test, allowed, expected in cases:
        with tempfile.TemporaryDirectory() as temporary:
            root = Path(temporary)
            for name, text in (("src/a.cpp", source), ("tests/a_test.cpp", test), (HELPER, "x.maxCoeff()")):
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            found = list(check(root, {"a.cpp": allowed}))
        if len(found) != expected:
            yield f"self-test: {source!r}, {test!r}: {expected} faults expected, got {found}"


def main(arguments):
    if arguments == ["--self-test"]:
        faults = list(self_test())
    else:
        faults = list(check(Path(arguments[0] if arguments else Path(__file__).parents[2]).resolve(), ALLOWED))
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
