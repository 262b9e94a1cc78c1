// What a scene is made of: each shape knows how to follow its points.
import {
  BufferAttribute,
  BoxGeometry,
  BufferGeometry,
  CircleGeometry,
  Color,
  ConeGeometry,
  CylinderGeometry,
  DoubleSide,
  Group,
  InstancedMesh,
  Line,
  LineBasicMaterial,
  Material,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  Object3D,
  PlaneGeometry,
  Quaternion,
  RingGeometry,
  SphereGeometry,
  TorusGeometry,
  Vector3,
} from "three";
import { DrawnBody } from "./report";
import { colour } from "./theme";

/** Sizes and looks that all shapes of a scene share. */
export class Style {
  private readonly coloured: [Material & { color: Color }, string][] = [];

  /** size: of what is seen at one instant */
  constructor(
    readonly flat: boolean,
    readonly size: number,
  ) {}

  get rodRadius(): number {
    return 0.007 * this.size;
  }

  material(name: string, opacity = 1): MeshBasicMaterial | MeshLambertMaterial {
    const options = { side: DoubleSide, transparent: opacity < 1 || this.flat, opacity };
    return this.keep(this.flat ? new MeshBasicMaterial({ ...options, depthTest: false }) : new MeshLambertMaterial(options), name);
  }

  lineMaterial(name: string, opacity = 1): LineBasicMaterial {
    return this.keep(new LineBasicMaterial({ transparent: true, opacity, depthTest: !this.flat }), name);
  }

  private keep<M extends Material & { color: Color }>(material: M, name: string): M {
    this.coloured.push([material, name]);
    material.color.set(colour(name));
    return material;
  }

  recolour(): void {
    for (const [material, name] of this.coloured) material.color.set(colour(name));
  }
}

export interface Shape {
  readonly object: Object3D;
  update(): void;
}

const up = new Vector3(0, 1, 0);

/** Turns a unit cylinder (along y) into one from a to b. */
function between(a: Vector3, b: Vector3, radius: number, result: Matrix4): Matrix4 {
  const along = new Vector3().subVectors(b, a);
  const length = along.length();
  const turn = new Quaternion().setFromUnitVectors(up, length > 0 ? along.divideScalar(length) : up);
  return result.compose(new Vector3().addVectors(a, b).multiplyScalar(0.5), turn, new Vector3(radius, length, radius));
}

/** Rods from point to point. */
export class Rods implements Shape {
  readonly object: InstancedMesh;
  private readonly matrix = new Matrix4();

  constructor(
    style: Style,
    private readonly vertices: () => Vector3[],
    private readonly radius: number,
    name = "body",
  ) {
    this.object = new InstancedMesh(new CylinderGeometry(1, 1, 1, 20), style.material(name), vertices().length - 1);
    this.object.frustumCulled = false;
    this.object.renderOrder = 2;
  }

  update(): void {
    const vertices = this.vertices();
    for (let i = 0; i + 1 < vertices.length; ++i)
      this.object.setMatrixAt(i, between(vertices[i], vertices[i + 1], this.radius, this.matrix));
    this.object.instanceMatrix.needsUpdate = true;
  }
}

/** A spring between two points: zigzag in the plane, helix in space. */
export function springVertices(a: Vector3, b: Vector3, width: number, flat: boolean): Vector3[] {
  const along = new Vector3().subVectors(b, a);
  const side = flat ? new Vector3(-along.y, along.x, 0) : new Vector3(-along.y, along.x, 0).lengthSq() > 1e-12 * along.lengthSq() ? new Vector3(-along.y, along.x, 0) : new Vector3(1, 0, 0);
  side.normalize().multiplyScalar(width);
  const other = new Vector3().crossVectors(along, side).normalize().multiplyScalar(width);
  const at = (part: number) => a.clone().addScaledVector(along, part);
  const turns = 7;
  const inner: Vector3[] = [];
  if (flat) for (let i = 0; i < 2 * turns; ++i) inner.push(at(0.15 + (0.7 * (i + 0.5)) / (2 * turns)).addScaledVector(side, i % 2 ? -1 : 1));
  else
    for (let i = 0; i <= 12 * turns; ++i) {
      const angle = (i * Math.PI) / 6;
      inner.push(at(0.12 + (0.76 * i) / (12 * turns)).addScaledVector(side, Math.cos(angle)).addScaledVector(other, Math.sin(angle)));
    }
  return [a, at(flat ? 0.15 : 0.12), ...inner, at(flat ? 0.85 : 0.88), b];
}

