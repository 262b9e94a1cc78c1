#!/usr/bin/env python3
"""Models that end a motion, or have none: every command answers with names, within a bounded time, and never with a
wrong motion and exit code 0.

    singular_cases_test.py MAGGI
"""
import csv
import json
import math
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

MAGGI = sys.argv[1]
INTEGRATORS = subprocess.run([MAGGI, "run", "--help"], check=True, capture_output=True, text=True).stdout

ACCELERATION = """
[coordinates]
x = { start = 0, speed = 0 }
[energy]
kinetic = "x'^2/2"
[constraint]
a = { acceleration = "x''^2 = 16" }
[simulation]
until = 1
"""

WELD = """
gravity = [0, 0, -9.81]
[body.b]
mass = 1
inertia = [0.1, 0.1, 0.1]
position = [0, 0, 0]
[joint]
weld = { fixed = ["ground", "b"], at = [0, 0, 0] }
[simulation]
until = 1
"""

TOGGLE = """
dimension = 2
gravity = [0, -9.81]
[body.a]
shape = "rod"
mass = 1.0
from = [0, 0]
to = [0.4, 0.3]
[body.b]
shape = "rod"
mass = 1.0
from = [0.4, 0.3]
to = [0.8, 0]
[body.s]
shape = "point"
mass = 0.5
position = [0.8, 0]
[joint]
pa = { revolute = ["ground", "a"], at = [0, 0] }
pk = { revolute = ["a", "b"], at = [0.4, 0.3] }
pw = { revolute = ["b", "s"], at = [0.8, 0] }
g = { prismatic = ["ground", "s"], at = [0.8, 0], axis = [1, 0] }
[simulation]
until = 3.0
rtol = 1e-9
"""
DRIVEN_TOGGLE = TOGGLE.replace("until = 3.0", "until = 5.0").replace("[simulation]", """
[driver]
push = { joint = "g", follows = "0.1*t" }
[simulation]""")

PARALLELOGRAM = """
dimension = 2
gravity = [0, -9.81]
[body.a]
shape = "rod"
mass = 1.0
from = [0, 0]
to = [0.8, 0.6]
[body.b]
shape = "rod"
mass = 1.0
from = [2, 0]
to = [2.8, 0.6]
[body.c]
shape = "rod"
mass = 3.0
from = [0.8, 0.6]
to = [2.8, 0.6]
[joint]
ha = { revolute = ["ground", "a"], at = [0, 0], speed = 1.0 }
hb = { revolute = ["ground", "b"], at = [2, 0] }
ac = { revolute = ["a", "c"], at = [0.8, 0.6] }
bc = { revolute = ["b", "c"], at = [2.8, 0.6] }
[output]
ox = "c.centre.x"
oy = "c.centre.y"
[simulation]
until = 0.7
"""

ROD = """
dimension = 2
[body.a]
shape = "rod"
mass = 1
from = [0, 0]
to = [1, 0]
[joint]
h = { revolute = ["ground", "a"], at = [0, 0] }
[driver]
one = { joint = "h", follows = "0.5*t" }
[simulation]
until = 2.0
"""

TRUSS = """
dimension = 2
gravity = [0, -9.81]
[body.a]
shape = "rod"
mass = 1
from = [0, 0]
to = [1, 0]
[body.b]
shape = "rod"
mass = 1
from = [1, 0]
to = [2, 0]
[joint]
A = { revolute = ["ground", "a"], at = [0, 0] }
B = { revolute = ["a", "b"], at = [1, 0] }
C = { revolute = ["b", "ground"], at = [2, 0] }
[simulation]
until = 1
"""


