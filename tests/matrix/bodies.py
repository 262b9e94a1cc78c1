"""Kinds of models: bodies and joints, and formulas over them."""

from carriers import G, M, Carrier, quoted


class Mechanism(Carrier):
    """Bodies and joints."""
    planar, joint, tail, along_axis = True, "rail", "distance", "[1, 0]"
    gravity_text = f"[0, -{G}]"
    # the axis of s and the direction that presses on the rail, in the world
    ex, down = (1, 0), (0, -1)

    @property
    def s(self):
        return f"{self.joint}.{self.tail}"

    def coordinate(self):
        return self.joint

    def begin(self, text):
        if self.planar:
            text.top.append("dimension = 2")
        text.top.append(f"gravity = {self.gravity_text}")
        text.add("body.block", f"mass = {M}")
        text.add("body.block", f"inertia = {0.1 if self.planar else [0.1, 0.2, 0.3]}")
        text.add("body.block", f"position = {[0] * len(self.ex)}")
        text.add("body.block", f"markers = {{ tip = {[0] * len(self.ex)} }}")

    def add_force(self, text, formula):
        text.add("force", f'push{len(text.tables.get("force", []))} = {{ joint = "{self.coordinate()}", force = "{formula}" }}')

    def add_spring(self, text, stiffness):
        text.add("force", f'spring = {{ joint = "{self.coordinate()}", stiffness = {stiffness} }}')

    def add_damper(self, text, damping):
        text.add("force", f'damper = {{ joint = "{self.coordinate()}", damping = {damping} }}')

    def add_press(self, text, formula):
        parts = ", ".join(f'"{part}*({formula})"' for part in self.down)
        text.add("force", f'press = {{ on = "block", force = [{parts}] }}')

    def add_driver(self, text, formula):
        text.add("driver", f'drive = {{ joint = "{self.coordinate()}", follows = {quoted(formula)} }}')
        return "lambda.drive"

    def limits(self, text, inner):
        text.joint_keys.append(f"limits = {{ {inner} }}")

    def add_stop(self, text, upper, restitution):
        self.limits(text, f"lower = -9, upper = {upper}, restitution = {restitution}")

    def add_elastic(self, text, upper, stiffness, damping):
        self.limits(text, f"lower = -9, upper = {upper}, stiffness = {stiffness}, damping = {damping}")

    def add_friction(self, text, mu, mu_stick):
        text.joint_keys.append(f"friction = {{ coefficient = {mu}, stiction = {mu_stick} }}")
        return True

    def add_twin(self, text):
        text.add("joint", f'twin = {{ prismatic = ["ground", "block"], at = {[0] * len(self.ex)}, axis = {self.along_axis} }}')
        return True

    def second_body(self, text, inertia):
        text.add("body.wheel", "mass = 1")
        text.add("body.wheel", f"inertia = {inertia if self.planar else [inertia] * 3}")
        text.add("body.wheel", f"position = {[0, 3] if self.planar else [0, 3, 0]}")
        axis = "" if self.planar else ", axis = [0, 0, 1]"
        text.add("joint", f'axle = {{ revolute = ["ground", "wheel"], at = {[0, 3] if self.planar else [0, 3, 0]}{axis} }}')

    def add_coupled(self, text, inertia, ratio):
        self.second_body(text, inertia)
        text.add("coupling", f'gear = {{ sum = {{ "axle.angle" = 1, "{self.s}" = {-ratio} }} }}')

    def joint_line(self, start, speed, keys):
        return (f'rail = {{ prismatic = ["ground", "block"], at = {[0] * len(self.ex)}, axis = {self.along_axis}, '
                f"start = {start}, speed = {speed}{keys} }}")

    def finish(self, text, start, speed):
        self.begin(text)
        keys = "".join(", " + key for key in text.joint_keys)
        text.tables["joint"] = [self.joint_line(start, speed, keys)] + text.tables.get("joint", [])
        text.tables = {table: text.tables[table] for table in sorted(text.tables, key=lambda name: not name.startswith("body."))}


class PlanarRail(Mechanism):
    name, rank, reaction, marker = "planar rail", 2, "rail.force.y", "block.tip.x"


