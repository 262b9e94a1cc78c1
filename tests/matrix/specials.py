"""Models whose motion is known in closed form and is not that of one coordinate: contacts in a plane, nonholonomic and
rheonomic constraints, bodies in space. `wanted`: channel → value at the time t."""

import math
from dataclasses import dataclass, field

G = 9.81


@dataclass
class Special:
    name: str
    text: str
    wanted: dict
    dof: int
    until: float = 1.0
    conserved: bool = False
    files: dict = field(default_factory=dict)


def slide_then_roll(floor):
    """Velocity of slip v₀ − 3 μ g t; then it rolls with 2/3 v₀."""
    v0, mu, r = 2.0, 0.3, 0.2
    t1 = v0 / (3 * mu * G)
    x = lambda t: v0 * t - mu * G * t * t / 2 if t < t1 else v0 * t1 - mu * G * t1 * t1 / 2 + 2 / 3 * v0 * (t - t1)
    rate = lambda t: -2 * mu * G / r * min(t, t1)
    one_sided = ", one_sided = true" if floor == "one-sided" else ""
    return Special(f"disc slides, then rolls: {floor} floor", f"""
parameters = {{ m = 1.5, r = {r}, g = {G} }}
[coordinates]
x = {{ start = 0, speed = {v0} }}
y = {{ start = {r}, speed = 0 }}
th = {{ start = 0, speed = 0 }}
[energy]
kinetic = "m/2*(x'^2 + y'^2) + m*r^2/4*th'^2"
potential = "m*g*y"
[constraint]
floor = {{ position = "y - r"{one_sided}, friction = {{ coefficient = {mu}, along = "x' + r*th'" }} }}
""", {"x": x, "th'": rate, "lambda.floor": lambda t: 1.5 * G}, dof=2)


def slide_then_roll_body(space):
    v0, mu, r = 2.0, 0.3, 0.2
    t1 = v0 / (3 * mu * G)
    x = lambda t: v0 * t - mu * G * t * t / 2 if t < t1 else v0 * t1 - mu * G * t1 * t1 / 2 + 2 / 3 * v0 * (t - t1)
    if space:
        text = f"""
gravity = [0, 0, -{G}]
[body.disc]
mass = 1.5
inertia = [0.1, {1.5 * r * r / 2}, 0.1]
position = [0, 0, {r}]
[joint]
f = {{ planar = ["ground", "disc"], at = [0, 0, {r}], axis = [0, -1, 0], speed = {{ x = {v0} }} }}
[constraint]
floor = {{ position = "disc.centre.z - {r}", one_sided = true, friction = {{ coefficient = {mu}, along = "disc.centre.x' + {r}*f.angle'" }} }}
"""
        return Special("disc slides, then rolls: planar joint in space", text, {"f.angle'": lambda t: -2 * mu * G / r * min(t, t1)}, dof=2)
    return Special("disc slides, then rolls: planar body", f"""
dimension = 2
gravity = [0, -{G}]
[body.disc]
mass = 1.5
shape = "disc"
radius = {r}
position = [0, {r}]
[joint]
f = {{ free = ["ground", "disc"], at = [0, {r}], speed = {{ x = {v0} }} }}
[constraint]
floor = {{ position = "disc.centre.y - {r}", one_sided = true, friction = {{ coefficient = {mu}, along = "disc.centre.x' + {r}*f.angle'" }} }}
""", {"f.x": x, "f.angle'": lambda t: -2 * mu * G / r * min(t, t1), "lambda.floor": lambda t: 1.5 * G}, dof=2)


