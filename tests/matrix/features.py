"""Classes of constraints and forces: each writes itself into a model on a carrier and into the motion to compare with.

A feature returns False if the carrier has no form of it. `family`: of one family a model has one member. `prescribes`:
how s is prescribed. All prescriptions ask for the same motion p, so that two of them are redundant and compatible.
"""

import math

P = "0.3*sin(3*t) + 0.1*t"
DP = "(0.9*cos(3*t) + 0.1)"
DDP = "(-2.7*sin(3*t))"


def p(t):
    return 0.3 * math.sin(3 * t) + 0.1 * t


def dp(t):
    return 0.9 * math.cos(3 * t) + 0.1


def ddp(t):
    return -2.7 * math.sin(3 * t)


FEATURES = []


def feature(name, family=None, prescribes=False, still=False, held=False):
    def add(function):
        function.title, function.family, function.prescribes, function.still, function.held = (
            name, family, prescribes, still, held)
        FEATURES.append(function)
        return function
    return add


@feature("force")
def force(cell):
    value = 1.5 * cell.carrier.mass
    cell.carrier.add_force(cell.text, f"{value!r}")
    cell.motion.forces.append(lambda t, s, v: value)


@feature("force of time")
def wave(cell):
    value = 3 * cell.carrier.mass
    cell.carrier.add_force(cell.text, f"{value!r}*cos(5*t)")
    cell.motion.forces.append(lambda t, s, v: value * math.cos(5 * t))


@feature("spring")
def spring(cell):
    value = 12 * cell.carrier.mass
    cell.carrier.add_spring(cell.text, value)
    cell.motion.forces.append(lambda t, s, v: -value * s)


@feature("damper")
def damper(cell):
    value = 0.8 * cell.carrier.mass
    cell.carrier.add_damper(cell.text, value)
    cell.motion.forces.append(lambda t, s, v: -value * v)


@feature("load across")
def press(cell):
    """It presses on the rail: 5 + 3 cos 4t."""
    cell.carrier.add_press(cell.text, "5 + 3*cos(4*t)")
    if cell.carrier.normal:
        before = cell.motion.normal
        cell.motion.normal = lambda t, s, v: before(t, s, v) + 5 + 3 * math.cos(4 * t)


@feature("gear")
def gear(cell):
    inertia, ratio = 0.15 * cell.carrier.mass, 2.0
    cell.carrier.add_coupled(cell.text, inertia, ratio)
    cell.motion.mass += inertia * ratio ** 2
    name = "z" if cell.carrier.formulas else "axle.angle"
    cell.second.append((name, ratio))


@feature("friction", family="friction")
def friction(cell, mu=0.2, mu_stick=0.2):
    if cell.carrier.normal is None:
        return False
    cell.carrier.add_friction(cell.text, mu, mu_stick)
    cell.motion.mu, cell.motion.mu_stick = mu, mu_stick


@feature("stiction from rest", family="friction", still=True)
def stiction(cell):
    return friction(cell, 0.1, 0.3)


@feature("stop, e = 0", family="stop")
def stop_plastic(cell, restitution=0):
    cell.carrier.add_stop(cell.text, cell.stop_at, restitution)
    cell.motion.stops.append((cell.stop_at, restitution))


@feature("stop, e = 0.5", family="stop")
def stop_half(cell):
    return stop_plastic(cell, 0.5)


@feature("stop, e = 1", family="stop")
def stop_full(cell):
    return stop_plastic(cell, 1)


@feature("one-sided row", family="stop")
def wall(cell):
    cell.text.add("constraint", f'wall = {{ position = "{cell.stop_at} - {cell.carrier.marker or cell.carrier.s}", '
                                f"one_sided = true, restitution = 0.3 }}")
    cell.motion.stops.append((cell.stop_at, 0.3))


@feature("force law")
def law(cell):
    """force + 0.1 force³/m² = −1.2 m s'"""
    m = cell.carrier.mass
    cell.text.add("law", f'drag = {{ along = {{ "{cell.carrier.s}" = 1 }}, '
                         f"law = \"force.drag + 0.1*force.drag^3/{m * m!r} = -{1.2 * m!r}*{cell.carrier.rate()}\" }}")
    def drag(t, s, v):
        force = -1.2 * m * v
        for _ in range(50):
            step = (force + 0.1 * force ** 3 / m ** 2 + 1.2 * m * v) / (1 + 0.3 * force ** 2 / m ** 2)
            force -= step
            if abs(step) < 1e-14 * m:
                break
        return force
    cell.motion.forces.append(drag)
    cell.checks.append(("force.drag", lambda m: drag(m.t, m.s, m.v)))


@feature("driver", prescribes=True)
def driver(cell):
    cell.prescriptions.append((cell.carrier.add_driver(cell.text, P), 1.0))


