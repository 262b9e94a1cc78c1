#!/usr/bin/env python3
"""What NumPy reads from the files of a motion: the same numbers by both ways, under the right names.

    check_numpy.py WRITER     WRITER FOLDER writes motion.csv, motion.npz and empty.npz
"""
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np

GROUPS = ["coordinates", "velocities", "accelerations", "multipliers", "controls", "reactions", "parts", "forces", "energies"]
GROUPS += ["powers", "contacts", "tangent", "outputs", "drawing", "residuals"]


def check(folder):
    assert zipfile.ZipFile(folder / "motion.npz").testzip() is None, "a checksum is wrong"
    npz = np.load(folder / "motion.npz")  # allow_pickle=False is the default
    assert set(npz.files) == {"t"} | {g + s for g in GROUPS for s in ("", "_names", "_units")}, npz.files

    t = npz["t"]
    assert t.shape == (40001,) and t.dtype == np.float64 and t[0] == 0.0 and t[-1] == 40.0
    assert list(npz["coordinates_names"]) == ["x", "y"] and list(npz["velocities_units"]) == ["m/s", "m/s"]
    assert list(npz["outputs_names"]) == ["height"] and list(npz["outputs_units"]) == ["µm"]
    assert npz["multipliers"].shape == (40001, 0) and npz["multipliers_names"].shape == (0,)
    x, y = npz["coordinates"].T
    assert np.abs(x**2 + y**2 - 1).max() < 1e-12, "the rod has changed its length"
    assert np.array_equal(npz["outputs"][:, 0], y + 1)

    columns, header = [t], ["t [s]"]
    for group in GROUPS:
        names, units, values = npz[group + "_names"], npz[group + "_units"], npz[group]
        assert values.shape == (len(t), len(names)) and values.flags["C_CONTIGUOUS"]
        header += [f"{n} [{u}]" if u else str(n) for n, u in zip(names, units)]
        columns += list(values.T)
    with open(folder / "motion.csv", encoding="utf-8") as file:
        assert file.readline().rstrip("\n").split(",") == header
    csv = np.loadtxt(folder / "motion.csv", delimiter=",", skiprows=1)
    assert np.array_equal(csv, np.array(columns).T), "the two files differ"
    assert np.isfinite(csv).all()

    empty = np.load(folder / "empty.npz")
    assert empty["t"].shape == (0,) and empty["coordinates"].shape == (0, 2)


with tempfile.TemporaryDirectory() as name:
    subprocess.run([sys.argv[1], name], check=True)
    check(Path(name))
print("NumPy reads both files")