class SpaceRail(Mechanism):
    name, rank, planar, along_axis, marker = "rail in space", 5, False, "[1, 0, 0]", "block.tip.x"
    reaction, gravity_text, ex, down = "rail.force.z", f"[0, 0, -{G}]", (1, 0, 0), (0, 0, -1)


class SteepRail(SpaceRail):
    """The axis is inclined, the body turned."""
    name, along_axis, marker, reaction = "inclined rail in space", "[0.6, 0, 0.8]", None, None
    ex, down = (0.6, 0, 0.8), (0.8, 0, -0.6)
    gravity, normal = -0.8 * M * G, 0.6 * M * G

    def begin(self, text):
        super().begin(text)
        text.add("body.block", "axis = [1, 2, 3]")
        text.add("body.block", "turned = 0.7")


class TwoRails(SpaceRail):
    """A second rail beside the first: six redundant constraints. The sum of the forces is unique, their share is not."""
    name, redundant, normal, reaction = "two rails in space", True, None, None

    def joint_line(self, start, speed, keys):
        return super().joint_line(start, speed, keys) + ('\nsecond = { prismatic = ["ground", "block"], at = [0, 1, 0], '
                                                         "axis = [1, 0, 0] }")

    def add_twin(self, text):
        return False


class Rotor(Mechanism):
    """A balanced rotor: friction on its pin with the radius 0.1 m."""
    name, joint, tail, mass, rank, arm, unit = "planar rotor", "hinge", "angle", 0.1, 2, 0.1, "rad"
    reaction = "hinge.force.y"
    scale = 0.1          # forces of features, so that accelerations are those of the block

    def joint_line(self, start, speed, keys):
        return f'hinge = {{ revolute = ["ground", "block"], at = [0, 0], start = {start}, speed = {speed}{keys} }}'

    def add_friction(self, text, mu, mu_stick):
        text.joint_keys.append(f"friction = {{ coefficient = {mu}, stiction = {mu_stick}, radius = 0.1 }}")
        return True

    def add_twin(self, text):
        text.add("joint", 'twin = { revolute = ["ground", "block"], at = [0, 0] }')
        return True


class SpaceRotor(Rotor):
    name, planar, mass, rank, reaction = "rotor in space", False, 0.2, 5, "hinge.force.z"
    gravity_text, ex, down = f"[0, 0, -{G}]", (1, 0, 0), (0, 0, -1)

    def joint_line(self, start, speed, keys):
        return f'hinge = {{ revolute = ["ground", "block"], at = [0, 0, 0], axis = [0, 1, 0], start = {start}, speed = {speed}{keys} }}'

    def add_twin(self, text):
        text.add("joint", 'twin = { revolute = ["ground", "block"], at = [0, 0, 0], axis = [0, 1, 0] }')
        return True


class TwoHinges(SpaceRotor):
    name, redundant, normal, reaction = "rotor on two hinges", True, None, None

    def joint_line(self, start, speed, keys):
        return super().joint_line(start, speed, keys) + (
            '\nsecond = { revolute = ["ground", "block"], at = [0, 0.5, 0], axis = [0, 1, 0] }')

    def add_twin(self, text):
        return False


class Screw(Mechanism):
    """A vertical screw of pitch 0.2 m/rad."""
    name, joint, tail, planar, rank, normal = "screw", "thread", "angle", False, 5, None
    mass, gravity, unit = 0.3 + M * 0.04, -M * G * 0.2, "rad"
    gravity_text, ex, down = f"[0, 0, -{G}]", (0, 0, 1), (1, 0, 0)

    def joint_line(self, start, speed, keys):
        return (f'thread = {{ screw = ["ground", "block"], at = [0, 0, 0], axis = [0, 0, 1], pitch = 0.2, start = {start}, '
                f"speed = {speed}{keys} }}")

    def add_twin(self, text):
        text.add("joint", 'twin = { cylindrical = ["ground", "block"], at = [0, 0, 0], axis = [0, 0, 1] }')
        return True