def parallelogram_at(t):
    """The centre of the coupler: a pendulum, by classical Runge-Kutta with steps of 1e-4 s (error 1e-13).

    T = (2 m l²/3 + M l²) θ'²/2, V = (2 m l/2 + M l) g sin θ with m = 1, M = 3, l = 1.
    """
    inertia, weight = 2 / 3 + 3, (1 + 3) * 9.81

    def rate(y):
        return y[1], -weight / inertia * math.cos(y[0])

    y, steps = (math.atan2(0.6, 0.8), 1.0), round(t / 1e-4)
    h = t / steps
    for _ in range(steps):
        k1 = rate(y)
        k2 = rate((y[0] + h / 2 * k1[0], y[1] + h / 2 * k1[1]))
        k3 = rate((y[0] + h / 2 * k2[0], y[1] + h / 2 * k2[1]))
        k4 = rate((y[0] + h * k3[0], y[1] + h * k3[1]))
        y = tuple(y[i] + h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]) for i in range(2))
    return math.cos(y[0]) + 1, math.sin(y[0])


class Case(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def model(self, text):
        file = self.folder / "model.toml"
        file.write_text(text, encoding="utf-8")
        return file

    def maggi(self, command, text, *words, code=0):
        """stdout, or stderr of a failure."""
        out = ["--out", self.folder / "out"] if command == "run" else []
        done = subprocess.run([MAGGI, command, self.model(text), *out, *words], check=False, cwd=self.folder,
                              capture_output=True, encoding="utf-8", timeout=60)
        self.assertEqual(done.returncode, code, f"{command} {words}: {done.stdout}{done.stderr}")
        return done.stderr if code else done.stdout

    def last(self):
        with open(self.folder / "out" / "trajectory.csv", encoding="utf-8") as file:
            return {name: float(value) for name, value in list(csv.DictReader(file))[-1].items()}

    def says(self, text, *parts):
        for part in parts:
            self.assertIn(part, text)


class AccelerationRows(Case):
    def test_branches_that_nothing_selects_are_named(self):
        for formula, branches in [("x''^2 = 16", ["x'' = 4", "x'' = -4"]), ("(x'' - 1)*(x'' + 1) = 0", ["x'' = 1"])]:
            for command in ("check", "init", "run", "compare"):
                error = self.maggi(command, ACCELERATION.replace("x''^2 = 16", formula), code=2)
                self.says(error, '"a" is met by more than one acceleration', *branches, "acceleration = ")

    def test_the_advice_works(self):
        for value in (4, -4):
            text = ACCELERATION.replace("speed = 0 }", f"speed = 0, acceleration = {value} }}")
            self.maggi("check", text)
            self.maggi("compare", text, "--timing", "0")
            self.maggi("run", text)
            self.assertAlmostEqual(self.last()["x"], value / 2, delta=1e-7)  # x = a t²/2; rtol 1e-8 a step

    def test_one_branch(self):
        for formula, a in [("x''^3 = 8", 2), ("x''*abs(x'') = 16", 4), ("x''^3 = -8", -2)]:
            text = ACCELERATION.replace("x''^2 = 16", formula)
            self.maggi("check", text)
            self.maggi("run", text)
            self.assertAlmostEqual(self.last()["x"], a / 2, delta=1e-7)  # as above

    def test_no_solution(self):
        for formula in ("x''^2 = -16", "exp(x'') = -1"):
            for command in ("check", "init", "run"):
                error = self.maggi(command, ACCELERATION.replace("x''^2 = 16", formula), code=2)
                self.says(error, 'no accelerations were found at the start that satisfy "a"')

    def test_least_constraint_is_taken_and_the_others_are_named(self):
        text = ACCELERATION.replace("x''^2 = 16", "x''^2 + x'' = 6")
        self.says(self.maggi("init", text), "x'' = 2 is taken", "x'' = -3")
        self.maggi("run", text)
        self.assertAlmostEqual(self.last()["x"], 1.0, delta=1e-7)  # x'' = 2
        text = text.replace("speed = 0 }", "speed = 0, acceleration = -3 }")
        self.maggi("run", text)
        self.assertAlmostEqual(self.last()["x"], -1.5, delta=1e-7)

    def test_a_circle_of_solutions(self):
        text = ACCELERATION.replace("x''^2 = 16", "x''^2 + y''^2 = 16").replace(
            "[energy]", "y = { start = 0, speed = 0 }\n[energy]").replace("x'^2/2", "(x'^2 + y'^2)/2")
        self.says(self.maggi("init", text, code=2), '"a" is met by more than one acceleration', "and others")
        with_force = text.replace("[constraint]", "[generalised_force]\ny = \"-1\"\n[constraint]")
        self.maggi("run", with_force)  # least constraint: along the force
        self.assertAlmostEqual(self.last()["y"], -2.0, delta=1e-7)


class NothingLeftToMove(Case):
    def test_every_command(self):
        for joints in ("", "pin = { revolute = [\"ground\", \"b\"], at = [1, 0, 0], axis = [0, 0, 1] }\n"):
            text = WELD.replace("[simulation]", joints + "[simulation]")
            facts = json.loads(self.maggi("check", text, "--json"))
            self.assertEqual(facts["dof"], 0)
            for command in ("init", "equations"):
                self.maggi(command, text)
            self.maggi("compare", text, "--timing", "0")
            self.maggi("run", text)
            self.assertEqual(self.last()["t"], 1.0)

    def test_integrators(self):
        for integrator in ("dopri5", "dop853", "radau5", "rk4", "auto"):
            self.maggi("run", WELD, "--integrator", integrator, *(["--step", "0.1"] if integrator == "rk4" else []))


class Ends(Case):
    def test_a_toggle_driven_beyond_its_reach_ends(self):
        for rtol in ("1e-6", "1e-8", "1e-9", "3e-10", "1e-10", "1e-12"):
            begin = time.monotonic()
            error = self.maggi("run", DRIVEN_TOGGLE, "--rtol", rtol, code=2)
            self.says(error, '"push"', "the mechanism locks")
            self.assertLess(time.monotonic() - begin, 30.0)  # 0.1 s alone; a busy machine takes longer

    def test_a_signal_is_honoured_in_every_phase(self):
        rods = "dimension = 2\ngravity = [0, -9.81]\n"
        for i in range(60):
            rods += f'[body.b{i}]\nshape = "rod"\nmass = 1\nfrom = [{i}, 0]\nto = [{i + 1}, 0]\n'
        rods += "[joint]\n"
        for i in range(60):
            rods += f'j{i} = {{ revolute = ["{"ground" if i == 0 else f"b{i - 1}"}", "b{i}"], at = [{i}, 0] }}\n'
        rods += "[simulation]\nuntil = 1e6\n"
        for text in (rods, DRIVEN_TOGGLE.replace("1e-9", "1e-10")):
            for wait in (0.05, 1.0):
                child = subprocess.Popen([MAGGI, "run", self.model(text), "--out", self.folder / "out"],
                                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
                time.sleep(wait)
                child.send_signal(signal.SIGTERM)
                begin = time.monotonic()
                child.communicate(timeout=30)
                self.assertLess(time.monotonic() - begin, 5.0)  # a second, and the load of the machine


class RightBranch(Case):
    def test_whatever_the_options(self):
        x, y = parallelogram_at(0.7)
        options = [["--unknowns", u, "--drift", d, "--integrator", i]
                   for u in ("velocities", "tangent", "independent") for d in ("projection", "baumgarte", "pi", "none")
                   for i in ("dopri5", "dop853", "radau5", "auto")]
        refused = 0
        for words in options + [[*some, "--output", "0.7"] for some in options[:12]]:
            done = subprocess.run([MAGGI, "run", self.model(PARALLELOGRAM), "--out", self.folder / "out", *words],
                                  check=False, capture_output=True, encoding="utf-8", timeout=60)
            if done.returncode == 1:  # options that do not fit each other
                refused += 1
                continue
            self.assertEqual(done.returncode, 0, f"{words}: {done.stdout}{done.stderr}")
            with self.subTest(words):
                self.assertAlmostEqual(self.last()["ox"], x, delta=1e-4)  # drift at rtol 1e-8, amplified 1e3 times
                self.assertAlmostEqual(self.last()["oy"], y, delta=1e-4)
                self.says(done.stdout, "singular configuration is crossed")
        self.assertLess(refused, 20)


class Energy(Case):
    LOOSE = """
[coordinates]
a = { start = 2.0, speed = 0 }
b = { start = 2.5, speed = 0 }
[energy]
kinetic = "a'^2 + b'^2/2 + a'*b'*cos(a-b)"
potential = "-2*9.81*cos(a) - 9.81*cos(b)"
[simulation]
until = 100
rtol = 1e-3
atol = 1e-3
"""

    def test_energy_that_is_not_kept_ends_the_run(self):
        error = self.maggi("run", self.LOOSE, code=2)
        self.says(error, "the energy is not kept", "rtol = 0.001 and atol = 0.001 are too large")

    def test_conserved_is_said_where_it_is(self):
        self.says(self.maggi("run", self.LOOSE, "--rtol", "1e-9", "--atol", "1e-9"), "conserved, drift")
        text = self.maggi("run", self.LOOSE, "--rtol", "1e-5", "--atol", "1e-5", "--until", "20")
        self.assertRegex(text, r"energy +(conserved, drift|drift .* turned over)")


class Causes(Case):
    def test_drivers_that_conflict_later_are_both_named(self):
        text = ROD.replace("[simulation]", "two = { joint = \"h\", follows = \"0.5*t + max(t-1, 0)^3\" }\n[simulation]")
        self.says(self.maggi("run", text, code=2), '"one" and "two" contradict each other', "t = 1.00")

    def test_a_driver_against_a_stop(self):
        text = ROD.replace("at = [0, 0] }", "at = [0, 0], limits = [-0.5, 0.5] }")
        self.says(self.maggi("run", text, code=2), '"one" drives the motion against "h.upper"', "t = 1 s")

    def test_poles(self):
        for formula in ("0.1/(t - 0.5) + 0.2", "0.01/(t - 0.5)^2", "0.1*tan(pi*t)"):
            error = self.maggi("run", ROD.replace("0.5*t", formula), code=2)
            self.says(error, '"one" grows without bound: a formula has a pole at t = 0.5')
        force = """
[coordinates]
x = { start = 0, speed = 0 }
[energy]
kinetic = "x'^2/2"
[generalised_force]
x = "1/(t - 0.5)"
[simulation]
until = 1
"""
        for integrator in ("dopri5", "radau5"):
            error = self.maggi("run", force, "--integrator", integrator, code=2)
            self.says(error, "the force on \"x'\" grows without bound: a formula has a pole at t = 0.5")

    def test_rigid_in_second_order(self):
        for command in ("check", "init", "run"):
            error = self.maggi(command, TRUSS, code=2)
            self.says(error, '"C"', "the second order forbids it", "no finite reactions")
        self.says(self.maggi("init", TRUSS.replace("gravity = [0, -9.81]", "gravity = [0, 0]")),
                  "the second order forbids it: 0 degrees of freedom")

    def test_bounded_and_unbounded_reactions(self):
        driven = """
dimension = 2
[body.crank_1]
shape = "rod"
mass = 1.0
from = [0, 0]
to = [0, 0.2]
[body.coupler]
shape = "rod"
mass = 2.0
from = [0, 0.2]
to = [0.6, 0.2]
[body.crank_2]
shape = "rod"
mass = 1.0
from = [0.6, 0.2]
to = [0.6, 0]
[joint]
main = { revolute = ["ground", "crank_1"], at = [0, 0] }
left = { revolute = ["crank_1", "coupler"], at = [0, 0.2] }
right = { revolute = ["coupler", "crank_2"], at = [0.6, 0.2] }
second = { revolute = ["ground", "crank_2"], at = [0.6, 0] }
[driver]
motor = { joint = "main", follows = "3*t" }
[simulation]
until = 1.0
"""
        # the coupler turns on a circle of 0.2 m at 3 rad/s without turning itself: each crank bears half of
        # 2 kg · 0.2 m · 9/s² = 3.6 N
        self.says(self.maggi("run", driven), "reactions stay finite", "right 1.8 N", "another motion branches off here")
        self.says(self.maggi("run", TOGGLE), "reactions stay finite")
        self.says(self.maggi("run", PARALLELOGRAM), "another motion branches off here")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
