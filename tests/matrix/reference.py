"""The motion along one coordinate s, by Runge's and Kutta's method and by hand: what the cells are compared with.

    mass s'' = force(t, s, s') + gravity − friction + stops + what prescribes the motion

The rest is decided as on paper: which of the two velocities an impact leaves, whether friction holds, when a stop lets
go. Steps are 1 ms; where something changes is found by bisection of the step.
"""

import math

STEP = 1e-3
STILL = 1e-7  # [m/s] a rebound below this is none: s changes by less than 1e-14 m


class Motion:
    """What acts along s; the features of a model fill it in."""

    def __init__(self, mass, force, friction_arm=1.0):
        self.mass = mass
        self.forces = [force]             # (t, s, v) → generalised force on s
        self.normal = lambda t, s, v: 0.0  # normal force of the friction
        self.friction_arm = friction_arm  # generalised force of a unit friction force
        self.mu = self.mu_stick = 0.0
        self.stops = []                   # (s_upper, restitution)
        self.elastic = []                 # (s_upper, stiffness, damping)
        self.prescribed = None            # (p, p', p'') of t
        self.jump = None                  # (t, c): from t on s' = c
        self.catch = None                 # s_c: s stays there when it rises to s_c
        self.release = None               # until then s' is the velocity at the start
        self.end = None                   # s_e: the run ends when s rises to it
        self.touching = False             # the elastic stop
        self.s = self.v = self.t = 0.0
        self.impacts = 0

    def force(self, t, s, v):
        total = sum(f(t, s, v) for f in self.forces)
        if self.touching:
            total -= sum(stiffness * (s - upper) + damping * v for upper, stiffness, damping in self.elastic)
        return total

    def limit(self, t, s, v, sticks=False):
        return (self.mu_stick if sticks else self.mu) * self.friction_arm * abs(self.normal(t, s, v))

    # what holds s: "prescribed", "row", "caught", "stop", "sticks" or None
    def decide(self, t, s, v):
        if self.prescribed:
            return "prescribed"
        if self.release is not None and t < self.release - 1e-12 or self.jump and t >= self.jump[0] - 1e-12:
            return "row"
        if self.caught:
            return "caught"
        if abs(v) <= STILL:
            force = self.force(t, s, 0.0)
            at_stop = any(s >= upper - 1e-12 for upper, _ in self.stops)
            if at_stop and force >= -self.limit(t, s, 0.0, True):
                return "stop"
            if abs(force) <= self.limit(t, s, 0.0, True) and self.mu_stick > 0:
                return "sticks"
        return None

    def direction(self, t, s, v):
        return math.copysign(1.0, v) if abs(v) > STILL else math.copysign(1.0, self.force(t, s, 0.0))

    def acceleration(self, t, s, v):
        """Of the present motion; 0 where s is held."""
        held = self.decide(t, s, v)
        if held == "prescribed":
            return self.prescribed[2](t)
        if held:
            return 0.0
        return (self.force(t, s, v) - self.direction(t, s, v) * self.limit(t, s, v)) / self.mass

    def required(self, t, s, v):
        """Force of the row that prescribes or keeps the motion."""
        rubs = self.direction(t, s, v) * self.limit(t, s, v) if abs(v) > STILL else 0.0
        return self.mass * self.acceleration(t, s, v) - self.force(t, s, v) + rubs

    def kutta(self, t, s, v, h, sigma):
        def rate(t, s, v):
            return (self.force(t, s, v) - sigma * self.limit(t, s, v)) / self.mass
        a1 = rate(t, s, v)
        v2 = v + h / 2 * a1
        a2 = rate(t + h / 2, s + h / 2 * v, v2)
        v3 = v + h / 2 * a2
        a3 = rate(t + h / 2, s + h / 2 * v2, v3)
        v4 = v + h * a3
        a4 = rate(t + h, s + h * v3, v4)
        return s + h / 6 * (v + 2 * v2 + 2 * v3 + v4), v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)

    def begin(self, s, v):
        self.t, self.s, self.v, self.caught, self.ended, self.touching = 0.0, s, v, False, False, False
        self.conflict = False

    def advance(self, to):
        while self.t < to - 1e-13 and not self.ended:
            self.one(min(to, self.t + STEP))

    def one(self, to):
        held = self.decide(self.t, self.s, self.v)
        if held == "prescribed":
            to = self.until_end(self.prescribed[0], to)
            self.t, self.s, self.v = to, self.prescribed[0](to), self.prescribed[1](to)
            return
        if held == "row":
            if self.jump and self.t >= self.jump[0] - 1e-12:
                self.v = self.jump[1]
            elif to > self.release:
                to = self.release
            self.hold_row(to)
            return
        if held:
            self.rest(held, to)
            return
        if self.jump and to > self.jump[0]:
            to = self.jump[0]
        self.slide(to)

    def until_end(self, path, to):
        """Where the path rises to the end, if it does before `to`."""
        if self.end is None or not path(self.t) < self.end <= path(to):
            return to
        low, high = self.t, to
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (low, middle) if path(middle) >= self.end else (middle, high)
        self.ended = True
        return high

    def hold_row(self, to):
        if self.jump and self.release is not None and self.t < self.jump[0] < to:
            to = self.jump[0]
        t, s, v = self.t, self.s, self.v
        to = self.until_end(lambda time: s + v * (time - t), to)
        self.s, self.t = s + v * (to - t), to
        for upper, _ in self.stops:
            self.conflict = self.conflict or v > 0 and self.s >= upper  # the row drives it against the stop

    def rest(self, held, to):
        self.v = 0.0
        if self.jump and self.t < self.jump[0] < to:
            to = self.jump[0]
        if self.decide(to, self.s, 0.0) in (held, "row") or held == "caught":
            self.t = to
            return
        low, high = self.t, to
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if self.decide(middle, self.s, 0.0) == held else (low, middle)
        self.t = high + 1e-12
        force = self.force(self.t, self.s, 0.0)
        if held == "sticks" or self.mu:  # it moves off along the force
            self.v = math.copysign(2 * STILL, force) if self.mu else 0.0

    def slide(self, to):
        t, s, v = self.t, self.s, self.v
        sigma = self.direction(t, s, v)
        def changed(h):
            s1, v1 = self.kutta(t, s, v, h, sigma)
            if self.mu and v1 * sigma < -STILL:
                return "turns", s1, v1
            for upper, restitution in self.stops:
                if s1 > upper and v1 > 0:
                    return ("hits", restitution), s1, v1
            for upper, stiffness, damping in self.elastic:
                if not self.touching and s <= upper < s1 or self.touching and stiffness * (s1 - upper) + damping * v1 < 0:
                    return "elastic", s1, v1
            if self.catch is not None and s < self.catch <= s1:
                return "caught", s1, v1
            if self.end is not None and s < self.end <= s1:
                return "ends", s1, v1
            return None, s1, v1
        h = to - t
        what, s1, v1 = changed(h)
        if what is None:
            self.t, self.s, self.v = to, s1, v1
            return
        low, high = 0.0, h
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (low, middle) if changed(middle)[0] else (middle, high)
        what, s1, v1 = changed(high)
        self.t, self.s, self.v = t + high, s1, v1
        if what == "turns":
            self.v = 0.0
        elif what == "caught":
            self.caught, self.v = True, 0.0
        elif what == "ends":
            self.ended = True
        elif what == "elastic":
            self.touching = not self.touching
        elif what is not None:
            self.impacts += 1
            self.s = min(upper for upper, _ in self.stops)
            self.v = -what[1] * v1 if what[1] * v1 > 1e-6 else 0.0