class Welded(SpaceRail):
    """The slide carries a second body that is welded to it; the rail stands on a post that is welded to the ground."""
    name, mass, reaction = "welded bodies", M + 1.5, None
    normal = (M + 1.5) * G
    rank = 17

    def begin(self, text):
        super().begin(text)
        for line in ("mass = 1.5", "inertia = [0.1, 0.1, 0.1]", "position = [0.4, 0, 0]"):
            text.add("body.load", line)
        for line in ("mass = 5", "inertia = [0.1, 0.1, 0.1]", "position = [0, 0, -1]"):
            text.add("body.post", line)

    def joint_line(self, start, speed, keys):
        return super().joint_line(start, speed, keys).replace('"ground"', '"post"') + (
            '\nweld = { fixed = ["block", "load"], at = [0.2, 0, 0] }\nfoot = { fixed = ["ground", "post"], at = [0, 0, -2] }')

    def add_friction(self, text, mu, mu_stick):
        text.joint_keys.append(f"friction = {{ coefficient = {mu}, stiction = {mu_stick} }}")
        return True


class Floating(Mechanism):
    """A free planar body that formulas keep on a line."""
    name, joint, tail, rank, reaction, marker = "floating body", "block", "x", 2, "lambda.rail", "block.tip.x"

    def joint_line(self, start, speed, keys):
        return f'free = {{ free = ["ground", "block"], at = [0, 0], start = {{ x = {start} }}, speed = {{ x = {speed} }} }}'

    @property
    def s(self):
        return "free.x"

    def coordinate(self):
        return "free.x"

    def finish(self, text, start, speed):
        keys = "".join(", " + key for key in text.joint_keys)
        text.tables["constraint"] = ['rail = { position = "block.tip.y", unit = "m"' + keys + " }",
                                     'level = { position = "free.angle", unit = "rad" }'] + text.tables.get("constraint", [])
        text.joint_keys = []
        super().finish(text, start, speed)

    def add_stop(self, text, upper, restitution):
        text.add("constraint", f'stop = {{ position = "{upper} - {self.s}", unit = "m", one_sided = true,'
                               f" restitution = {restitution} }}")

    def add_elastic(self, text, upper, stiffness, damping):
        self.add_force(text, f"-if({self.s} > {upper}, max(0, {stiffness}*({self.s} - {upper}) + {damping}*{self.s}'), 0)")

    def add_twin(self, text):
        text.add("constraint", 'twin = { position = "2*block.tip.y", unit = "m" }')
        return True


class FloatingSpace(Floating):
    """A free body in space: quaternions, and angular velocities that are kept 0."""
    name, planar, rank, marker = "floating body in space", False, 5, "block.tip.x"
    gravity_text, ex, down = f"[0, 0, -{G}]", (1, 0, 0), (0, 0, -1)

    def joint_line(self, start, speed, keys):
        return (f'free = {{ free = ["ground", "block"], at = [0, 0, 0], start = {{ x = {start} }}, '
                f"speed = {{ x = {speed} }} }}")

    def finish(self, text, start, speed):
        keys = "".join(", " + key for key in text.joint_keys)
        text.tables["constraint"] = ['rail = { position = "block.tip.z", unit = "m"' + keys + " }",
                                     'side = { position = "block.tip.y", unit = "m" }',
                                     *(f'level_{axis} = {{ velocity = "block.w{axis}" }}' for axis in "xyz")
                                     ] + text.tables.get("constraint", [])
        text.joint_keys = []
        Mechanism.finish(self, text, start, speed)

    def add_twin(self, text):
        text.add("constraint", 'twin = { position = "2*block.tip.z", unit = "m" }')
        return True


class Disc(Mechanism):
    """A disc that rolls on a line: s is the position of its centre."""
    name, rank, mass, normal = "rolling disc", 2, M * 1.5, None
    joint, tail, gravity_text, reaction = "way", "x", f"[0, -{G}]", None

    def begin(self, text):
        text.top += ["dimension = 2", f"gravity = {self.gravity_text}"]
        for line in ('shape = "disc"', "radius = 0.5", f"mass = {M}", "position = [0, 0.5]", "markers = { tip = [0, 0.5] }"):
            text.add("body.block", line)

    def joint_line(self, start, speed, keys):
        return (f'way = {{ free = ["ground", "block"], at = [0, 0.5], start = {{ x = {start} }}, speed = {{ x = {speed} }}{keys} }}\n'
                'roll = { rolling = ["ground", "block"], at = [0, 0.5], radius = 0.5 }')

    def coordinate(self):
        return "way.x"

    def limits(self, text, inner):
        text.joint_keys.append(f"limits = {{ x = {{ {inner} }} }}")

    def add_twin(self, text):
        text.add("joint", 'twin = { point_on_line = ["ground", "block"], at = [0, 0.5], axis = [1, 0] }')
        return True


