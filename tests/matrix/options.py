"""Options of a run, and how exact its end is with them: (options, relative tolerance).

rtol is 1e-8 unless an option says otherwise; two digits are lost along a motion of a second and some hundred steps. What
is fed back or not kept at all (drift) loses one more, and so do the multistep methods of SUNDIALS, to which rtol is the
error of one of many small steps.
"""

FORMULATIONS = ("augmented range-space null-space elimination maggi maggi-rates orthonormal partitioning udwadia-kalaba "
                "compatibility minimal recursive").split()
BASES = ("qr svd zero-eigenvalue schur putd qtz algebraic lu gram-schmidt gram-schmidt-deflation mass-gram-schmidt local "
         "huang").split()
USUAL, LESS, MULTISTEP = 1e-6, 1e-5, 5e-5


def of_formulations():
    for name in FORMULATIONS:
        yield f"--formulation {name}", USUAL
    for name in ("maggi", "maggi-rates", "compatibility", "minimal"):
        for basis in BASES:
            yield f"--formulation {name} --basis {basis}", USUAL


def of_integrators():
    for name in ("auto", "dopri5", "dop853", "radau5"):
        yield f"--integrator {name}", USUAL
    yield "--integrator rk4 --step 0.001", USUAL
    for name in ("cvode-bdf", "cvode-adams --drift none", "ida"):
        yield f"--integrator {name}", MULTISTEP
    yield "--rtol 1e-11", USUAL
    yield "--rtol 1e-5", 1e-3
    yield "--output 0", USUAL
    yield "--output 0.5", USUAL
    yield "--reactions min-norm", USUAL


def of_drift():
    for name in ("baumgarte", "pi", "none"):
        yield f"--drift {name}", LESS
        yield f"--drift {name} --integrator radau5", LESS


def of_unknowns():
    for name in ("tangent", "independent"):
        yield f"--unknowns {name}", USUAL
        yield f"--unknowns {name} --integrator radau5", USUAL
        yield f"--unknowns {name} --drift none", LESS
    for basis in BASES:
        if basis != "local":
            yield f"--unknowns tangent --basis {basis}", USUAL
    yield "--unknowns tangent --basis lu --continuity frozen", USUAL
    for name in ("procrustes", "procrustes-mass", "warm-start"):
        yield f"--unknowns tangent --basis qr --continuity {name}", USUAL


GROUPS = {"formulation and basis": list(of_formulations()), "integrator and output": list(of_integrators()),
          "drift": list(of_drift()), "unknowns": list(of_unknowns())}
ALL = [option for group in GROUPS.values() for option in group]