def stacked(bodies):
    """The upper block drags the lower one; they meet, go on together and come to rest."""
    m1, m2, mu1, mu2 = 3.0, 1.0, 0.05, 0.4
    a2, a1 = mu2 * G, (mu2 * m2 - mu1 * (m1 + m2)) * G / m1
    t1 = 1 / (a1 + a2)
    v1 = a1 * t1
    t2 = t1 + v1 / (mu1 * G)
    def lower(t):
        if t < t1:
            return a1 * t * t / 2
        s = min(t, t2) - t1
        return a1 * t1 * t1 / 2 + v1 * s - mu1 * G * s * s / 2
    def upper(t):
        return t - a2 * t * t / 2 if t < t1 else t1 - a2 * t1 * t1 / 2 + lower(t) - lower(t1)
    if bodies:
        text = f"""
dimension = 2
gravity = [0, -{G}]
[body.low]
mass = {m1}
inertia = 0.1
position = [0, 0]
[body.up]
mass = {m2}
inertia = 0.1
position = [0, 1]
markers = {{ c = [0, 1] }}
[joint]
a = {{ prismatic = ["ground", "low"], at = [0, 0], axis = [1, 0], friction = {{ coefficient = {mu1} }} }}
b = {{ prismatic = ["low", "up"], at = [0, 1], axis = [1, 0], speed = 1, friction = {{ coefficient = {mu2} }} }}
"""
        return Special("stacked blocks: bodies", text, {"a.distance": lower, "b.distance": lambda t: upper(t) - lower(t), "up.c.x": upper}, dof=2)
    return Special("stacked blocks: formulas", f"""
[coordinates]
x1 = {{ start = 0, speed = 0 }}
y1 = {{}}
x2 = {{ start = 0, speed = 1 }}
y2 = {{}}
[energy]
kinetic = "{m1}/2*(x1'^2 + y1'^2) + {m2}/2*(x2'^2 + y2'^2)"
potential = "{G}*({m1}*y1 + {m2}*y2)"
[constraint]
ground = {{ position = "y1", friction = {{ coefficient = {mu1}, along = "x1'" }} }}
between = {{ position = "y2 - y1 - 1", friction = {{ coefficient = {mu2}, along = "x2' - x1'" }} }}
""", {"x1": lower, "x2": upper, "lambda.ground": lambda t: (m1 + m2) * G, "lambda.between": lambda t: m2 * G}, dof=2)


def bounce_on_lift(e=0.5, v=0.5, h=1.0):
    """A ball on a floor that rises with constant speed: the gap is that over a floor at rest."""
    def gap(t):
        y, u, t0 = h, -v, 0.0
        while True:
            hit = t0 + (u + math.sqrt(u * u + 2 * G * y)) / G
            if t < hit:
                return y + u * (t - t0) - G * (t - t0) ** 2 / 2, u - G * (t - t0)
            u = -e * (u - G * (hit - t0))
            y, t0 = 0.0, hit
    return Special("ball on a floor that rises", f"""
[coordinates]
y = {{ start = {h}, speed = 0 }}
[energy]
kinetic = "y'^2/2"
potential = "{G}*y"
[constraint]
floor = {{ position = "y - {v}*t", one_sided = true, restitution = {e} }}
""", {"y": lambda t: gap(t)[0] + v * t, "y'": lambda t: gap(t)[1] + v}, dof=1)