/** A closed line, filled. */
export class Area implements Shape {
  readonly object: Mesh;
  private readonly position: BufferAttribute;

  constructor(
    style: Style,
    private readonly vertices: () => Vector3[],
  ) {
    const count = vertices().length;
    this.position = new BufferAttribute(new Float32Array(3 * count), 3);
    const geometry = new BufferGeometry().setAttribute("position", this.position);
    geometry.setIndex(Array.from({ length: count - 2 }, (_, i) => [0, i + 1, i + 2]).flat());
    this.object = new Mesh(geometry, style.material("area", 0.75));
    this.object.frustumCulled = false;
    this.object.renderOrder = 1;
  }

  update(): void {
    this.vertices().forEach((p, i) => this.position.setXYZ(i, p.x, p.y, p.z));
    this.position.needsUpdate = true;
    this.object.geometry.computeVertexNormals();
  }
}

export class Circle implements Shape {
  readonly object = new Group();
  private readonly disc: Mesh;
  private readonly rim: Mesh;
  private readonly normal = new Vector3(0, 0, 1);

  constructor(
    style: Style,
    private readonly centre: () => Vector3,
    private readonly radius: () => number,
    private readonly axis: () => Vector3,
  ) {
    const tube = (0.006 * style.size) / Math.max(radius(), 1e-9);
    this.disc = new Mesh(new CircleGeometry(1, 96), style.material("area", 0.6));
    this.rim = new Mesh(style.flat ? new RingGeometry(1 - tube, 1 + tube, 96) : new TorusGeometry(1, tube, 12, 96), style.material("body"));
    this.disc.renderOrder = 1;
    this.rim.renderOrder = 2;
    this.object.add(this.disc, this.rim);
  }

  update(): void {
    this.object.position.copy(this.centre());
    this.object.scale.setScalar(Math.max(this.radius(), 1e-12));
    this.object.quaternion.setFromUnitVectors(this.normal, this.axis().normalize());
  }
}

/** A rigid body in its frame. */
export class Solid implements Shape {
  readonly object = new Group();

  /** place: sets position and quaternion */
  constructor(
    style: Style,
    given: DrawnBody,
    private readonly place: (object: Object3D) => void,
  ) {
    const rod = given.shape === "cylinder" && given.size[0] === 0;
    const mesh = new Mesh(solidGeometry(given, style), rod ? style.material("body") : style.material("area", 0.9));
    if (given.shape === "cylinder") mesh.quaternion.setFromUnitVectors(up, new Vector3(...given.axis).normalize());
    mesh.renderOrder = rod ? 2 : 1;
    this.object.add(mesh);
  }

  update(): void {
    this.place(this.object);
  }
}

function solidGeometry({ shape, size }: DrawnBody, { flat, rodRadius }: Style): BufferGeometry {
  if (shape === "box") return new BoxGeometry(size[0], size[1], flat ? 0 : size[2]);
  if (shape === "cylinder") return new CylinderGeometry(size[0] || rodRadius, size[0] || rodRadius, size[1], 48);
  return flat ? new CircleGeometry(size[0], 64) : new SphereGeometry(size[0], 40, 24);
}

/** A point: a joint by its kind, or, if it never moves, a support. Kinds with an axis lie along it. */
export class Joint implements Shape {
  readonly object = new Group();
  private readonly along = new Group(); // its x axis is that of the joint

  constructor(
    private readonly style: Style,
    private readonly at: () => Vector3,
    fixed: boolean,
    kind = "",
    private readonly direction?: () => Vector3,
  ) {
    const radius = 0.013 * style.size;
    if (style.flat) this.addFlat(radius, fixed, direction ? kind : kind === "fixed" ? kind : "");
    else this.addSolid(radius, fixed, direction || kind === "fixed" ? kind : "");
    this.object.add(this.along);
  }

  update(): void {
    this.object.position.copy(this.at());
    if (this.direction) this.along.quaternion.setFromUnitVectors(new Vector3(1, 0, 0), this.direction());
  }

  private put(geometry: BufferGeometry, material: "joint" | "surface" | "body", order: number): Mesh {
    const mesh = new Mesh(geometry, this.style.material(material));
    mesh.renderOrder = order;
    this.along.add(mesh);
    return mesh;
  }

