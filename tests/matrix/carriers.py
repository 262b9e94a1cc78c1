"""Kinds of models: one moving coordinate s, along which a feature acts; each says how a feature is written in it, and
what it adds to the motion."""

from reference import Motion

M, G = 2.0, 9.81


class Text:
    """A model file that grows: tables of lines, and keys of the joint that carries s."""

    def __init__(self, carrier):
        self.carrier = carrier
        self.top, self.tables, self.files = ["title = \"cell\""], {}, {}
        self.joint_keys, self.kinetic, self.potential, self.force = [], [], [], []
        self.vertical = []    # formulas of a force that presses on the rail
        self.servo = self.law = False

    def add(self, table, line):
        self.tables.setdefault(table, []).append(line)

    def toml(self, start, speed):
        self.carrier.finish(self, start, speed)
        lines = list(self.top)
        for table, entries in self.tables.items():
            lines += ["", f"[{table}]", *entries]
        return "\n".join(lines) + "\n"


def quoted(formula):
    """As a string of TOML; names of tables have quotes of their own."""
    return "'" + formula.replace("'cell.csv'", '"cell.csv"') + "'" if "cell.csv" in formula else f'"{formula}"'


def sum_of(terms):
    return " + ".join(f"({term})" for term in terms) or "0"


class Carrier:
    name = ""
    s = "x"             # s as a coordinate, in formulas and in results
    marker = None       # s as a marker, if there is one
    mass = M
    dof = 1
    rank = 1
    normal = M * G      # normal force without further loads; None: features with friction are left out
    gravity = 0.0       # its part along s
    arm = 1.0
    reaction = None     # channel that is the normal force
    redundant = False   # the carrier itself has redundant constraints
    free = 0            # degrees of freedom beside s
    formulas = False
    unit = "m"

    def motion(self):
        result = Motion(self.mass, lambda t, s, v: self.gravity, self.arm)
        if self.normal is not None:
            result.normal = lambda t, s, v: self.normal
        return result

    def rate(self):
        return self.s + "'"

    # how features are written; None if the carrier cannot have the feature
    def add_force(self, text, formula):
        raise NotImplementedError

    def add_driver(self, text, formula):
        """Returns the channel of its force."""
        raise NotImplementedError


class Formulas(Carrier):
    """Coordinates and energies: a point mass on a rail, y = 0."""
    name, formulas, reaction = "formulas", True, "lambda.rail"
    rail = 'rail = {{ position = "y", unit = "m"{keys} }}'

    def begin(self, text):
        text.kinetic.append(f"{M}/2*(x'^2 + y'^2)")
        text.potential.append(f"{M}*{G}*y")

    def add_force(self, text, formula):
        text.force.append(formula)

    def add_spring(self, text, stiffness):
        text.potential.append(f"{stiffness}/2*{self.s}^2")

    def add_damper(self, text, damping):
        text.force.append(f"-{damping}*{self.rate()}")

    def add_press(self, text, formula):
        text.vertical.append(formula)

    def add_driver(self, text, formula):
        text.add("constraint", f'drive = {{ position = {quoted(f"{self.s} = {formula}")}, unit = "m" }}')
        return "lambda.drive"

    def add_stop(self, text, upper, restitution):
        text.add("constraint", f'stop = {{ position = "{upper} - {self.s}", unit = "m", one_sided = true,'
                               f' restitution = {restitution} }}')

    def add_elastic(self, text, upper, stiffness, damping):
        reach = f"({self.s} - {upper})"
        text.force.append(f"-if({self.s} > {upper}, max(0, {stiffness}*{reach} + {damping}*{self.rate()}), 0)")

    def add_friction(self, text, mu, mu_stick):
        text.joint_keys.append(f'friction = {{ coefficient = {mu}, stiction = {mu_stick}, along = "{self.along()}"'
                               f'{self.normal_key()} }}')
        return True

    def along(self):
        return self.rate()

    def normal_key(self):
        return ""

    def add_twin(self, text):
        text.add("constraint", 'twin = { position = "2*y", unit = "m" }')
        return True

    def add_coupled(self, text, inertia, ratio):
        text.add("coordinates", 'z = { unit = "rad" }')
        text.kinetic.append(f"{inertia}/2*z'^2")
        text.add("constraint", f'gear = {{ position = "z - {ratio}*{self.s}", unit = "rad" }}')

    def finish(self, text, start, speed):
        self.begin(text)
        keys = "".join(", " + key for key in text.joint_keys)
        text.tables = {"coordinates": self.coordinates(start, speed) + text.tables.pop("coordinates", []), **text.tables}
        text.tables["constraint"] = self.rows(keys) + text.tables.get("constraint", [])
        self.equations(text)

    def coordinates(self, start, speed):
        return [f'x = {{ start = {start}, speed = {speed}, unit = "m" }}', 'y = { unit = "m" }']

    def rows(self, keys):
        return [self.rail.format(keys=keys)]

    def equations(self, text):
        text.add("energy", f'kinetic = "{sum_of(text.kinetic)}"')
        text.add("energy", f'potential = "{sum_of(text.potential)}"')
        if text.force:
            text.add("generalised_force", f'x = "{sum_of(text.force)}"')
        if text.vertical:
            text.add("generalised_force", f'y = "-({sum_of(text.vertical)})"')