def sleigh(kind, second):
    """A blade at the mass centre: heading ω t, speed v₀ e^(−k t)."""
    w, v0, m, J = 1.3, 0.8, 2.0, 0.3
    k = 0.7 if second == "damper" else 0.0
    def along(t):
        z = complex(-k, w)
        return v0 * (complex(math.exp(-k * t)) * complex(math.cos(w * t), math.sin(w * t)) - 1) / z
    wanted = {"X": lambda t: along(t).real, "Y": lambda t: along(t).imag, "TH": lambda t: w * t}
    dof = 2
    if kind == "formulas":
        level = {"velocity": "velocity = \"y'*cos(th) - x'*sin(th)\"",
                 "acceleration": "acceleration = \"y''*cos(th) - x''*sin(th) - th'*(x'*cos(th) + y'*sin(th))\""}
        rows = [f"blade = {{ {level['acceleration' if second == 'acceleration level' else 'velocity']} }}"]
        if second == "driver":
            rows.append(f'turn = {{ position = "th - {w}*t" }}')
            dof = 1
        if second == "rate":
            rows.append(f"turn = {{ velocity = \"th' - {w}\" }}")
            dof = 1
        if second == "redundant":
            rows.append("twin = { velocity = \"2*y'*cos(th) - 2*x'*sin(th)\" }")
        drag = (f"[generalised_force]\nx = \"-{k * m}*x'\"\ny = \"-{k * m}*y'\"\n" if second == "damper" else "")
        text = f"""
[coordinates]
x = {{ start = 0, speed = {v0} }}
y = {{ start = 0, speed = 0 }}
th = {{ start = 0, speed = {w} }}
[energy]
kinetic = "{m}/2*(x'^2 + y'^2) + {J}/2*th'^2"
[constraint]
""" + "\n".join(rows) + "\n" + drag
        names = {"X": "x", "Y": "y", "TH": "th"}
        if second in ("alone", "driver", "acceleration level"):
            wanted["lambda.blade"] = lambda t: m * v0 * w
    else:
        planar = kind == "planar body"
        v = (lambda *a: str([*a][:2] if planar else [*a]))
        text = f"""
{'dimension = 2' if planar else ''}
[body.sled]
mass = {m}
inertia = {J if planar else [0.1, 0.2, J]}
position = {v(0, 0, 0)}
[joint]
"""
        if planar:
            text += f'f = {{ free = ["ground", "sled"], at = [0, 0], speed = {{ x = {v0}, angle = {w} }} }}\n'
            names = {"X": "f.x", "Y": "f.y", "TH": "f.angle"}
        else:
            text += f'f = {{ planar = ["ground", "sled"], at = [0, 0, 0], axis = [0, 0, 1], speed = {{ x = {v0}, angle = {w} }} }}\n'
            names = {"X": "f.x", "Y": "f.y", "TH": "f.angle"}
        text += f'blade = {{ knife_edge = ["ground", "sled"], at = {v(0, 0, 0)}, axis = {v(0, 1, 0)} }}\n'
        if second == "damper":
            text += f"""[force]
drag = {{ on = "sled", force = ["-{k * m}*sled.centre.x'", "-{k * m}*sled.centre.y'"{'' if planar else ', "0"'}] }}
"""
        if second == "driver":
            text += f'[driver]\nturn = {{ joint = "f.angle", follows = "{w}*t" }}\n'
            dof = 1
        if second == "rate":
            text += f"[constraint]\nturn = {{ velocity = \"f.angle' - {w}\" }}\n"
            dof = 1
        if second == "redundant":
            text += f'twin = {{ knife_edge = ["ground", "sled"], at = {v(0, 0, 0)}, axis = {v(0, 2, 0)} }}\n'
        if second == "acceleration level":
            return None
    return Special(f"blade: {kind}, {second}", text, {names.get(key, key): value for key, value in wanted.items()}, dof=dof)


def constant_speed(level, second):
    """x'² + y'² = v²: under gravity the direction falls as sin θ = −tanh(g t/v)."""
    v, t1 = 2.0, 0.4
    log_cosh = lambda u: abs(u) + math.log1p(math.exp(-2 * abs(u))) - math.log(2)
    x = lambda t: v * v / G * 2 * math.atan(math.tanh(G * t / v / 2))
    y = lambda t: -v * v / G * log_cosh(G * t / v)
    rows = ("speed = { velocity = \"x'^2 + y'^2 - %g\" }" % (v * v) if level == "velocity" else
            "speed = { acceleration = \"x'*x'' + y'*y''\" }")
    more, wanted = "", {"x": x, "y": y}
    if second == "switched off":
        more = f'[event]\noff = {{ at = {t1}, switch_off = "speed" }}\n'
        vx, vy = v / math.cosh(G * t1 / v), -v * math.tanh(G * t1 / v)
        wanted = {"x": lambda t: x(t) if t < t1 else x(t1) + vx * (t - t1),
                  "y": lambda t: y(t) if t < t1 else y(t1) + vy * (t - t1) - G * (t - t1) ** 2 / 2}
    if second == "damper":   # the row takes the power of the damper: nothing changes
        more = "[generalised_force]\nx = \"-0.5*x'\"\ny = \"-0.5*y'\"\n"
    if second == "law":
        more = '[law]\ndrag = { along = { x = "x\'", y = "y\'" }, law = "force.drag = -0.5 - 0.1*t" }\n'
    return Special(f"constant speed: {level} row, {second}", f"""
[coordinates]
x = {{ start = 0, speed = {v} }}
y = {{ start = 0, speed = 0 }}
[energy]
kinetic = "(x'^2 + y'^2)/2"
potential = "{G}*y"
[constraint]
{rows}
{more}""", wanted, dof=1, conserved=False)