  /** A pin is a ring, a guide a slot along its axis, a weld a square, a blade a stroke. */
  private addFlat(radius: number, fixed: boolean, kind: string): void {
    const outlined = (width: number, height: number): void => {
      this.put(new PlaneGeometry(width, height), "joint", 4);
      this.put(new PlaneGeometry(width - 0.8 * radius, height - 0.8 * radius), "surface", 5);
    };
    if (kind === "prismatic") return outlined(5 * radius, 2.4 * radius);
    if (kind === "point_on_line") outlined(5 * radius, 2 * radius);
    if (kind === "fixed") return void this.put(new PlaneGeometry(2 * radius, 2 * radius), "joint", 4);
    if (kind === "knife_edge") return void this.put(new PlaneGeometry(0.7 * radius, 5 * radius), "joint", 4);
    if (fixed && kind === "") {
      const base = this.put(new CircleGeometry(2.3 * radius, 3, Math.PI / 2), "body", 3);
      base.position.y = -1.5 * radius;
    }
    this.put(new CircleGeometry(radius, 40), "joint", 6);
    this.put(new CircleGeometry(0.6 * radius, 40), "surface", 7);
  }

  /** A hinge is a cylinder, a guide a bar, a ball a ball, two crossed cylinders a universal joint, a plate a plane. */
  private addSolid(radius: number, fixed: boolean, kind: string): void {
    const material = fixed ? "body" : "joint";
    const bar = (length: number, thick: number): Mesh =>
      this.put(new BoxGeometry(length * radius, thick * radius, thick * radius), material, 0);
    const pin = (length: number): Mesh => {
      const mesh = this.put(new CylinderGeometry(radius, radius, length * radius, 24), material, 0);
      mesh.rotation.z = Math.PI / 2;
      return mesh;
    };
    if (kind === "revolute" || kind === "screw") pin(4);
    else if (kind === "cylindrical") pin(7);
    else if (kind === "prismatic" || kind === "point_on_line") bar(6, 1.8);
    else if (kind === "fixed") bar(2, 2);
    else if (kind === "universal") {
      pin(4);
      pin(4).rotation.set(0, 0, 0);
    } else if (kind === "planar" || kind === "point_on_plane") {
      this.put(new BoxGeometry(0.5 * radius, 5 * radius, 5 * radius), material, 0);
    } else this.put(new SphereGeometry(fixed ? 1.5 * radius : 1.2 * radius, 24, 16), material, 0);
  }
}

/** A force in a point; dashed if it is one of many that would do. */
export class Arrow implements Shape {
  readonly object = new Group();
  private readonly shaft: InstancedMesh;
  private readonly head: Mesh;
  private readonly matrix = new Matrix4();

  constructor(
    private readonly style: Style,
    private readonly from: () => Vector3,
    private readonly along: () => Vector3,
    private readonly dashed: boolean,
  ) {
    const material = style.material("force");
    this.shaft = new InstancedMesh(new CylinderGeometry(1, 1, 1, 16), material, dashed ? 5 : 1);
    this.head = new Mesh(new ConeGeometry(1, 3, 24), material);
    for (const part of [this.shaft, this.head]) {
      part.frustumCulled = false;
      part.renderOrder = 6;
      this.object.add(part);
    }
  }

  update(): void {
    const from = this.from(),
      along = this.along(),
      length = along.length(),
      radius = 0.0045 * this.style.size;
    this.object.visible = length > 2 * radius;
    if (!this.object.visible) return;
    const headLength = Math.min(9 * radius, 0.6 * length);
    const at = (distance: number) => from.clone().addScaledVector(along, distance / length);
    const straight = length - headLength,
      dashes = this.shaft.count;
    for (let i = 0; i < dashes; ++i)
      this.shaft.setMatrixAt(
        i,
        between(at((i / dashes) * straight), at(((i + (this.dashed ? 0.6 : 1)) / dashes) * straight), radius, this.matrix),
      );
    this.shaft.instanceMatrix.needsUpdate = true;
    this.head.position.copy(at(length - headLength / 2));
    this.head.quaternion.setFromUnitVectors(up, along.clone().divideScalar(length));
    this.head.scale.setScalar(headLength / 3);
  }
}

/** The path of a point: all of it faintly, what is past strongly. */
export class Trace implements Shape {
  readonly object = new Group();
  private readonly past: Line;

  constructor(
    style: Style,
    path: Float32Array,
    private readonly states: () => number,
  ) {
    const attribute = new BufferAttribute(path, 3);
    const line = (opacity: number) => {
      const made = new Line(new BufferGeometry().setAttribute("position", attribute), style.lineMaterial("trace", opacity));
      made.frustumCulled = false;
      made.renderOrder = 0;
      return made;
    };
    this.past = line(0.95);
    this.object.add(line(0.25), this.past);
  }

  update(): void {
    this.past.geometry.setDrawRange(0, this.states());
  }
}
