#!/usr/bin/env python3
"""The command line as a stranger uses it, mistakes included: exit codes, messages, JSON keys, files, signals, pipes.

    cli_test.py MAGGI SOURCE_DIR
"""
import csv
import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy

MAGGI, SOURCE = sys.argv[1], Path(sys.argv[2])
MODELS = SOURCE / "models"
PENDULUM, MOVING = MODELS / "pendulum.toml", MODELS / "moving_pendulum.toml"

REDUNDANT = """
title = "A rod written twice"
[parameters]
l = 1.0
[coordinates]
x = { guess = -1.0 }
y = { start = 0.1, speed = 0.0 }
z = { start = 0.0, speed = 0.0 }
[energy]
kinetic = "x'^2 + y'^2 + z'^2"
potential = "9.81*y"
[constraint]
rod = { position = "x^2 + y^2 = l^2" }
again = { position = "3*(x^2 + y^2) = 3*l^2" }
skate = { velocity = "z' = 0" }
[output]
pull = "lambda.rod"
[simulation]
until = 1
"""
CONFLICT = REDUNDANT.replace("3*l^2", "4*l^2")
SUNDIALS = "cvode-bdf" in subprocess.run([MAGGI, "run", "--help"], check=True, capture_output=True, text=True).stdout


class Case(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def maggi(self, *words, code=0, **options):
        options = {"cwd": self.folder, "capture_output": True, "encoding": "utf-8", "timeout": 60, **options}
        done = subprocess.run([MAGGI, *map(str, words)], check=False, **options)
        self.assertEqual(done.returncode, code, f"maggi {words}: {done.stdout}{done.stderr}")
        return done

    def model(self, text, name="model.toml"):
        file = self.folder / name
        file.write_text(text, encoding="utf-8")
        return file

    def refused(self, *words, code=1, says=()):
        """Nothing on stdout, one message on stderr."""
        done = self.maggi(*words, code=code)
        self.assertEqual(done.stdout, "")
        for part in [says] if isinstance(says, str) else says:
            self.assertIn(part, done.stderr)
        return done.stderr


class Help(Case):
    def test_help_teaches(self):
        text = self.maggi("--help").stdout
        for part in ("run", "check", "init", "equations", "compare", "Examples:", "Exit codes:"):
            self.assertIn(part, text)
        text = self.maggi("run", "--help").stdout
        for part in ("maggi run", "augmented", "maggi", "dopri5", "projection", "qr", "1e-08", "Examples:"):
            self.assertIn(part, text)
        for command in ("check", "init", "equations", "compare"):
            self.assertIn("Example", self.maggi(command, "--help").stdout)

    def test_help_as_a_command(self):
        self.assertEqual(self.maggi("help").stdout, self.maggi("--help").stdout)
        self.assertEqual(self.maggi("help", "run").stdout, self.maggi("run", "--help").stdout)

    def test_version(self):
        self.assertRegex(self.maggi("--version").stdout, r"^maggi \d+\.\d+\.\d+\n$")

    def test_nothing_asked(self):
        self.refused(code=1, says="Commands:")


class Mistakes(Case):
    def test_typos(self):
        for words, says in [
            (["chek", PENDULUM], 'did you mean "check"?'),
            (["frobnicate"], "valid here: run, check"),
            ([PENDULUM], f"did you mean maggi run {PENDULUM}?"),
            (["run", PENDULUM, "--untill", "3"], "did you mean --until?"),
            (["run", "--untill=3", PENDULUM], "did you mean --until?"),
            (["run", PENDULUM, "-out", "x"], "did you mean --out?"),
            (["check", PENDULUM, "--until", "3"], "maggi check has no option --until"),
            (["run", PENDULUM, "--formulation", "magi"], 'did you mean "maggi"?'),
            (["run", PENDULUM, "--integrator", "dopri"], 'did you mean "dopri5"?'),
            (["run", PENDULUM, "--basis", "qrr"], 'did you mean "qr"?'),
            (["run", PENDULUM, "--drift", "projektion"], 'did you mean "projection"?'),
            (["run", PENDULUM, "--reactions", "minnorm"], 'did you mean "min-norm"?'),
            (["run", PENDULUM, "--compile", "allways"], 'did you mean "always"?'),
            (["run", PENDULUM, "--set", "x=3"], ['--set x: ', 'no parameter, and no value given at the start, is named "x"']),
            (["run", PENDULUM, "--set", "m"], "for example --set m=3"),
            (["run", PENDULUM, "--set", "m=y"], '"y" is a coordinate'),
            (["compare", PENDULUM, "--formulation", "augmented,magi"], 'did you mean "maggi"?'),
            (["compare", PENDULUM, "--formulation", "augmented", "--basis", "qr"], "formulation \"augmented\" uses no basis"),
            (["compare", PENDULUM, "--drift", "none,projektion"], 'did you mean "projection"?'),
            (["compare", PENDULUM, "--rtols", "1e-4,0"], "rtol = 0 is not a positive finite number"),
            (["compare", PENDULUM, "--accuracy", "-1"], "accuracy = -1 is not a positive finite number"),
            (["compare", PENDULUM, "--timing", "-1"], "--timing"),
            (["run"], "which model?"),
            (["run", PENDULUM, "second.toml"], "second.toml"),
            (["run", PENDULUM, "--until"], "--until"),
        ]:
            with self.subTest(words=words):
                self.refused(*words, says=says)

    def test_numbers(self):
        for words, says in [
            (["--until", "soon"], '--until: no variable or parameter is named "soon"'),
            (["--until", "-1"], "before the start"),
            (["--until", "1/0"], "--until: until is not a finite number"),
            (["--rtol", "0"], "rtol"),
            (["--output", "-1"], "output"),
            (["--integrator", "rk4"], "set step"),
            (["--integrator", "projected-bdf"], "set step"),
            (["--formulation", "augmented", "--basis", "qr"], "uses no basis"),
        ]:
            with self.subTest(words=words):
                self.refused("run", PENDULUM, *words, says=says)

    def test_integrators_of_sundials(self):
        for integrator in ("cvode-bdf", "cvode-adams", "ida"):
            words = ["run", PENDULUM, "--integrator", integrator, "--drift", "none"]
            with self.subTest(integrator=integrator):
                if SUNDIALS:
                    self.maggi(*words)
                else:
                    self.refused(*words, says=["this build has no SUNDIALS", "radau5", "-DMAGGI_SUNDIALS=ON"])
        self.maggi("check", self.model(PENDULUM.read_text(encoding="utf-8") + '\nintegrator = "ida"\n'))

    def test_model(self):
        text = PENDULUM.read_text(encoding="utf-8")
        file = self.model(text.replace("kinetic", "kinetik"))
        self.assertRegex(self.refused("check", file, says="kinetic"), r"model\.toml:\d+:\d+: ")
        file = self.model(text.replace("until", "# until"))
        self.refused("run", file, says=["model.toml", "no end time is given", "--until 10"])
        file = self.model(text.replace("[simulation]", '[simulation]\nformulation = "magi"'))
        self.refused("run", file, says=["model.toml", 'did you mean "maggi"?'])

    def test_no_value_at_the_guess(self):
        file = self.model(REDUNDANT.replace('"x^2 + y^2 = l^2"', '"sqrt(-1 - x^2) = y"'))
        self.refused("init", file, code=2, says="not finite at the guess")

    def test_conflict_is_named(self):
        file = self.model(CONFLICT)
        for command in ("init", "run", "equations", "compare"):
            self.refused(command, file, code=2, says=["rod", "again"])
        check = self.maggi("check", file, code=2)  # says what is known without a start, too
        self.assertIn("rod", check.stderr)
        self.assertIn("again", check.stderr)
        self.assertIn("no consistent start", check.stdout)

    def test_files(self):
        self.refused("run", "nowhere.toml", code=3, says="nowhere.toml: ")
        self.refused("run", self.folder, code=3, says="directory")
        (self.folder / "taken").write_text("a file")
        self.refused("run", PENDULUM, "--out", "taken", code=3, says="taken")
        self.refused("run", PENDULUM, "--out", "taken/below", code=3, says="taken")
        self.refused("check", PENDULUM, "--json", "--set", "l=nothing", code=1)

    def test_full_disk(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = self.maggi("check", PENDULUM, code=3, capture_output=False, stdout=full, stderr=subprocess.PIPE)
        self.assertIn("standard output: cannot be written", done.stderr)

    def test_broken_pipe(self):
        for command in ("check", "init", "equations"):
            reader, writer = os.pipe()
            os.close(reader)
            self.maggi(command, PENDULUM, capture_output=False, stdout=writer)
            os.close(writer)


class Run(Case):
    KEYS = ["format_version", "dof", "rank", "formulation", "reason", "formulas", "outcome", "t", "steps", "evaluations"]
    KEYS += ["restarts", "seconds"]
    KEYS += ["residual_position", "residual_velocity", "energy_drift", "notes", "events", "final"]

    def test_table_and_files(self):
        done = self.maggi("run", MOVING)
        for part in ("Moving pendulum", "degrees of freedom  2", "augmented: ", "reached the end", "conserved, drift"):
            self.assertIn(part, done.stdout)
        self.assertEqual(done.stderr, "")
        folder = self.folder / "results/moving_pendulum"
        self.assertEqual(sorted(f.name for f in folder.iterdir()), ["report.html", "summary.json", "trajectory.csv", "trajectory.npz"])
        arrays = numpy.load(folder / "trajectory.npz")
        self.assertEqual(arrays["t"].shape, (251,))
        self.assertEqual(list(arrays["coordinates_names"]), ["x1", "x2", "x3"])
        numpy.testing.assert_allclose(arrays["coordinates"][:, 0], 0.5 * arrays["t"], atol=1e-12)
        with open(folder / "trajectory.csv", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        self.assertEqual(len(rows), 252)
        self.assertEqual(float(rows[-1][3]), arrays["coordinates"][-1, 2])

    def test_json(self):
        done = self.maggi("run", MOVING, "--json", "--out", "here")
        summary = json.loads(done.stdout)
        self.assertEqual(list(summary), self.KEYS)
        self.assertEqual(list(summary["final"]), ["q", "v", "lambda", "reaction", "controls", "forces"])
        self.assertEqual(json.loads((self.folder / "here/summary.json").read_text()), summary)
        last = numpy.load(self.folder / "here/trajectory.npz")["coordinates"][-1]
        self.assertEqual(list(summary["final"]["q"].values()), list(last))  # every digit
        driven = json.loads(self.maggi("run", MODELS / "moving_pendulum_driven.toml", "--json").stdout)
        self.assertIsNone(driven["energy_drift"])
        self.assertIn("energy_note", driven)

    def test_quiet(self):
        done = self.maggi("run", MOVING, "--quiet")
        self.assertEqual((done.stdout, done.stderr), ("", ""))

    def test_options_override_the_model(self):
        words = ["--until", "2*pi*sqrt(l/g)", "--set", "l=2.5", "g=10", "--output", 0.5, "--formulation", "maggi"]
        words += ["--basis", "qr", "--integrator", "rk4", "--step", 1e-3, "--drift", "none", "--rtol", 1e-6, "--atol", 1e-8]
        done = self.maggi("run", PENDULUM, *words, "--json")
        summary = json.loads(done.stdout)
        self.assertEqual(summary["t"], numpy.pi)
        self.assertEqual(summary["formulation"], "maggi")
        q = summary["final"]["q"]
        self.assertAlmostEqual(q["x"] ** 2 + q["y"] ** 2, 2.5**2, places=8)

    def test_set_in_every_command(self):
        self.assertAlmostEqual(json.loads(self.maggi("init", PENDULUM, "--json", "--set", "l=2").stdout)["q"]["x"], -2)
        self.assertIn("C", self.maggi("equations", "--set", "l=2", "m=3", PENDULUM).stdout)
        self.maggi("check", PENDULUM, "--set", "l=2", "--set=m=3")

    def test_not_unique_is_left_out(self):
        file = self.model(REDUNDANT)
        done = self.maggi("run", file)
        self.assertIn("not unique: pull, lambda.rod and lambda.again", done.stderr)
        header = (self.folder / "results/model/trajectory.csv").read_text().splitlines()[0]
        self.assertNotIn("lambda.rod", header)
        self.assertIn("lambda.skate", header)
        self.maggi("run", file, "--reactions", "min-norm")
        header = (self.folder / "results/model/trajectory.csv").read_text().splitlines()[0]
        self.assertIn("lambda.rod (min-norm)", header)

    def test_compiled_formulas_give_the_same_files(self):
        cache = {**os.environ, "XDG_CACHE_HOME": str(self.folder / "cache")}
        alone = {**cache, "PATH": "/nowhere"}  # no compiler: said, and no error unless it is asked for

        def run(*words, env=cache, code=0):
            done = self.maggi("run", PENDULUM, "--until", "1", "--out", "run", *words, env=env, code=code)
            return done.stdout + done.stderr, (self.folder / "run/trajectory.csv").read_text()

        first, tape = run()
        self.assertIn("no compiled code is in the cache", first)
        for words, said in [(["--compile", "always"], "compiled, "), ([], "from the cache"), (["--compile", "never"], "tape")]:
            text, motion = run(*words)
            self.assertIn(said, text)
            self.assertEqual(motion, tape)
            summary = json.loads((self.folder / "run/summary.json").read_text())
            self.assertEqual(summary["formulas"], "tape" if said == "tape" else "compiled")
        self.assertIn("no C compiler", run(env=alone)[0])
        self.assertIn("no C compiler", run("--compile", "always", env=alone, code=3)[0])

    def test_a_long_run_compiles_by_itself(self):
        cache = {**os.environ, "XDG_CACHE_HOME": str(self.folder / "cache")}
        words = ["run", MODELS / "andrews_squeezer.toml", "--output", "1", "--json"]
        short = json.loads(self.maggi(*words, "--until", "0.001", env=cache).stdout)
        self.assertEqual(short["formulas"], "tape")
        # 1e5 s of it would take hours; interrupted, it has its evaluator all the same
        with subprocess.Popen([MAGGI, *words, "--until", "1e5"], cwd=self.folder, env=cache, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            while not list((self.folder / "cache/maggi").glob("*.so")) and process.poll() is None:
                time.sleep(0.01)
            process.send_signal(signal.SIGTERM)  # which it heeds from before it compiles
            summary = json.loads(process.communicate(timeout=60)[0])
        self.assertEqual(summary["formulas"], "compiled")

    def test_formulas_of_a_mechanism_are_compiled(self):
        cache = {**os.environ, "XDG_CACHE_HOME": str(self.folder / "cache")}

        def run(model, *words):
            said = self.maggi("run", MODELS / model, "--until", "0.2", "--out", "run", *words, env=cache).stdout
            summary = json.loads((self.folder / "run/summary.json").read_text())
            return said, summary["formulas"], (self.folder / "run/trajectory.csv").read_text()

        _, name, tape = run("slider_crank_driven.toml")
        self.assertEqual(name, "tape")
        said, name, motion = run("slider_crank_driven.toml", "--compile", "always")
        self.assertEqual(name, "compiled")
        self.assertIn("compiled, ", said)
        self.assertEqual(motion, tape)
        said, name, _ = run("four_bar.toml", "--compile", "always")
        self.assertIsNone(name)
        self.assertIn("--compile does nothing here", said)

    def test_failing_run_keeps_what_exists(self):
        # an output has no value from t = 0.5 on
        file = self.model(REDUNDANT.replace('pull = "lambda.rod"', 'low = "sqrt(0.5 - t)"'))
        done = self.maggi("run", file, "--json", code=2)
        summary = json.loads(done.stdout)
        self.assertNotEqual(summary["outcome"], "reached the end")
        self.assertIn("low", done.stderr)
        t = numpy.load(self.folder / "results/model/trajectory.npz")["t"]
        self.assertTrue(0.4 < t[-1] <= 0.5)

    def interrupted(self, which):
        words = [MAGGI, "run", PENDULUM, "--until", "1e7", "--output", "1", "--json", "--compile", "never"]
        with subprocess.Popen(words, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            time.sleep(1.0)
            process.send_signal(which)
            out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 2, err)
        summary = json.loads(out)
        self.assertEqual(summary["outcome"], "interrupted")
        self.assertIn(b"interrupted", err)
        t = numpy.load(self.folder / "results/pendulum/trajectory.npz")["t"]
        self.assertGreater(len(t), 10)
        self.assertLess(t[-1], 1e7)

    def test_ctrl_c(self):
        self.interrupted(signal.SIGINT)

    def test_terminate(self):
        self.interrupted(signal.SIGTERM)

    def test_progress_on_a_terminal_only(self):
        done = self.maggi("run", PENDULUM, "--until", "3000")
        self.assertEqual(done.stderr, "")


class Check(Case):
    KEYS = ["format_version", "title", "dof", "rank", "rank_nearby", "distance_to_singularity", "rank_tolerance"]
    KEYS += ["redundant", "reactions", "coordinates", "constrained", "independent", "motions", "constraints"]
    KEYS += ["notes", "hidden", "hidden_constraints", "realisation", "counts", "rounded_loops", "ends", "free", "energy", "formulation", "reason"]

    def test_json(self):
        facts = json.loads(self.maggi("check", self.model(REDUNDANT), "--json").stdout)
        self.assertEqual(list(facts), self.KEYS)
        self.assertEqual((facts["dof"], facts["rank"], facts["free"]), (1, 2, {"q": 2, "v": 1}))
        self.assertEqual([c["level"] for c in facts["constraints"]], ["position", "position", "velocity"])
        [row] = facts["redundant"]
        self.assertEqual(list(row), ["row", "combination", "permanent", "compatible", "hides_condition"])
        self.assertEqual((row["row"], row["permanent"], row["compatible"]), ("again", True, True))
        self.assertAlmostEqual(row["combination"]["rod"], 3.0, places=12)
        self.assertEqual([r["unique"] for r in facts["reactions"]], [False, False, True])
        self.assertEqual((facts["hidden"], facts["realisation"]), ([], None))

    def test_text(self):
        text = self.maggi("check", self.model(REDUNDANT)).stdout
        for part in ("again = 3 rod", "permanent, compatible", "not unique"):
            self.assertIn(part, text)
        self.assertRegex(text, "degrees of freedom +1 = 3 coordinates − rank 2")

    def test_every_model(self):
        redundant = ("parallel_rods", "door", "bricard", "vehicle", "delta_robot", "double_cardan", "planetary_gear")
        redundant += ("two_wheeled_cart",)
        for file in sorted(MODELS.glob("*.toml")):
            facts = json.loads(self.maggi("check", file, "--json").stdout)
            found = facts["redundant"]
            self.assertEqual(bool(found), file.stem in redundant, file)
            if not any(name.endswith(".qw") for name in facts["coordinates"]):  # a rotation has more than it can do
                self.assertEqual(list(facts["constrained"]), facts["coordinates"], file)
            self.assertTrue(all(0.0 <= c <= 1.0 + 1e-12 for c in facts["constrained"].values()), file)  # cos², rounded
            accelerations = sum(each["level"] == "acceleration" for each in facts["reactions"])  # they tie no velocities
            self.assertEqual(len(facts["independent"]), facts["dof"] + accelerations, file)


class Servo(Case):
    CRANE, CAR = MODELS / "overhead_crane.toml", MODELS / "vehicle.toml"

    def test_check(self):
        facts = json.loads(self.maggi("check", self.CRANE, "--json").stdout)
        found = facts["realisation"]
        self.assertEqual(list(found), ["kind", "controls", "servo", "free_controls", "rank", "index", "internal", "not_unique", "unreached"])
        self.assertEqual((found["kind"], found["controls"], found["rank"], found["index"]), ("mixed", 2, 1, 5))
        self.assertEqual((found["internal"], found["unreached"]), (0, [{"path_x": 1.0}]))
        [hidden] = facts["hidden_constraints"]
        self.assertEqual((hidden["name"], hidden["level"], hidden["derivatives"]), ("hidden_1", "position", 2))
        self.assertEqual([c["class"] for c in facts["constraints"]], ["servo"] * 3)
        self.assertEqual([c["hidden"] for c in facts["constraints"]], [False, False, True])
        self.assertEqual(facts["counts"], {"s_p": 3, "s_v": 0, "s_a": 0, "n_p": 0, "n_v": 0})

    def test_init(self):
        start = json.loads(self.maggi("init", self.CAR, "--json").stdout)
        self.assertEqual((list(start["controls"]), sorted(start["lambda"])), (["steering"], ["front", "rear"]))
        for part in ("steering", "N m", "Hidden constraint", "the other branch, usually rest"):
            self.assertIn(part, self.maggi("init", self.CAR).stdout)

    def test_run(self):
        done = self.maggi("run", self.CAR, "--out", "car", "--until", 0.2)
        self.assertIn("Hidden constraint", done.stdout)
        self.assertNotIn("omitted", done.stderr)
        summary = json.loads(Path(self.folder, "car", "summary.json").read_text(encoding="utf-8"))
        self.assertEqual(list(summary["final"]["controls"]), ["steering"])
        with Path(self.folder, "car", "trajectory.csv").open(encoding="utf-8") as file:
            self.assertIn("control.steering [N m]", file.readline())

    def test_what_does_not_fit(self):
        if SUNDIALS:
            self.refused("run", self.CAR, "--integrator", "ida", says="ideal constraints only")
        self.refused("run", self.CAR, "--formulation", "maggi", says='the control "steering"')
        self.refused("run", self.CAR, "--integrator", "projected-bdf", says="works with a fixed step")
        self.refused("run", self.CAR, "--integrator", "projected-bdf", "--step", 0.01, says="depends on the others")
        self.refused("run", PENDULUM, "--integrator", "projected-bdf", "--step", 0.01, says="the model has no control")
        self.refused("run", self.CRANE, "--integrator", "projected-bdf", "--step", 3, "--output", 3,
                     says="needs 6 steps at least")

    def test_compare(self):
        rows = json.loads(self.maggi("compare", self.CAR, "--no-run", "--timing", 0, "--json").stdout)["rows"]
        able = {row["formulation"] for row in rows if row["vdot_error"] is not None}
        self.assertEqual(able, {"augmented", "range-space", "compatibility"})
        for row in rows:
            if row["formulation"] not in able:
                self.assertIn('the model has the control "steering"', row["failure"])


class Init(Case):
    KEYS = ["format_version", "t", "q", "v", "vdot", "lambda", "reaction", "controls", "forces", "contacts", "free", "found", "residuals"]
    KEYS += ["conditions"]

    def test_json(self):
        start = json.loads(self.maggi("init", MOVING, "--json").stdout)
        self.assertEqual(list(start), [*self.KEYS, "method"])
        self.assertEqual(start["found"], {"q": ["x2"], "v": ["x2"]})
        self.assertAlmostEqual(start["q"]["x2"], 0.8 * numpy.sin(0.4), places=13)

    def test_given_values_that_satisfy_a_constraint_alone(self):
        # phi = 0 makes the rods parallel: one equation is left for x and y, which then change least
        text = (MODELS / "parallel_rods.toml").read_text(encoding="utf-8")
        text = text.replace("x   = { start = 0.5, speed = 0.0", "x   = { guess = 0.6, speed_guess = 0.0")
        text = text.replace("phi = { guess = 0.0", "phi = { start = 0.0, speed = 0.0")
        start = json.loads(self.maggi("init", self.model(text), "--json").stdout)
        self.assertAlmostEqual(start["q"]["x"] ** 2 + start["q"]["y"] ** 2, 1.0, places=12)

    def test_text(self):
        text = self.maggi("init", self.model(REDUNDANT)).stdout
        for part in ("given", "found", "not unique", "residuals"):
            self.assertIn(part, text)

    def test_forces_given(self):
        text = PENDULUM.read_text(encoding="utf-8")
        start = json.loads(self.maggi("init", PENDULUM, "--json").stdout)
        [name] = start["lambda"]
        file = self.model(text + f"\n[start]\nlambda.{name} = {2 * start['lambda'][name] - 1}\n")
        done = self.maggi("init", file, code=2)  # the model gives position and speed: no freedom is left
        for part in (f"lambda.{name} = ", "contradict each other", "without any one of them"):
            self.assertIn(part, done.stderr)
        self.refused("init", self.model(text + "\n[start]\nlambda.nobody = 1\n"), says='no constraint is named "nobody"')
        self.refused("init", self.model(text + "\n[start]\nreaction.nobody = 1\n"), says='no coordinate is named "nobody"')
        self.refused("init", self.model(text + "\n[start]\nforce.x = 1\n"), says='unknown key "force" in [start]')

    def test_out_of_reach(self):
        text = (MODELS / "four_bar_cut_ground.toml").read_text(encoding="utf-8")
        done = self.refused("init", self.model(text + "\n[constraint.high]\nposition = \"sin(theta1) = 1.5\"\n"), code=2,
                            says=['"high" cannot be satisfied', "proven", "never above -0.5"])
        self.assertRegex(done, r"model\.toml:\d+:\d+: ")

    def test_branches(self):
        words = ["init", MODELS / "four_bar_cut_ground.toml", "--branches", "--starts", "64"]
        self.assertIn("Assemblies that differ in theta2 and theta3", self.maggi(*words).stdout)
        found = json.loads(self.maggi(*words, "--json").stdout)["branches"]
        self.assertEqual((len(found["assemblies"]), found["starts"], found["dependent"]), (2, 64, ["theta2", "theta3"]))

    CAR = """
[coordinates]
x = { start = 11.68255026925951, speed = 8.0 }
y = { guess = 2.3 }
phi = { start = 0.36 }
theta = { guess = 0.05 }
[energy]
kinetic = "600*(x'^2 + y'^2) + 900*phi'^2 + 2.5*(phi' + theta')^2"
[constraint]
circle = { position = "x^2 + (y - 30)^2 = 900" }
rear = { velocity = "-x'*sin(phi) + y'*cos(phi) - 1.4*phi'" }
front = { velocity = "-x'*sin(phi + theta) + y'*cos(phi + theta) + 1.2*cos(theta)*phi'" }
"""

    def test_hidden_constraint(self):
        file = self.model(self.CAR)
        text = self.maggi("init", file).stdout
        for part in ("Hidden constraint: ", 'hidden_1 = { position = "', "the other branch"):
            self.assertIn(part, text)
        facts = json.loads(self.maggi("check", file, "--json").stdout)
        [hidden] = facts["hidden_constraints"]
        self.assertEqual((hidden["name"], hidden["level"]), ("hidden_1", "position"))
        # written into the model, it is an ordinary constraint and the start is the same
        added = self.model(self.CAR + f'hidden_1 = {{ position = "{hidden["formula"]}" }}\n', "added.toml")
        self.assertEqual(json.loads(self.maggi("check", added, "--json").stdout)["hidden_constraints"], [])
        self.assertEqual(self.maggi("init", added, "--json").stdout, self.maggi("init", file, "--json").stdout)
        self.maggi("run", added, "--until", "0.5")


class Equations(Case):
    def test_json(self):
        e = json.loads(self.maggi("equations", MOVING, "--json").stdout)
        for key in ("M", "h", "C", "gamma", "D", "symbolic"):
            self.assertIn(key, e)
        numpy.testing.assert_allclose(numpy.array(e["C"]) @ numpy.array(e["D"]), 0, atol=1e-14)
        self.assertEqual(e["M"], [[2, 0, 0], [0, 2, 0], [0, 0, 0.5]])
        self.assertEqual(e["symbolic"]["h"][1].replace(" ", ""), "-m*g")

    def test_text_and_latex(self):
        self.assertIn("C[guide, x3] = -rho*cos(x3)", self.maggi("equations", MOVING).stdout)
        self.assertIn(r"\begin{bmatrix}", self.maggi("equations", MOVING, "--latex").stdout)

    def test_at_another_state(self):
        e = json.loads(self.maggi("equations", MOVING, "--state", "x3=0.2,x3'=0", "--json").stdout)
        self.assertEqual((e["q"]["x3"], e["v"]["x3"]), (0.2, 0))
        upright = json.loads(self.maggi("equations", MOVING, "--state", "x3=0", "--json").stdout)
        self.assertAlmostEqual(e["C"][0][2], upright["C"][0][2] * numpy.cos(0.2), places=14)  # -rho cos(x3)
        self.assertEqual(json.loads(self.maggi("equations", MOVING, "--at", "0.5", "--json").stdout)["t"], 0.5)
        for wrong, part in (("--state=x9=1", "did you mean"), ("--state=x3", "not of the form name=value"), ("--at=-1", "begins at")):
            self.assertIn(part, self.maggi("equations", MOVING, wrong, code=1).stderr)

    def test_basis_local_needs_local_coordinates(self):
        for command in (["equations"], ["run", "--formulation", "maggi"]):
            done = self.maggi(*command, "--basis", "local", MOVING, code=1)
            self.assertIn("has no local coordinates", done.stderr)


class Compare(Case):
    NAMES = ["formulation", "basis", "drift_control", "unknowns"]
    KEYS = [*NAMES, "vdot_error", "lambda_error", "tolerance", "complement_error", "condition"]
    KEYS += ["seconds", "work_seconds", "work_evaluations", "steps", "evaluations", "run_seconds", "end_error", "drift"]
    KEYS += ["velocity_drift", "energy_drift", "failure", "disagreement"]
    POINT = ["rtol", "steps", "evaluations", "seconds", "end_error", "failure"]
    WEIGHTLESS = REDUNDANT.replace("x'^2 + y'^2", "y'^2")  # x has no inertia of its own

    def test_json(self):
        found = json.loads(self.maggi("compare", MOVING, "--until", "0.5", "--json").stdout)
        self.assertEqual(list(found), ["format_version", "title", "t", "states", "condition", "accuracy", "rows"])
        self.assertGreater(len(found["rows"]), 30)
        self.assertEqual((found["states"], found["accuracy"]), (11, 1e-6))
        for row in found["rows"]:
            self.assertEqual(list(row), [*self.KEYS, "points"])
            if row["failure"] is not None:
                continue
            self.assertLessEqual(row["vdot_error"], row["tolerance"])
            self.assertLessEqual(row["lambda_error"], row["tolerance"])
            self.assertLess(row["end_error"], 1e-5)
            self.assertLess(row["drift"], 1e-12)
            self.assertGreater(row["seconds"], 0)
            self.assertEqual(row["basis"] is None, row["complement_error"] is None)
            self.assertEqual([list(point) for point in row["points"]], [self.POINT] * 4)
            self.assertEqual([point["rtol"] for point in row["points"]], [1e-4, 1e-6, 1e-8, 1e-10])
            self.assertLess(row["points"][-1]["end_error"], 1e-8)
            self.assertGreater(row["work_seconds"], 0)

    def test_work_precision(self):
        words = ["compare", MOVING, "--formulation", "augmented,maggi", "--basis", "qr", "--drift", "all"]
        text = self.maggi(*words, "--rtols", "1e-5,1e-7", "--accuracy", "1e-5", "--work-precision", "points.csv").stdout
        self.assertIn("within 1e-05 of a run that is tighter", text)
        with open(self.folder / "points.csv", encoding="utf-8") as file:
            points = list(csv.DictReader(file))
        self.assertEqual(list(points[0]), [*self.NAMES, *self.POINT])
        first = [(p["formulation"], p["basis"], p["drift_control"], p["rtol"]) for p in points[:2]]
        self.assertEqual(first, [("augmented", "", "projection", "1e-05"), ("augmented", "", "projection", "1e-07")])
        self.assertTrue({("augmented", "none"), ("maggi", "projection")}
                        <= {(p["formulation"], p["drift_control"]) for p in points})

    def interrupted(self, words, wait):
        with subprocess.Popen([MAGGI, "compare", *words], cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, encoding="utf-8") as process:
            time.sleep(wait)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 2, err)
        self.assertIn("agree at", out)
        self.assertIn("interrupted", err)

    def test_ctrl_c(self):
        self.interrupted([PENDULUM, "--until", "1e7"], 1.0)  # in the reference motion
        self.interrupted([PENDULUM, "--no-run", "--timing", "1000"], 1.0)

    def test_progress(self):
        terminal, other = pty.openpty()
        words = ["compare", PENDULUM, "--no-run", "--timing", "1", "--formulation", "augmented"]
        self.maggi(*words, capture_output=False, stdout=subprocess.DEVNULL, stderr=other)
        self.assertIn("timing", os.read(terminal, 10000).decode("utf-8", "replace"))
        os.close(terminal)
        os.close(other)

    def test_every_model(self):
        """Nothing crashes, nothing disagrees, who refuses says why."""
        for file in sorted(MODELS.glob("*.toml")):
            if "[control]" in file.read_text(encoding="utf-8"):
                continue  # refused: see Servo
            quick = ["compare", file, "--timing", "0", "--json"]
            names = set()
            for words in (["--no-run"], ["--rtols", "1e-6", "--basis", "qr", "--formulation"]):
                found = json.loads(self.maggi(*quick, *words, *([",".join(names)] if names else [])).stdout)
                self.assertGreater(found["states"], 1, file)
                for row in found["rows"]:
                    self.assertIsNone(row["disagreement"], (file, row))
                    if row["failure"] is None:
                        self.assertLessEqual(max(row["vdot_error"], row["lambda_error"]), row["tolerance"], (file, row))
                        self.assertEqual(row["steps"] is None, words == ["--no-run"], (file, row))
                able = [row for row in found["rows"] if "is for ideal constraints" not in (row["failure"] or "")]
                self.assertGreater(sum(row["failure"] is None for row in able), len(able) / 2, file)
                names |= {row["formulation"] for row in found["rows"]}

    def test_only_some(self):
        words = ["compare", MOVING, "--no-run", "--json", "--formulation"]
        rows = json.loads(self.maggi(*words, "maggi,minimal", "--basis", "qr").stdout)["rows"]
        self.assertEqual([(row["formulation"], row["basis"]) for row in rows], [("maggi", "qr"), ("minimal", "qr")])
        self.assertIsNone(rows[0]["steps"])
        rows = json.loads(self.maggi(*words, "maggi", "--formulation", "augmented").stdout)["rows"]
        self.assertEqual({row["formulation"] for row in rows}, {"augmented", "maggi"})

    def test_table_and_csv(self):
        text = self.maggi("compare", self.model(self.WEIGHTLESS), "--until", "0.5", "--csv", "rows.csv").stdout
        for part in ("A rod written twice", "formulation", "µs", "Refused:\n  range-space", "positive definite", "agree"):
            self.assertIn(part, text)
        with open(self.folder / "rows.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(list(rows[0]), self.KEYS)
        self.assertIn("positive definite", next(row for row in rows if row["formulation"] == "range-space")["failure"])
        self.refused("compare", MOVING, "--csv", "rows.csv", "--integrator", "rk4", says="set step")

    def test_report(self):
        self.maggi("compare", PENDULUM, "--formulation", "augmented,maggi", "--basis", "qr", "--report", "page.html")
        page = (self.folder / "page.html").read_text(encoding="utf-8")
        report = json.loads(re.search(r'id="report">(.*?)</script>', page)[1])
        self.assertEqual((report["kind"], report["title"]), ("comparison", "Simple pendulum"))
        self.assertEqual([row["formulation"] for row in report["rows"]], ["augmented", "maggi"])
        self.assertEqual([len(row["points"]) for row in report["rows"]], [4, 4])

    def test_motion_without_end(self):
        # where the rod points upwards the weightless x' is infinite
        done = self.maggi("compare", self.model(self.WEIGHTLESS), "--formulation", "augmented", code=2)
        for part in ("Failed:\n  augmented: step too small", "The method agrees"):
            self.assertIn(part, done.stdout)
        self.assertIn("step too small", done.stderr)

    def test_no_end_time_is_needed_at_the_start(self):
        file = self.model(REDUNDANT.replace("until = 1", ""))
        self.maggi("compare", file, "--no-run")
        self.refused("compare", file, says="no end time is given")



class Plot(Case):
    def setUp(self):
        super().setUp()
        self.maggi("run", PENDULUM, "--out", "run", "--quiet")

    def test_figure(self):
        done = self.maggi("plot", "run", "x", "y", "tension", "--title", "a < b")
        self.assertEqual(done.stdout, "run/plot.svg: x, y and tension over t, 201 states\n")
        root = ElementTree.parse(self.folder / "run/plot.svg").getroot()
        space = "{http://www.w3.org/2000/svg}"
        texts = [text.text for text in root.iter(space + "text")]
        for text in ("a < b", "x", "y", "[m]", "tension [N]", "t [s]"):
            self.assertIn(text, texts)
        curves = [path for path in root.iter(space + "path") if "L" in path.get("d")]
        self.assertEqual([path.get("d").count("L") for path in curves], [200] * 3)
        self.assertEqual(len({path.get("stroke-dasharray") for path in curves}), 3, "told apart in grey")

    def test_a_curve_is_where_the_numbers_are(self):
        self.maggi("plot", "run", "y", "--over", "x", "--out", "path.svg")
        motion = numpy.load(self.folder / "run/trajectory.npz")["coordinates"]
        text = (self.folder / "path.svg").read_text(encoding="utf-8")
        path = max(re.findall(r'<path d="M([^"]*)"', text), key=len)
        drawn = numpy.array([[float(number) for number in point.split()] for point in path.split("L")])
        for axis in (0, 1):  # affine: the same line through all points, but for the hundredths that are printed
            slope, offset = numpy.polyfit(motion[:, axis], drawn[:, axis], 1)
            numpy.testing.assert_allclose(drawn[:, axis], slope * motion[:, axis] + offset, atol=0.01)

    def test_part_of_the_time(self):
        done = self.maggi("plot", "run", "residual.position", "--log", "--from", "1", "--until", "2")
        self.assertIn("21 states", done.stdout)
        self.assertIn("it goes from 0 to 10 s", self.maggi("plot", "run", "x", "--from", "20", code=1).stderr)

    def test_what_is_wrong(self):
        self.assertIn("which run?", self.maggi("plot", code=1).stderr)
        self.assertIn("the run has t, x, y", self.maggi("plot", "run", code=1).stderr)
        self.assertIn('did you mean "tension"?', self.maggi("plot", "run", "tensoin", code=1).stderr)
        self.assertIn("as .svg or .png", self.maggi("plot", "run", "x", "--out", "x.pdf", code=1).stderr)
        self.assertIn("nowhere: there is no such folder", self.maggi("plot", "nowhere", "x", code=3).stderr)
        self.assertIn("not a folder", self.maggi("plot", PENDULUM, "x", code=3).stderr)
        (self.folder / "empty").mkdir()
        self.assertIn("it holds no run", self.maggi("plot", "empty", "x", code=3).stderr)

    def test_damaged_results(self):
        file = self.folder / "run/trajectory.csv"
        whole = file.read_text(encoding="utf-8")
        lines = whole.splitlines(keepends=True)
        for text, line, what in [
            (whole[:-30], len(lines), "ends within this line"),
            ("".join(lines[:5]) + "1,2,x\n", 6, "not a line of numbers"),
            ("".join(lines[:5]) + lines[5].replace(",", ",,", 1), 6, "not a line of numbers"),
        ]:
            file.write_text(text, encoding="utf-8")
            message = self.maggi("plot", "run", "x", code=3).stderr
            self.assertIn(f"run/trajectory.csv:{line}: ", message)
            self.assertIn(what, message)
            self.assertIn("run the model again", message)
        summary = self.folder / "run/summary.json"
        newer = json.loads(summary.read_text(encoding="utf-8")) | {"format_version": 99}
        for text, what in [(json.dumps(newer), "format 99"), ("{", "damaged"), ("[]", "damaged")]:
            summary.write_text(text, encoding="utf-8")
            self.assertIn(what, self.maggi("plot", "run", "x", code=3).stderr)

    def test_png(self):
        if shutil.which("rsvg-convert"):
            self.maggi("plot", "run", "x", "--out", "x.png")
            self.assertEqual((self.folder / "x.png").read_bytes()[1:4], b"PNG")
        without = {**os.environ, "PATH": "/nowhere"}
        message = self.maggi("plot", "run", "x", "--out", "y.png", code=3, env=without).stderr
        self.assertIn("librsvg2-bin", message)
        self.assertEqual([f.name for f in self.folder.iterdir() if f.name.startswith("y")], [])


class View(Case):
    """Before it serves anything; the rest is tests/viewer/view_test.mjs."""

    def test_what_is_wrong_with_the_command_line(self):
        self.assertIn("which model?", self.maggi("view", code=1).stderr)
        self.assertIn("nowhere.toml: there is no such file", self.maggi("view", "nowhere.toml", code=3).stderr)
        self.assertIn('no parameter, and no value given at the start, is named "q"', self.maggi("view", PENDULUM, "--set", "q=1", code=1).stderr)
        self.assertIn("1024 to 65535", self.maggi("view", PENDULUM, "--port", "80", code=1).stderr)


class New(Case):
    """maggi new: models to start from."""

    NAMES = ("pendulum", "formulas", "four-bar", "slider-crank", "arm", "chain", "rods")

    def test_list(self):
        self.assertEqual(re.findall(r"^  maggi new (\S+)", self.maggi("new").stdout, re.M), list(self.NAMES))

    def test_every_template_runs(self):
        for name in self.NAMES:
            self.assertIn(f"{name}.toml", self.maggi("new", name).stdout)
            facts = json.loads(self.maggi("run", f"{name}.toml", "--json").stdout)
            self.assertEqual(facts["outcome"], "reached the end", name)

    def test_sizes(self):
        """A chain of N four-bars has 2N + 1 bodies, N loops and one freedom; a pendulum of N rods N freedoms."""
        for loops in (1, 2, 7):
            self.maggi("new", "chain", "--loops", loops, "--force")
            facts = json.loads(self.maggi("check", "chain.toml", "--json").stdout)
            self.assertEqual(((self.folder / "chain.toml").read_text(encoding="utf-8").count("[body."), facts["dof"]),
                             (2 * loops + 1, 1))
        self.maggi("new", "rods", "--links", 3)
        self.assertEqual(json.loads(self.maggi("check", "rods.toml", "--json").stdout)["dof"], 3)

    def test_keeps_what_exists(self):
        self.maggi("new", "arm", "--out", "mine.toml")
        (self.folder / "mine.toml").write_text("mine", encoding="utf-8")
        self.refused("new", "arm", "--out", "mine.toml", code=3, says=["mine.toml exists", "--force"])
        self.assertEqual((self.folder / "mine.toml").read_text(encoding="utf-8"), "mine")
        self.maggi("new", "arm", "--out", "mine.toml", "--force")
        self.assertIn("[body.arm]", (self.folder / "mine.toml").read_text(encoding="utf-8"))

    def test_mistakes(self):
        self.refused("new", "fourbar", says='did you mean "four-bar"?')
        self.refused("new", "arm", "--loops", 3, says='"arm" has no --loops')
        self.refused("new", "rods", "--loops", 3, says="it has --links")
        self.refused("new", "chain", "--loops", 0, says="--loops")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