def bead_on_wire(kind, second):
    """On a wire that turns with W: r'' = W² r − 2 μ W r', N = 2 m W r'."""
    W, m, r0 = 2.0, 1.5, 0.3
    mu = 0.25 if second == "friction" else 0.0
    root = math.sqrt(mu * mu + 1)
    p, q = W * (-mu + root), W * (-mu - root)
    A = -q * r0 / (p - q)
    B = r0 - A
    r = lambda t: A * math.exp(p * t) + B * math.exp(q * t)
    dr = lambda t: A * p * math.exp(p * t) + B * q * math.exp(q * t)
    rub = f'friction = {{ coefficient = {mu}, along = "x\'*cos({W}*t) + y\'*sin({W}*t)" }}'
    if kind == "formulas":
        text = f"""
[coordinates]
x = {{ start = {r0}, speed = 0 }}
y = {{ start = 0, speed = {W * r0} }}
[energy]
kinetic = "{m}/2*(x'^2 + y'^2)"
[constraint]
wire = {{ position = "y*cos({W}*t) - x*sin({W}*t)"{', ' + rub if mu else ''} }}
"""
        if second == "redundant":
            text += f'twin = {{ position = "3*y*cos({W}*t) - 3*x*sin({W}*t)" }}\n'
        wanted = {"x": lambda t: r(t) * math.cos(W * t), "y": lambda t: r(t) * math.sin(W * t)}
        if second != "redundant":
            wanted["lambda.wire"] = lambda t: 2 * m * W * dr(t)
    else:
        planar = kind == "planar bodies"
        v = (lambda *a: str([*a][:2] if planar else [*a]))
        axis = "" if planar else ", axis = [0, 0, 1]"
        friction = f", friction = {{ coefficient = {mu} }}" if mu else ""
        text = f"""
{'dimension = 2' if planar else ''}
[body.arm]
mass = 1
inertia = {0.2 if planar else [0.2, 0.2, 0.2]}
position = {v(0, 0, 0)}
[body.bead]
mass = {m}
inertia = {0.1 if planar else [0.1, 0.1, 0.1]}
position = {v(r0, 0, 0)}
[joint]
hinge = {{ revolute = ["ground", "arm"], at = {v(0, 0, 0)}{axis} }}
wire = {{ prismatic = ["arm", "bead"], at = {v(r0, 0, 0)}, axis = {v(1, 0, 0)}{friction} }}
[driver]
turn = {{ joint = "hinge", follows = "{W}*t" }}
"""
        if second == "redundant":
            text = text.replace("[driver]", f'twin = {{ prismatic = ["arm", "bead"], at = {v(r0, 0, 0)}, axis = {v(1, 0, 0)} }}\n[driver]')
        wanted = {"wire.distance": lambda t: r(t) - r0, "wire.distance'": dr}
        if second != "redundant":
            wanted["lambda.turn"] = lambda t: 2 * m * W * dr(t) * r(t)
    return Special(f"bead on a turning wire: {kind}, {second}", text, wanted, dof=1)


