"""What is refused before it starts, with the reason: letter, words of the message, what the page says. A refusal with
other words is a failure of the cell."""

import re

REFUSALS = [
    ("a", r'formulation "[^"]+" is for ideal constraints, but the model has the (law|control) "',
     "Forces along directions other than those of the constraints (friction, force laws, controls) are solved by "
     "`augmented`, `range-space` and `compatibility` only."),
    ("b", r'formulation "recursive" goes along the joints of a mechanism, but this model has none',
     "`recursive` is for bodies and joints."),
    ("c", r'formulation "recursive" is for constraints on positions and velocities, but ".+" is one on accelerations',
     "`recursive` has no rows at acceleration level."),
    ("d", r'has no local coordinates, of which basis "local" is made', "Basis `local` needs `[local]`."),
    ("e", r'the mass matrix is not positive definite',
     "The mass matrix is singular: `range-space`, `elimination`, `orthonormal` and basis `mass-gram-schmidt` divide by it, "
     "and `recursive` needs inertia at every joint."),
    ("e", r'formulation "recursive" needs inertia at every joint', ""),
    ("f", r'integrator = ida is for ideal constraints only', "`ida` solves ideal constraints only."),
    ("g", r'unknowns = independent needs q̇ = v',
     "`independent` needs coordinates whose rates are the velocities: no quaternions."),
    ("h", r'unknowns = tangent does not work with constraint "[^"]+", which is not linear in the velocities',
     "`tangent` needs constraints that are linear in the velocities."),
    ("i", r'drift = \S+ (does not work|has no effect|needs)|Baumgarte terms|nothing drifts|drift = [a-z]+ and unknowns',
     "Feedback of residuals where nothing drifts, or normal to what is integrated."),
    ("j", r'"[^"]+" is one-sided, but a control keeps|the limits of "[^"]+" are rigid stops, but a control keeps',
     "A control exerts no impulses: no one-sided constraint or rigid stop beside a servo constraint."),
    ("n", r'it does not apply to the directions in which the forces of laws or controls act',
     "Basis `local` where forces act along other directions than the points move."),
    ("k", r'control "[^"]+" has no effect: it acts along constraints that hold anyway|the controls cannot keep "',
     "What a driver or another row prescribes already, no control can enforce."),
    ("l", r'a law uses the reaction of "[^"]+", which is not unique|the motion depends on how .+ share their load',
     "Friction or a force law on a reaction that is not unique because constraints are redundant."),
    ("m", r'basis "[^"]+" is smooth by itself and is not aligned|has no choices to freeze',
     "A continuity that the basis does not have."),
]


def letter_of(message):
    """The letter of the first refusal with these words; none if there is none."""
    return next((letter for letter, words, _ in REFUSALS if re.search(words, message)), None)
