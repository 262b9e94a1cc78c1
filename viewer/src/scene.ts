// The motion: the scene of the report at the time of the clock.
import {
  Box3,
  BufferGeometry,
  DirectionalLight,
  Float32BufferAttribute,
  Group,
  HemisphereLight,
  LineSegments,
  Matrix4,
  MOUSE,
  Object3D,
  OrthographicCamera,
  PerspectiveCamera,
  Quaternion,
  Scene as Stage,
  TOUCH,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { Clock } from "./clock";
import { element } from "./dom";
import { Channel, DrawnBody, DrawnPoint, readable, Run, Scene } from "./report";
import { Area, Arrow, Circle, Joint, Rods, Shape, Solid, springVertices, Style, Trace } from "./shapes";
import { colour, onTheme } from "./theme";

const constant = (channel: Channel): boolean => channel.values.every((value) => value === channel.values[0]);

/** A point of the scene: its channels, and where it is now. */
class MovingPoint {
  readonly now = new Vector3();
  readonly fixed: boolean; // to the ground
  private readonly channels: Channel[];

  constructor(
    private readonly run: Run,
    readonly given: DrawnPoint,
    known?: boolean, // from a longer motion: one state does not tell
  ) {
    this.channels = given.at.map((name) => run.channel(name));
    this.fixed = known ?? this.channels.every(constant);
  }

  move(time: number): void {
    this.channels.forEach((channel, axis) => this.now.setComponent(axis, this.run.value(channel, time)));
  }

  path(): Float32Array {
    const result = new Float32Array(3 * this.run.states);
    this.channels.forEach((channel, axis) => channel.values.forEach((value, i) => (result[3 * i + axis] = value)));
    return result;
  }

  addTo(box: Box3, radius: number): void {
    const path = this.path();
    const p = new Vector3();
    for (let i = 0; i < path.length; i += 3) {
      p.fromArray(path, i);
      box.expandByPoint(p.clone().addScalar(radius));
      box.expandByPoint(p.addScalar(-radius));
    }
  }
}

/** From the middle of a body to what is farthest. */
const reach = ({ shape, size }: DrawnBody): number =>
  shape === "box" ? Math.hypot(...size) / 2 : shape === "cylinder" ? Math.hypot(size[0], size[1] / 2) : size[0];

/** A body's frame at a time; rotations on the shorter way from one state to the next. */
function placeBody(run: Run, { frame }: DrawnBody, time: number, object: Object3D): void {
  const channels = frame.map((name) => run.channel(name));
  const { index, part } = run.at(time);
  const turn = (state: number): Quaternion => {
    const at = Math.min(state, run.states - 1);
    const [a, b, c, d] = channels.slice(frame.length === 3 ? 2 : 3).map(({ values }) => values[at]);
    return frame.length === 3 ? new Quaternion(0, 0, Math.sin(a / 2), Math.cos(a / 2)) : new Quaternion(b, c, d, a).normalize();
  };
  const place = channels.slice(0, frame.length === 3 ? 2 : 3).map((channel) => run.value(channel, time));
  object.position.set(place[0], place[1], place[2] ?? 0);
  object.quaternion.copy(turn(index).slerp(turn(index + 1), part));
}

/** The force that the constraints exert in a point, where the run knows it: by its own name, or of [local]. */
function forceIn(run: Run, point: DrawnPoint): { channels: Channel[]; unique: boolean } | undefined {
  const axes = ["x", "y", "z"].slice(0, point.at.length);
  for (const name of [`${point.name}.force`, `force.${point.name}`])
    for (const suffix of ["", " (min-norm)"]) {
      const found = axes.map((axis) => run.find(`${name}.${axis}${suffix}`));
      if (found.every((channel) => channel)) return { channels: found as Channel[], unique: suffix === "" };
    }
  return undefined;
}

export class SceneView {
  readonly root = element("section", { class: "scene", "aria-label": "motion" });
  private readonly stage = new Stage();
  private readonly points = new Map<string, MovingPoint>();
  private readonly box = new Box3();
  private readonly shapes: Shape[] = [];
  private readonly joints = new Map<string, Joint>();
  private readonly traces = new Map<string, Trace>();
  readonly forces = new Group();
  private readonly style: Style;
  private readonly flat: boolean;
  private readonly renderer: WebGLRenderer;
  private readonly camera: OrthographicCamera | PerspectiveCamera;
  private readonly controls: OrbitControls;
  private readonly scale = element("span", { class: "scale" });
  private readonly legend = element("p", { class: "legend", hidden: true });
  private readonly labels = element("div", { class: "labels", hidden: true });
  private bar!: HTMLElement;
  private grid?: LineSegments;
  private waiting = false;

  /** Error if the browser has no WebGL. */
  constructor(
    private run: Run,
    private scene: Scene,
    private clock: Clock,
  ) {
    this.flat = scene.dimension === 2;
    this.place();
    this.measure();
    this.style = new Style(this.flat, this.sizeAtOnce());
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true });
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.camera = this.flat ? new OrthographicCamera() : new PerspectiveCamera(35);
    this.camera.up.set(0, this.flat ? 1 : 0, this.flat ? 0 : 1);
    this.controls = this.makeControls();
    this.light();
    this.fill();
    this.drawGrid();
    this.bar = this.tools();
    this.root.append(this.renderer.domElement, this.labels, this.bar, this.legend, this.scale);
    new ResizeObserver(() => this.resize()).observe(this.root);
    onTheme(() => {
      this.style.recolour();
      this.drawGrid();
      this.render();
    });
    clock.onTime((time) => this.clock === clock && this.show(time));
  }

  /** Another motion in the same view: of a model that someone is changing. */
  reload(run: Run, scene: Scene, clock: Clock): void {
    Object.assign(this, { run, scene, clock });
    for (const { object } of this.shapes) object.removeFromParent();
    this.stage.remove(this.forces);
    this.forces.clear();
    this.labels.replaceChildren();
    this.shapes.length = 0;
    this.joints.clear();
    this.traces.clear();
    this.place();
    this.fill();
    const bar = this.tools();
    this.bar.replaceWith(bar);
    this.bar = bar;
    clock.onTime((time) => this.clock === clock && this.show(time));
  }

  private place(): void {
    const before = new Map(this.points);
    this.points.clear();
    for (const point of this.scene.points) {
      const known = this.run.states === 1 ? before.get(point.name)?.fixed : undefined;
      this.points.set(point.name, new MovingPoint(this.run, point, known));
    }
  }

  private get size(): number {
    return Math.max(this.box.getSize(new Vector3()).length(), 1e-9);
  }

  /** How large the system is while it travels, or a part of the way if that is far longer. */
  private sizeAtOnce(): number {
    const looks = 12;
    let largest = 0;
    for (let k = 0; k <= looks; ++k) {
      const box = new Box3();
      for (const point of this.points.values()) {
        point.move(this.clock.begin + (k / looks) * (this.clock.end - this.clock.begin));
        box.expandByPoint(point.now);
      }
      largest = Math.max(largest, box.getSize(new Vector3()).length());
    }
    for (const { radius } of this.scene.circles) largest = Math.max(largest, 2 * Math.abs(this.run.channel(radius).values[0]));
    for (const body of this.scene.bodies) largest = Math.max(largest, 2 * reach(body));
    return largest === 0 ? 0.6 * this.size : Math.min(this.size, Math.max(1.6 * largest, 0.12 * this.size));
  }

  private point(name: string): MovingPoint {
    const found = this.points.get(name);
    if (!found) throw new Error(`the scene has no point "${name}"`);
    return found;
  }

  private measure(): void {
    for (const point of this.points.values()) point.addTo(this.box, 0);
    for (const { about, radius } of this.scene.circles)
      this.point(about).addTo(this.box, Math.max(...this.run.channel(radius).values.map(Math.abs)));
    for (const body of this.scene.bodies) {
      const place = { name: body.name, at: body.frame.slice(0, this.scene.dimension), trace: false, joint: "", axis: [], carrier: "", force_axes: [], force_carrier: "" };
      new MovingPoint(this.run, place).addTo(this.box, reach(body));
    }
    if (this.flat) this.box.min.z = this.box.max.z = 0;
    if (this.box.isEmpty() || this.size <= 1e-9) this.box.expandByScalar(1);
  }

  // --- what is seen ----------------------------------------------------------------------------------------------

  private add(shape: Shape): void {
    this.shapes.push(shape);
    this.stage.add(shape.object);
  }

  private light(): void {
    this.stage.add(new HemisphereLight(0xffffff, 0x888899, 2.8));
    const sun = new DirectionalLight(0xffffff, 1.6);
    sun.position.set(0.4, -0.7, 1);
    this.stage.add(sun);
  }

  private fill(): void {
    const { run, style, clock, scene } = this;
    for (const line of scene.lines) {
      const through = line.through.map((name) => this.point(name).now);
      if (line.spring) {
        const width = 0.02 * style.size;
        const vertices = () =>
          through.slice(1).flatMap((b, i) => springVertices(through[i], b, width, this.flat));
        this.add(new Rods(style, vertices, 0.0025 * style.size, "quiet"));
        continue;
      }
      const closed = through.length > 3 && through[0] === through[through.length - 1];
      if (closed) this.add(new Area(style, () => through.slice(0, -1)));
      this.add(new Rods(style, () => through, closed ? 0.4 * style.rodRadius : style.rodRadius));
    }
    for (const body of scene.bodies)
      this.add(new Solid(style, body, (object) => placeBody(run, body, clock.time, object)));
    for (const circle of scene.circles) {
      const radius = run.channel(circle.radius);
      const axis = circle.axis.map((name) => run.channel(name));
      const normal = () => (axis.length ? new Vector3(...axis.map((c) => run.value(c, clock.time))) : new Vector3(0, 0, 1));
      this.add(new Circle(style, () => this.point(circle.about).now, () => run.value(radius, clock.time), normal));
    }
    for (const point of this.points.values()) {
      const joint = new Joint(style, () => point.now, point.fixed, point.given.joint, this.directionOf(point.given));
      joint.object.visible = point.fixed || !this.isCorner(point.given);
      this.joints.set(point.given.name, joint);
      this.add(joint);
      this.labels.append(element("span", {}, point.given.name));
      if (point.given.trace) this.toggleTrace(point.given.name);
    }
    this.addForces();
  }

  /** How a body is turned now; one that is not known is the world. */
  private rotationOf(carrier: string): () => Quaternion {
    const frame = new Object3D();
    const body = this.scene.bodies.find(({ name }) => name === carrier);
    return () => {
      if (body) placeBody(this.run, body, this.clock.time, frame);
      return frame.quaternion;
    };
  }

  /** Where the axis of a joint points now, if that is known. */
  private directionOf({ axis, carrier }: DrawnPoint): (() => Vector3) | undefined {
    if (!axis || axis.length === 0) return undefined;
    const fixed = new Vector3(...axis);
    const turned = this.rotationOf(carrier);
    return () => fixed.clone().applyQuaternion(turned());
  }

  /** How the axes stand now along which the force in a point is given. */
  private forceAxes({ force_axes, force_carrier }: DrawnPoint): () => Quaternion {
    if (!force_axes || force_axes.length === 0) return () => new Quaternion();
    const [x, y, z] = [0, 3, 6].map((i) => new Vector3(...force_axes.slice(i, i + 3)));
    const fixed = new Quaternion().setFromRotationMatrix(new Matrix4().makeBasis(x, y, z));
    const turned = this.rotationOf(force_carrier);
    return () => turned().clone().multiply(fixed);
  }

  /** Nothing but a corner of an area? */
  private isCorner({ name, trace }: DrawnPoint): boolean {
    const through = this.scene.lines.filter((line) => line.through.includes(name));
    const closed = through.every((line) => line.through.length > 3 && line.through[0] === line.through[line.through.length - 1]);
    return through.length === 1 && closed && !trace && !this.scene.circles.some(({ about }) => about === name);
  }

  /** The largest force of all is a third of what is seen. */
  private addForces(): void {
    const known = [...this.points.values()].flatMap((point) => {
      const force = forceIn(this.run, point.given);
      return force ? [{ point, ...force }] : [];
    });
    let largest = 0;
    for (const { channels } of known)
      for (let i = 0; i < this.run.states; ++i) largest = Math.max(largest, Math.hypot(...channels.map(({ values }) => values[i])));
    if (largest === 0) return;
    const scale = (0.3 * this.style.size) / largest;
    for (const { point, channels, unique } of known) {
      const axes = this.forceAxes(point.given);
      const along = () => {
        const [x, y, z] = channels.map((channel) => scale * this.run.value(channel, this.clock.time));
        return new Vector3(x, y, z ?? 0).applyQuaternion(axes());
      };
      const arrow = new Arrow(this.style, () => point.now, along, !unique);
      this.shapes.push(arrow);
      this.forces.add(arrow.object);
    }
    const open = known.filter(({ unique }) => !unique).map(({ point }) => point.given.name);
    this.legend.textContent =
      open.length > 0 ? `Dashed (${open.join(", ")}): not unique, because constraints depend on each other; those of least norm are shown.` : "";
    this.legend.hidden = true;
    this.forces.visible = false;
    this.stage.add(this.forces);
  }

  private toggleTrace(name: string): void {
    const old = this.traces.get(name);
    if (old) {
      this.stage.remove(old.object);
      this.shapes.splice(this.shapes.indexOf(old), 1);
      this.traces.delete(name);
    } else {
      const trace = new Trace(this.style, this.point(name).path(), () => this.run.at(this.clock.time).index + 1);
      trace.update();
      this.traces.set(name, trace);
      this.add(trace);
    }
    this.render();
  }

  /** Squares of a round length: behind a planar motion, below one in space. */
  private drawGrid(): void {
    const visible = this.grid?.visible ?? true;
    if (this.grid) this.stage.remove(this.grid);
    const extent = Math.max(...this.box.getSize(new Vector3()).toArray());
    const power = 10 ** Math.floor(Math.log10(extent / 6));
    const step = ([1, 2, 5].find((factor) => factor * power >= extent / 6) ?? 10) * power;
    const middle = this.box.getCenter(new Vector3());
    const x = Math.round(middle.x / step) * step,
      y = Math.round(middle.y / step) * step,
      z = this.flat ? 0 : this.box.min.z;
    const reach = (this.flat ? 40 : 8) * step;
    const ends: number[] = [];
    for (let d = -reach; d <= reach + step / 2; d += step) {
      ends.push(x + d, y - reach, z, x + d, y + reach, z);
      ends.push(x - reach, y + d, z, x + reach, y + d, z);
    }
    const geometry = new BufferGeometry().setAttribute("position", new Float32BufferAttribute(ends, 3));
    this.grid = new LineSegments(geometry, this.style.lineMaterial("grid"));
    this.grid.renderOrder = -1;
    this.grid.visible = visible;
    this.stage.add(this.grid);
    this.scale.textContent = `squares of ${readable(step)} m`;
  }

  // --- tools -----------------------------------------------------------------------------------------------------

  private tools(): HTMLElement {
    const button = (name: string, hint: string, action: () => boolean, pressed: boolean) => {
      const made = element("button", { title: hint, "aria-pressed": String(pressed) }, name);
      made.addEventListener("click", () => {
        made.setAttribute("aria-pressed", String(action()));
        this.render();
      });
      return made;
    };
    const paths = element("details", { class: "paths" }, element("summary", { title: "paths of points" }, "paths"));
    const menu = element("div", {});
    for (const { given, fixed } of this.points.values()) {
      if (fixed) continue;
      const box = element("input", { type: "checkbox", checked: given.trace, change: () => this.toggleTrace(given.name) });
      menu.append(element("label", {}, box, " ", given.name));
    }
    paths.append(menu);
    return element(
      "div",
      { class: "tools" },
      element("button", { title: "show all of it (f)", click: () => this.fit() }, "fit"),
      button("grid", "grid", () => {
        this.grid!.visible = !this.grid!.visible;
        this.scale.hidden = !this.grid!.visible;
        return this.grid!.visible;
      }, true),
      ...(this.forces.children.length > 0
        ? [
            button("forces", "forces of the constraints", () => {
              this.legend.hidden = this.legend.textContent === "" || this.forces.visible;
              return (this.forces.visible = !this.forces.visible);
            }, false),
          ]
        : []),
      button("names", "names of the points", () => !(this.labels.hidden = !this.labels.hidden), false),
      paths,
    );
  }

  private makeControls(): OrbitControls {
    const controls = new OrbitControls(this.camera, this.renderer.domElement);
    controls.enableDamping = false;
    controls.screenSpacePanning = true;
    if (this.flat) {
      controls.enableRotate = false;
      controls.mouseButtons = { LEFT: MOUSE.PAN, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN };
      controls.touches = { ONE: TOUCH.PAN, TWO: TOUCH.DOLLY_PAN };
    }
    controls.addEventListener("change", () => this.render());
    return controls;
  }

  /** All of the motion in view; a planar one from the front. */
  fit(): void {
    const centre = this.box.getCenter(new Vector3());
    const extent = this.box.getSize(new Vector3());
    const aspect = this.root.clientWidth / Math.max(1, this.root.clientHeight);
    this.controls.target.copy(centre);
    if (this.camera instanceof OrthographicCamera) {
      const toolbar = 44; // pixels above the picture
      const { clientWidth, clientHeight } = this.root;
      const perPixel = Math.max(extent.y / Math.max(1, clientHeight - toolbar), extent.x / clientWidth, (0.05 * this.size) / clientHeight) / 0.86;
      const half = (perPixel * clientHeight) / 2;
      centre.y += (perPixel * toolbar) / 2;
      this.controls.target.copy(centre);
      this.camera.top = half;
      this.camera.bottom = -half;
      this.camera.left = -half * aspect;
      this.camera.right = half * aspect;
      this.camera.near = -10 * this.size;
      this.camera.far = 10 * this.size;
      this.camera.zoom = 1;
      this.camera.position.set(centre.x, centre.y, this.size);
    } else {
      this.fitInSpace(this.camera, centre, aspect);
    }
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.render();
  }

  /** As near as the corners of the box allow, its picture in the middle. */
  private fitInSpace(camera: PerspectiveCamera, centre: Vector3, aspect: number): void {
    const toEye = new Vector3(0.55, -0.75, 0.42).normalize();
    const right = new Vector3().crossVectors(camera.up, toEye).normalize();
    const above = new Vector3().crossVectors(toEye, right);
    const tangent = Math.tan((camera.fov * Math.PI) / 360);
    let distance = 0;
    for (const x of [this.box.min.x, this.box.max.x])
      for (const y of [this.box.min.y, this.box.max.y])
        for (const z of [this.box.min.z, this.box.max.z]) {
          const corner = new Vector3(x, y, z).sub(centre);
          const aside = Math.max(Math.abs(corner.dot(right)) / aspect, Math.abs(corner.dot(above)));
          distance = Math.max(distance, corner.dot(toEye) + (1.1 * aside) / tangent);
        }
    distance = Math.max(distance, 0.2 * this.size);
    camera.near = distance / 100;
    camera.far = distance * 20;
    camera.position.copy(centre).addScaledVector(toEye, distance);
  }

  // --- drawing ---------------------------------------------------------------------------------------------------

  private show(time: number): void {
    for (const point of this.points.values()) point.move(time);
    for (const shape of this.shapes) shape.update();
    this.render();
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.root;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.renderer.setSize(clientWidth, clientHeight, false);
    if (this.camera instanceof PerspectiveCamera) this.camera.aspect = clientWidth / clientHeight;
    this.fit();
  }

  private render(): void {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.renderer.setClearColor(colour("surface"), 1);
      this.renderer.render(this.stage, this.camera);
      if (!this.labels.hidden) this.placeLabels();
    });
  }

  private placeLabels(): void {
    const { clientWidth, clientHeight } = this.root;
    [...this.points.values()].forEach((point, i) => {
      const at = point.now.clone().project(this.camera);
      const label = this.labels.children[i] as HTMLElement;
      label.style.transform = `translate(${(((at.x + 1) / 2) * clientWidth + 8).toFixed(1)}px, ${(((1 - at.y) / 2) * clientHeight - 20).toFixed(1)}px)`;
    });
  }

  /** For tests: where a point is drawn. */
  positionOf(name: string): number[] {
    return this.joints.get(name)!.object.getWorldPosition(new Vector3()).toArray().slice(0, this.scene.dimension);
  }
}