class Cranks(Mechanism):
    """A bar on two equal cranks: a loop, in the plane. s is the angle of the first crank."""
    name, joint, tail, normal, unit = "parallel cranks", "hinge", "angle", None, "rad"
    # cranks: J = 0.02 about the mass centre at half of l = 0.5, mass 1; bar: mass 2
    mass = 2 * (0.02 + 0.0625) + M * 0.25
    rank, gravity_text = 8, "[0, 0]"

    def begin(self, text):
        text.top += ["dimension = 2"]
        for name, x in (("block", 0), ("other", 1)):
            for line in ("mass = 1", "inertia = 0.02", f"position = [{x}, 0.25]"):
                text.add(f"body.{name}", line)
        for line in (f"mass = {M}", "inertia = 0.3", "position = [0.5, 0.5]"):
            text.add("body.bar", line)

    def joint_line(self, start, speed, keys):
        return (f'hinge = {{ revolute = ["ground", "block"], at = [0, 0], start = {start}, speed = {speed}{keys} }}\n'
                'right = { revolute = ["ground", "other"], at = [1, 0] }\n'
                'top = { revolute = ["block", "bar"], at = [0, 0.5] }\n'
                'end = { revolute = ["other", "bar"], at = [1, 0.5] }')

    def add_press(self, text, formula):
        text.add("force", f'press = {{ on = "bar", force = ["0", "0"], torque = "{formula}" }}')

    def add_twin(self, text):
        text.add("joint", 'twin = { distance = ["block", "bar"], at = [0, 0], to = [0.5, 0.5] }')
        return False


class FloorBody(Floating):
    """A planar body on a floor that only pushes, and does not turn."""
    name = "body on a floor"

    def finish(self, text, start, speed):
        text.joint_keys.append("one_sided = true")
        super().finish(text, start, speed)

    def add_twin(self, text):
        text.add("constraint", 'twin = { position = "2*block.tip.y", unit = "m", one_sided = true }')
        return True


class Wire(Mechanism):
    """A slide on an arm that is driven to turn with 2 rad/s, 0.3 m from its axis: N = 2 m W s'."""
    name, joint, rank, normal, gravity_text = "turning wire", "rail", 5, 0.0, "[0, 0]"
    turn, place = 2.0, 0.3

    def motion(self):
        result = super().motion()
        result.forces.append(lambda t, s, v: self.mass * self.turn ** 2 * (self.place + s))
        result.normal = lambda t, s, v: 2 * self.mass * self.turn * v
        return result

    def begin(self, text):
        text.top += ["dimension = 2"]
        for line in ("mass = 1", "inertia = 0.4", "position = [0, 0]"):
            text.add("body.arm", line)
        for line in (f"mass = {M}", "inertia = 0.1", f"position = [{self.place}, 0]"):
            text.add("body.block", line)

    def joint_line(self, start, speed, keys):
        return ('hinge = { revolute = ["ground", "arm"], at = [0, 0] }\n'
                f'rail = {{ prismatic = ["arm", "block"], at = [{self.place}, 0], axis = [1, 0], start = {start}, '
                f"speed = {speed}{keys} }}")

    def finish(self, text, start, speed):
        text.add("driver", f'turn = {{ joint = "hinge", follows = "{self.turn}*t" }}')
        super().finish(text, start, speed)

    def add_press(self, text, formula):
        text.add("force", f'press = {{ on = "arm", force = ["0", "0"], torque = "{formula}" }}')

    def add_twin(self, text):
        text.add("joint", f'twin = {{ prismatic = ["arm", "block"], at = [{self.place}, 0], axis = [1, 0] }}')
        return True
