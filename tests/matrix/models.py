"""The models of the matrix, with what is known of each: classes of features on kinds of models, alone, in pairs and three
at a time; and the models of specials.py."""

import hashlib
import itertools
from random import Random

import bodies
import carriers
import features
from carriers import Text

UNTIL, OUTPUT = 1.0, 0.1     # [s] the run, and the time between the states that are compared
STATE = (0.1, 0.5)           # s and s' of equations --state
AT = 6                       # the stored state of equations --at
TRIPLES = 60

CARRIERS = [kind() for kind in (
    carriers.Formulas, carriers.Given, carriers.Carried, carriers.Singular, carriers.Points, carriers.Floor,
    bodies.PlanarRail, bodies.SpaceRail, bodies.SteepRail, bodies.TwoRails, bodies.Rotor, bodies.SpaceRotor,
    bodies.TwoHinges, bodies.Screw, bodies.Welded, bodies.Floating, bodies.FloatingSpace, bodies.FloorBody, bodies.Disc,
    bodies.Cranks, bodies.Wire)]


# what once went wrong, by the carrier and the features
ONCE_WRONG = [
    ("planar rail", "force law", "stop, e = 0"), ("two rails in space", "force law", "switched on by place", "stop, e = 0"),
    ("moving frame", "switched on by place", "force law"), ("floating body", "driver", "force law"),
    ("floating body in space", "friction", "servo"), ("on a floor", "velocity row", "acceleration row, nonlinear"),
    ("welded bodies", "spring", "driver", "acceleration row, nonlinear"),
    ("body on a floor", "law of a reaction", "redundant twin"), ("singular M", "acceleration row, nonlinear", "one-sided row"),
]


def pick(key, count):
    """The same choice in every run of the test, spread over the models."""
    return int(hashlib.md5(key.encode()).hexdigest(), 16) % count


class Cell:
    """What features fill in: the text of the model and the motion to compare with."""

    def __init__(self, carrier, prescribed, speed):
        self.carrier, self.text, self.motion = carrier, Text(carrier), carrier.motion()
        self.files = {}
        self.speed = speed
        self.prescriptions = []    # channels of the forces that prescribe s, and their factor
        self.checks = []           # (channel, motion → value)
        self.second = []           # channels that follow s: (name, factor)
        self.stop_at = 0.5 if prescribed else 0.25  # what prescribes stays below 0.36


class Model:
    """A carrier with some features."""

    def __init__(self, carrier, parts):
        self.carrier, self.parts = carrier, parts
        self.names = [part.title for part in parts]
        self.title = f"{carrier.name}: {' + '.join(self.names) or 'alone'}"
        self.prescribed = any(part.prescribes for part in parts)
        still = any(part.still for part in parts) and not self.prescribed
        cell = self.cell = Cell(carrier, self.prescribed, 0.0 if still else 1.0)
        self.made = all(part(cell) is not False for part in parts)
        if not self.made:
            return
        if self.prescribed:
            cell.motion.prescribed = (features.p, features.dp, features.ddp)
        self.text = cell.text.toml(0, repr(cell.speed))
        self.unique = "redundant twin" not in self.names and not carrier.redundant
        self.states = self.follow()
        self.free = not self.prescribed and cell.motion.release is None and cell.speed != 0.0

    def follow(self):
        """The motion at the stored times."""
        motion = self.cell.motion
        motion.begin(0.0, self.cell.speed)
        table = []
        for index in range(round(UNTIL / OUTPUT) + 1):
            motion.advance(index * OUTPUT)
            table.append(self.state(motion))
            if motion.ended or motion.conflict:
                break
        self.ended, self.conflict = motion.ended, motion.conflict
        return table

    def state(self, m):
        return {"t": m.t, "s": m.s, "v": m.v, "a": m.acceleration(m.t, m.s, m.v), "held": m.decide(m.t, m.s, m.v),
                "normal": m.normal(m.t, m.s, m.v), "required": m.required(m.t, m.s, m.v) if self.prescribed else None,
                "checks": {name: value(m) for name, value in self.cell.checks}}


def fit(*parts):
    """May the features stand together? Not two of a family; not a prescription and a row that ends it."""
    def pair(one, two):
        if one.prescribes and two.prescribes and "driver by a table" in (one.title, two.title):
            return False  # the curve through the points is not exactly the motion of the others
        return not (one.family and one.family == two.family or one.held and two.prescribes or one.prescribes and two.held)
    return all(pair(one, two) for one, two in itertools.combinations(parts, 2))


def models():
    """(row, model): each feature alone on every carrier, each pair on one, some triples; row is the first feature's."""
    for row, one in enumerate(features.FEATURES):
        for carrier in CARRIERS:
            yield row, Model(carrier, [one])
        for two in features.FEATURES[row + 1:]:
            if fit(one, two):
                yield row, first_made(one, two)
    for name, *titles in ONCE_WRONG:
        carrier = next(carrier for carrier in CARRIERS if carrier.name == name)
        parts = [next(feature for feature in features.FEATURES if feature.title == title) for title in titles]
        yield features.FEATURES.index(parts[0]), Model(carrier, parts)
    random = Random(1)
    for _ in range(TRIPLES):
        parts = [features.FEATURES[0]] * 2
        while not fit(*parts) or len(set(parts)) < 3:
            parts = random.sample(features.FEATURES, 3)
        yield features.FEATURES.index(parts[0]), first_made(*parts)


def first_made(*parts):
    """On the first carrier from a place that depends on the features which has a form of all of them."""
    begin = pick("+".join(part.title for part in parts), len(CARRIERS))
    for carrier in CARRIERS[begin:] + CARRIERS[:begin]:
        model = Model(carrier, list(parts))
        if model.made:
            return model
    return model