def top(turned):
    """A symmetric top without torque, falling: its angular velocity goes round its axis."""
    I1, I3, a, c = 0.3, 0.5, 0.7, 2.0
    W = (I3 - I1) / I1 * c
    wanted = {"f.wx": lambda t: a * math.cos(W * t), "f.wy": lambda t: a * math.sin(W * t), "f.wz": lambda t: c,
              "f.z": lambda t: -G * t * t / 2, "f.x": lambda t: 0.5 * t}
    more = ""
    if turned:   # by 90° about x: its own z axis is −y of the world
        more = "axis = [1, 0, 0]\nturned = \"90 deg\"\n"
    return Special(f"free symmetric top{', turned' if turned else ''}", f"""
gravity = [0, 0, -{G}]
[body.top]
mass = 1.3
inertia = [{I1}, {I1}, {I3}]
position = [0, 0, 0]
{more}
[joint]
f = {{ free = ["ground", "top"], at = [0, 0, 0], speed = {{ x = 0.5, wx = {a}, wz = {c} }} }}
""", wanted, dof=6, conserved=True)


def conical(second):
    l, theta, m = 0.8, 0.5, 1.2
    w = math.sqrt(G / (l * math.cos(theta)))
    s, c = l * math.sin(theta), -l * math.cos(theta)
    wanted = {"bob.tip.x": lambda t: s * math.cos(w * t), "bob.tip.y": lambda t: s * math.sin(w * t),
              "bob.tip.z": lambda t: c}
    dof, more = 3, ""
    if second == "alone":
        wanted["ball.force.x"] = lambda t: -m * w * w * s * math.cos(w * t)
        wanted["ball.force.z"] = lambda t: m * G
    if second == "rod":
        more = f'rod = {{ distance = ["ground", "bob"], at = [0, 0, 1], to = [{s}, 0, {c}] }}\n'
        dof = 2
    if second == "velocity row":
        more = f"[constraint]\nspin = {{ velocity = \"bob.wz - {w!r}\" }}\n"
        dof = 2
    return Special(f"conical pendulum in a ball joint, {second}", f"""
gravity = [0, 0, -{G}]
[body.bob]
mass = {m}
inertia = [0.05, 0.05, 0.05]
position = [{s}, 0, {c}]
markers = {{ tip = [{s}, 0, {c}] }}
[joint]
ball = {{ spherical = ["ground", "bob"], at = [0, 0, 0], speed = {{ wx = 0, wy = 0, wz = {w!r} }} }}
{more}""", wanted, dof=dof)


def socket():
    """Friction in a ball joint of radius 0.1 about the mass centre: ω falls by μ r m g/I."""
    m, I, mu, r, w0 = 2.0, 0.4, 0.2, 0.1, 1.5
    fall = mu * r * m * G / I
    rate = lambda t: max(0.0, w0 - fall * t)
    return Special("friction in a ball joint", f"""
gravity = [0, 0, -{G}]
[body.ball]
mass = {m}
inertia = [{I}, {I}, {I}]
position = [0, 0, 0]
[joint]
s = {{ spherical = ["ground", "ball"], at = [0, 0, 0], speed = {{ wx = {0.6 * w0}, wy = {0.8 * w0} }}, friction = {{ coefficient = {mu}, radius = {r} }} }}
""", {"s.wx": lambda t: 0.6 * rate(t), "s.wy": lambda t: 0.8 * rate(t)}, dof=3)


def shaft():
    """A cylindrical joint rubs along and around: with I = m r² the direction stays."""
    m, r, mu, v0 = 2.0, 0.1, 0.15, 1.2
    speed = lambda t: max(0.0, v0 - mu * G * t)
    return Special("friction on a cylindrical joint", f"""
gravity = [0, 0, -{G}]
[body.shaft]
mass = {m}
inertia = [{m * r * r}, 0.1, 0.1]
position = [0, 0, 0]
[joint]
c = {{ cylindrical = ["ground", "shaft"], at = [0, 0, 0], axis = [1, 0, 0], speed = {{ distance = {0.6 * v0}, angle = {0.8 * v0 / r} }}, friction = {{ coefficient = {mu}, radius = {r} }} }}
""", {"c.distance'": lambda t: 0.6 * speed(t), "c.angle'": lambda t: 0.8 * speed(t) / r}, dof=2)