class Given(Formulas):
    """M and h are given."""
    name = "M and h"

    def begin(self, text):
        pass

    def add_spring(self, text, stiffness):
        text.force.append(f"-{stiffness}*x")

    def add_coupled(self, text, inertia, ratio):
        text.add("coordinates", 'z = { unit = "rad" }')
        text.gear = inertia
        text.add("constraint", f'gear = {{ position = "z - {ratio}*x", unit = "rad" }}')

    def equations(self, text):
        gear = getattr(text, "gear", None)
        rows = [f"[{M}, 0{', 0' if gear else ''}]", f"[0, {M}{', 0' if gear else ''}]"]
        force = [f'"{sum_of(text.force)}"', f'"-{M}*{G} - ({sum_of(text.vertical)})"']
        if gear:
            rows.append(f"[0, 0, {gear}]")
            force.append('"0"')
        text.add("equations", f"mass = [{', '.join(rows)}]")
        text.add("equations", f"force = [{', '.join(force)}]")


class Carried(Formulas):
    """Relative to a carriage that moves as 0.2 t²: x is the coordinate on it, the energy depends on time."""
    name, gravity = "moving frame", -0.4 * M

    def begin(self, text):
        text.kinetic.append(f"{M}/2*((x' + 0.4*t)^2 + y'^2)")
        text.potential.append(f"{M}*{G}*y")


class Singular(Formulas):
    """The mass matrix is singular: the inertia is that of y alone, which a rod ties to x; the rail is w = 0."""
    name, rank = "singular M", 2
    rail = 'rail = {{ position = "w", unit = "m"{keys} }}'

    def begin(self, text):
        text.kinetic.append(f"{M}/2*(u'^2 + w'^2)")
        text.potential.append(f"{M}*{G}*w")

    def coordinates(self, start, speed):
        return [f'x = {{ start = {start}, speed = {speed}, unit = "m" }}', 'u = { unit = "m" }', 'w = { unit = "m" }']

    def rows(self, keys):
        return ['rod = { position = "u - x - 0.5", unit = "m" }', self.rail.format(keys=keys)]

    def add_twin(self, text):
        text.add("constraint", 'twin = { position = "2*w", unit = "m" }')
        return True

    def equations(self, text):
        vertical, text.vertical = text.vertical, []
        super().equations(text)
        if vertical:
            text.add("generalised_force", f'w = "-({sum_of(vertical)})"')


class Points(Formulas):
    """The rail is a constraint on a [local] point."""
    name = "local point"
    rail = 'rail = {{ position = "A.y", unit = "m"{keys} }}'

    def begin(self, text):
        super().begin(text)
        text.add("local", 'A = { x = "x", y = "y" }')

    def add_friction(self, text, mu, mu_stick):
        text.joint_keys.append(f"friction = {{ coefficient = {mu}, stiction = {mu_stick} }}")
        return True

    def add_twin(self, text):
        text.add("constraint", 'twin = { position = "2*A.y", unit = "m" }')
        return True


class Floor(Formulas):
    """The rail is a floor that only pushes."""
    name = "on a floor"
    rail = 'rail = {{ position = "y", unit = "m", one_sided = true{keys} }}'

    def coordinates(self, start, speed):
        return [f'x = {{ start = {start}, speed = {speed}, unit = "m" }}', 'y = { start = 0, speed = 0, unit = "m" }']

    def add_twin(self, text):
        text.add("constraint", 'twin = { position = "2*y", unit = "m", one_sided = true }')
        return True
