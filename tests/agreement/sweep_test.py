#!/usr/bin/env python3
"""A sweep is the same sweep on any number of threads and ranks, at once or after it was killed, to the last bit; and what
is wrong with one is said.

    sweep_test.py MAGGI SOURCE_DIR [MAGGI_MPI]
"""
import csv
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import numpy

MAGGI, SOURCE = sys.argv[1], Path(sys.argv[2])
MPI = sys.argv[3] if len(sys.argv) > 3 and sys.argv[3] else None
MOVING, PENDULUM = SOURCE / "models/moving_pendulum.toml", SOURCE / "models/pendulum.toml"
FOUR_BAR = SOURCE / "models/four_bar.toml"

FILES = ["sweep.csv", "sweep.npz", "statistics.json", "statistics.csv", "report.html"]
# 400 short runs: a grid with draws; some outputs need the states on the way
SWEEP = ["--over", "m=1,2,3,4", "--over", "rho=uniform(0.5,1)", "--over", "J=normal(0.5,0.05)", "--runs", "100",
         "--until", "1", "--keep", "x3", "--keep", "max(guide_force)", "--keep", "rms(x3')"]
LONG = ["30" if word == "1" else word for word in SWEEP]  # long enough to be killed on the way


class Case(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def command(self, *words, code=0, program=(MAGGI,)):
        done = subprocess.run([*program, "sweep", *map(str, words)], cwd=self.folder, capture_output=True,
                              encoding="utf-8", timeout=120, check=False)
        self.assertEqual(done.returncode, code, f"sweep {words}: {done.stdout}{done.stderr}")
        return done

    def results(self, name):
        return [(self.folder / name / file).read_bytes() for file in FILES]

    def refused(self, *words, says, code=1):
        done = self.command(*words, code=code)
        self.assertEqual(done.stdout, "")
        for part in [says] if isinstance(says, str) else says:
            self.assertIn(part, done.stderr)


class Same(Case):
    def test_on_any_number_of_threads(self):
        for threads in (1, 2, 5):
            self.command(MOVING, *SWEEP, "--threads", threads, "--out", f"t{threads}")
        self.assertEqual(self.results("t1"), self.results("t2"))
        self.assertEqual(self.results("t1"), self.results("t5"))
        self.assertFalse((self.folder / "t1/sweep.journal").exists(), "the results take its place")

    def test_one_at_a_time(self):
        for threads in (1, 3):
            self.command(MOVING, *SWEEP, "--lanes", "off", "--threads", threads, "--out", f"t{threads}")
        self.assertEqual(self.results("t1"), self.results("t3"))
        self.command(MOVING, *SWEEP, "--lanes", "on", "--out", "lanes")
        one, eight = (numpy.load(self.folder / name / "sweep.npz")["outputs"] for name in ("t1", "lanes"))
        # the same steps, so that they differ by rounding only; 1e-8 is what a step may be wrong by (rtol)
        numpy.testing.assert_allclose(one, eight, rtol=0, atol=1e-8)

    def test_after_kill(self):
        self.command(MOVING, *LONG, "--out", "whole")
        journal = self.folder / "killed/sweep.journal"
        for enough in (5, 150):  # killed twice, in the middle of writing as it may be
            child = subprocess.Popen([MAGGI, "sweep", MOVING, *LONG, "--threads", "2", "--out", "killed"],
                                     cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            until = time.monotonic() + 60
            while time.monotonic() < until and not (journal.exists() and journal.read_bytes().count(b"\n") > enough):
                time.sleep(0.001)
            os.kill(child.pid, signal.SIGKILL)
            child.wait()
            self.assertEqual(child.returncode, -signal.SIGKILL, "it was too fast to be killed")
        done = journal.read_bytes().count(b"\n") - 2
        self.assertGreater(done, 100)
        again = self.command(MOVING, *LONG, "--threads", "1", "--out", "killed")
        self.assertIn(f"{done} of 400 runs are done", again.stderr)
        self.assertEqual(self.results("killed"), self.results("whole"))

    def interrupted(self, name="stopped"):
        """A sweep that was ended by SIGTERM after a few runs; its journal."""
        child = subprocess.Popen([MAGGI, "sweep", MOVING, *LONG, "--out", name], cwd=self.folder,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8")
        journal = self.folder / name / "sweep.journal"
        while not (journal.exists() and journal.read_bytes().count(b"\n") > 20):
            time.sleep(0.001)
        child.send_signal(signal.SIGTERM)
        self.assertIn("the same command goes on", child.communicate()[1])
        self.assertEqual(child.returncode, 2)
        return journal

    def test_after_damage(self):
        self.command(MOVING, *LONG, "--out", "whole")
        journal = self.interrupted()
        lines = journal.read_bytes().splitlines(keepends=True)
        lines[5] = lines[5].replace(b"1", b"7", 1).replace(b".", b",", 1)  # a bit of it is another
        lines[-1] = lines[-1][: len(lines[-1]) // 2]  # not written to its end
        journal.write_bytes(b"".join(lines))
        again = self.command(MOVING, *LONG, "--out", "stopped")
        self.assertIn("1 record damaged and made again", again.stderr)
        self.assertEqual(self.results("stopped"), self.results("whole"))

    def test_but_not_of_another_sweep(self):
        self.interrupted()
        other = [word.replace("m=1,2,3,4", "m=1,2,3,5") for word in LONG]
        self.refused(MOVING, *other, "--out", "stopped", says=('"over" is m=1,2,3,4', "m=1,2,3,5", "--restart"))
        self.refused(MOVING, *LONG, "--rtol", "1e-6", "--out", "stopped", says='"model" is')
        self.refused(MOVING, *LONG, "--seed", "2", "--out", "stopped", says="seed 1 there")
        self.command(MOVING, *other, "--out", "stopped", "--restart")

    def test_in_latin_hypercube(self):
        self.command(MOVING, *SWEEP, "--design", "lhs", "--out", "lhs")
        rho = numpy.load(self.folder / "lhs/sweep.npz")["parameters"][:100, 1]
        self.assertEqual(sorted(numpy.floor((rho - 0.5) / 0.005).astype(int)), list(range(100)))

    def test_of_bodies_and_joints(self):
        model = self.folder / "four_bar.toml"
        model.write_text(FOUR_BAR.read_text())
        words = [model, "--over", "l2=0.6:0.005:0.62", "--until", "0.5", "--keep", "energy.kinetic"]
        self.command(*words, "--threads", "1", "--out", "a")
        self.command(*words, "--threads", "3", "--out", "b")
        self.assertEqual(self.results("a"), self.results("b"))

    @unittest.skipUnless(MPI, "maggi-mpi is not built")
    def test_on_any_number_of_ranks(self):
        self.command(MOVING, *SWEEP, "--out", "threads")
        self.command(MOVING, *SWEEP, "--out", "alone", program=(MPI,))  # a world of one
        for ranks in (2, 3):
            mpirun = ("mpirun", "--allow-run-as-root", "--oversubscribe", "-np", str(ranks), MPI)
            done = self.command(MOVING, *SWEEP, "--out", f"ranks{ranks}", program=mpirun)
            self.assertIn(f"{ranks} ranks", done.stdout)
            self.assertEqual(self.results(f"ranks{ranks}"), self.results("threads"))
        self.assertEqual(self.results("alone"), self.results("threads"))

    @unittest.skipUnless(MPI, "maggi-mpi is not built")
    def test_ranks_say_what_is_wrong_once(self):
        mpirun = ("mpirun", "--allow-run-as-root", "--oversubscribe", "-np", "2", MPI)
        done = self.command(MOVING, "--over", "mm=1,2", code=1, program=mpirun)
        self.assertEqual(done.stderr.count("has no parameter"), 1, done.stderr)


class Files(Case):
    def test_agree_with_each_other_and_with_numpy(self):
        printed = self.command(MOVING, *SWEEP, "--out", "o", "--json").stdout
        statistics = json.loads((self.folder / "o/statistics.json").read_text())
        self.assertEqual(json.loads(printed), statistics)
        arrays = numpy.load(self.folder / "o/sweep.npz")
        with open(self.folder / "o/sweep.csv", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        self.assertEqual(rows[0], ["run", "m [kg]", "rho [m]", "J [kg m^2]", "x3 [rad]", "max(guide_force) [N]",
                                   "rms(x3') [rad/s]", "failure"])
        table = numpy.array([[float(field) for field in row[:-1]] for row in rows[1:]])
        numpy.testing.assert_array_equal(table[:, 1:4], arrays["parameters"])
        numpy.testing.assert_array_equal(table[:, 4:], arrays["outputs"])
        self.assertEqual(list(arrays["outputs_names"]), ["x3", "max(guide_force)", "rms(x3')"])
        self.assertFalse(arrays["failed"].any())
        for k, output in enumerate(statistics["outputs"]):
            values = arrays["outputs"][:, k]
            # two ways to add 400 numbers: 400 ε
            for name, expected in (("mean", values.mean()), ("deviation", values.std(ddof=1)), ("min", values.min()),
                                   ("max", values.max())):
                self.assertLess(abs(output[name] - expected), 400 * 2.3e-16 * abs(values).max(), name)
            for part, value in output["quantiles"].items():
                self.assertLess(abs(value - numpy.quantile(values, float(part))), 1e-14 * abs(values).max())

    def test_run_and_sweep_agree(self):
        """A run of the sweep is the run of its numbers."""
        self.command(MOVING, "--over", "m=1,3", "--keep", "x3", "--keep", "guide_force", "--out", "o")
        swept = numpy.load(self.folder / "o/sweep.npz")["outputs"]
        for k, m in enumerate((1, 3)):
            subprocess.run([MAGGI, "run", MOVING, "--set", f"m={m}", "--out", "r", "-q"], cwd=self.folder, check=True)
            run = numpy.load(self.folder / "r/trajectory.npz")
            # states stored on the way do not change the steps, so that the end is the same to rounding of its projection
            self.assertAlmostEqual(swept[k, 0], run["coordinates"][-1, 2], delta=1e-12)
            self.assertAlmostEqual(swept[k, 1], run["outputs"][-1, 1], delta=1e-10)

    def test_failures_are_counted_and_told(self):
        done = self.command(PENDULUM, "--over", "y=0,2,0.5", "--keep", "x", "--out", "o", code=2)
        self.assertIn("1 of 3 runs failed, the first is run 1 (y = 2)", done.stderr)
        statistics = json.loads((self.folder / "o/statistics.json").read_text())
        self.assertEqual((statistics["runs"], statistics["failed"]), (3, 1))
        self.assertEqual(statistics["outputs"][0]["count"], 2)
        self.assertEqual(statistics["failures"][0]["parameters"], {"y": 2})
        self.assertEqual(list(numpy.load(self.folder / "o/sweep.npz")["failed"]), [False, True, False])
        with open(self.folder / "o/sweep.csv", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        self.assertEqual(rows[2][2], "")
        self.assertTrue(rows[2][-1])


class Mistakes(Case):
    def test_are_answered(self):
        self.refused(MOVING, says="the sweep varies nothing")
        self.refused(MOVING, "--over", "rh=1,2", says='did you mean "rho"?')
        self.refused(MOVING, "--over", "m=2:0.1:1", says="leads away")
        self.refused(MOVING, "--over", "m=uniform(1,2)", says="--runs 1000")
        self.refused(MOVING, "--over", "m=1,2", "--runs", "5", says="nothing is drawn")
        self.refused(MOVING, "--over", "m=1,2", "--keep", "max(x4)", says="no channel is named")
        self.refused(MOVING, "--over", "m=1,2", "--quantiles", "5,50", says="quantile 5 is outside 0")
        self.refused(MOVING, "--over", "m=1,2", "--design", "lsh", says='did you mean "lhs"?')
        self.refused(MOVING, "--over", "m=1,2", "--threads", "0", says="--threads")
        self.refused("missing.toml", "--over", "m=1,2", says="missing.toml", code=3)

    def test_somebody_else_is_at_it(self):
        child = subprocess.Popen([MAGGI, "sweep", MOVING, "--over", "m=1:0.00001:2", "--out", "o"], cwd=self.folder,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            while not (self.folder / "o/sweep.journal").exists():
                time.sleep(0.001)
            time.sleep(0.2)
            self.refused(MOVING, "--over", "m=1:0.00001:2", "--out", "o", says="another maggi", code=3)
        finally:
            child.kill()
            child.wait()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