def plate(kind):
    """A block slides in a plane and stops."""
    mu, v0 = 0.15, 1.2
    speed = lambda t: max(0.0, v0 - mu * G * t)
    keys = f"speed = {{ x = {0.6 * v0}, y = {0.8 * v0} }}, friction = {{ coefficient = {mu} }}"
    return Special(f"friction in a plane: {kind}", f"""
gravity = [0, 0, -{G}]
[body.block]
mass = 2
inertia = [0.1, 0.1, 0.1]
position = [0, 0, 0]
[joint]
c = {{ {kind} = ["ground", "block"], at = [0, 0, 0], axis = [0, 0, 1], {keys} }}
""", {"c.x'": lambda t: 0.6 * speed(t), "c.y'": lambda t: 0.8 * speed(t)}, dof=3 if kind == "planar" else 5)


def atwood():
    m1, m2 = 3.0, 1.0
    a = (m1 - m2) * G / (m1 + m2)
    return Special("two masses on a rope that only pulls", f"""
[coordinates]
x1 = {{ start = 0, speed = 0 }}
x2 = {{ start = 0, speed = 0 }}
[energy]
kinetic = "{m1}/2*x1'^2 + {m2}/2*x2'^2"
potential = "-{G}*({m1}*x1 + {m2}*x2)"
[constraint]
rope = {{ position = "-(x1 + x2)", one_sided = true }}
""", {"x1": lambda t: a * t * t / 2, "x2": lambda t: -a * t * t / 2, "lambda.rope": lambda t: 2 * m1 * m2 * G / (m1 + m2)}, dof=1)


def backlash(e=0.6):
    """Two rotors with play: momentum is kept, the relative velocity turns by −e at each side."""
    J1, J2, w, d = 0.3, 0.2, 1.0, 0.1
    def angles(t):
        a, b, va, vb, t0 = 0.0, 0.0, w, 0.0, 0.0
        while True:
            rel, u = a - b, va - vb
            hit = t0 + ((d - rel) / u if u > 0 else (-d - rel) / u)
            if t < hit:
                return a + va * (t - t0), b + vb * (t - t0)
            a, b, t0 = a + va * (hit - t0), b + vb * (hit - t0), hit
            P = (J1 * va + J2 * vb) / (J1 + J2)
            va, vb = P - e * J2 / (J1 + J2) * (va - vb), P + e * J1 / (J1 + J2) * (va - vb)
    return Special("two rotors with play", f"""
dimension = 2
[body.a]
mass = 1
inertia = {J1}
position = [0, 0]
[body.b]
mass = 1
inertia = {J2}
position = [0, 0]
[joint]
A = {{ revolute = ["ground", "a"], at = [0, 0], speed = {w} }}
B = {{ revolute = ["a", "b"], at = [0, 0], speed = -{w}, limits = {{ lower = -{d}, upper = {d}, restitution = {e} }} }}
""", {"A.angle": lambda t: angles(t)[0], "B.angle": lambda t: angles(t)[1] - angles(t)[0]}, dof=2)


def specials():
    yield from (slide_then_roll("one-sided"), slide_then_roll("two-sided"), slide_then_roll_body(False),
                slide_then_roll_body(True), stacked(False), stacked(True), bounce_on_lift(), top(False), top(True),
                conical("alone"), conical("rod"), conical("velocity row"), socket(), shaft(), plate("planar"),
                plate("point_on_plane"), atwood(), backlash())
    for kind in ("formulas", "planar body", "planar joint in space"):
        for second in ("alone", "damper", "driver", "rate", "redundant", "acceleration level"):
            if made := sleigh(kind, second):
                yield made
    for level in ("velocity", "acceleration"):
        for second in ("alone", "switched off", "damper", "law"):
            yield constant_speed(level, second)
    for kind in ("formulas", "planar bodies", "bodies in space"):
        for second in ("alone", "friction", "redundant"):
            yield bead_on_wire(kind, second)