@feature("driver by a table", prescribes=True)
def table(cell):
    cell.prescriptions.append((cell.carrier.add_driver(cell.text, "table('cell.csv', t)"), 1.0))
    cell.files["cell.csv"] = "t,s\n" + "".join(f"{k / 500!r},{p(k / 500)!r}\n" for k in range(700))


@feature("spring between points")
def element(cell):
    carrier = cell.carrier
    if carrier.formulas or carrier.marker != "block.tip.x":
        return False
    value = 9 * carrier.mass
    more = [0.0] * (len(carrier.ex) - 1)
    cell.text.add("force", f'element = {{ spring = ["ground", "block"], from = {[-2.0, *more]}, to = "block.tip", '
                           f"stiffness = {value}, damping = {0.3 * carrier.mass} }}")
    cell.motion.forces.append(lambda t, s, v: -value * s - 0.3 * carrier.mass * v)


@feature("law of a reaction")
def rubbing(cell):
    """force = −0.2 |N| tanh(s'/0.1), with N the multiplier of the rail."""
    if cell.carrier.reaction != "lambda.rail" or not cell.carrier.normal:
        return False
    cell.text.add("law", f'rub = {{ along = {{ "{cell.carrier.s}" = 1 }}, '
                         f"law = \"force.rub = -0.2*abs(lambda.rail)*tanh({cell.carrier.rate()}/0.1)\" }}")
    cell.motion.forces.append(lambda t, s, v: -0.2 * abs(cell.motion.normal(t, s, v)) * math.tanh(v / 0.1))


@feature("servo", prescribes=True)
def servo(cell):
    cell.text.add("constraint", f'path = {{ position = "{cell.carrier.s} = {P}", servo = true }}')
    cell.text.add("control", f'thrust = {{ along = {{ "{cell.carrier.s}" = 2 }} }}')
    cell.prescriptions.append(("control.thrust", 2.0))


@feature("velocity row", prescribes=True)
def velocity(cell):
    cell.text.add("constraint", f'rate = {{ velocity = "{cell.carrier.rate()} = {DP}" }}')
    cell.prescriptions.append(("lambda.rate", 1.0))


@feature("acceleration row", prescribes=True)
def acceleration(cell):
    cell.text.add("constraint", f'pull = {{ acceleration = "{cell.carrier.s}\'\' = {DDP}" }}')
    cell.prescriptions.append(("lambda.pull", 1.0))


@feature("acceleration row, nonlinear", prescribes=True)
def nonlinear(cell):
    a = f"{cell.carrier.s}''"
    cell.text.add("constraint", f'pull_3 = {{ acceleration = "{a} + 0.1*{a}^3 = {DDP} + 0.1*{DDP}^3" }}')
    cell.prescriptions.append(None)


@feature("switched on by time", family="switch", held=True)
def switch_on(cell):
    cell.text.add("constraint", f'hook = {{ velocity = "{cell.carrier.rate()} = 0.2", active = false }}')
    cell.text.add("event", 'catch = { at = 0.35, switch_on = "hook" }')
    cell.motion.jump = (0.35, 0.2)


@feature("switched on by place", family="switch", held=True)
def switch_place(cell):
    cell.text.add("constraint", f'hook = {{ position = "{cell.carrier.s} - 0.15", active = false }}')
    cell.text.add("event", f'catch = {{ when = "{cell.carrier.s} - 0.15", crossing = "rising", switch_on = "hook" }}')
    cell.motion.catch = 0.15


@feature("switched off", family="switch", held=True)
def switch_off(cell):
    cell.text.add("constraint", f'hold = {{ velocity = "{cell.carrier.rate()} = {cell.speed!r}" }}')
    cell.text.add("event", 'release = { at = 0.2, switch_off = "hold" }')
    cell.motion.release = 0.2


@feature("stopping event")
def stopping(cell):
    cell.text.add("event", f'enough = {{ when = "{cell.carrier.s} - 0.2", crossing = "rising", stop = true }}')
    cell.motion.end = 0.2


@feature("inactive row")
def inactive(cell):
    cell.text.add("constraint", f'never = {{ position = "{cell.carrier.s} - 7", active = false }}')
    cell.text.add("event", 'later = { at = 50, switch_on = "never" }')


@feature("redundant twin")
def twin(cell):
    if not cell.carrier.add_twin(cell.text):
        return False


@feature("output")
def output(cell):
    s = cell.carrier.s
    cell.text.add("define", f'square = "{s}^2"')
    cell.text.add("output", "double = \"square'\"")
    cell.text.add("output", f"acc = \"{s}''\"")
    cell.checks.append(("double", lambda m: 2 * m.s * m.v))
