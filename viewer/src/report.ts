// What maggi writes into the page, and how to read it.

/** Points are named, lines and circles are drawn between them. */
export interface DrawnPoint {
  name: string;
  at: string[]; // channels: x, y or x, y, z
  trace: boolean;
  joint: string; // "revolute" ...; empty: no joint
  axis: number[]; // its direction; empty: none is known
  carrier: string; // body in whose frame it is; empty: the world
  force_axes: number[]; // along which its force is given, x, y and z one after the other; empty: those of the world
  force_carrier: string; // body in whose frame they are; empty: the world
}
export interface DrawnLine {
  name: string;
  through: string[]; // names of points; one that ends where it began is an area
  spring: boolean;
}
export interface DrawnCircle {
  name: string;
  about: string; // name of a point
  radius: string; // channel
  axis: string[]; // channels of its normal; empty: z
}

export interface DrawnBody {
  name: string;
  frame: string[]; // channels: x, y, angle; in space x, y, z and a unit quaternion w, x, y, z
  shape: "box" | "cylinder" | "sphere";
  size: number[]; // edges; radius (0: a rod, thin), length; radius
  axis: number[]; // of a cylinder, in the frame of the body
}

export interface Scene {
  dimension: 2 | 3;
  points: DrawnPoint[];
  lines: DrawnLine[];
  circles: DrawnCircle[];
  bodies: DrawnBody[];
}

export interface Event {
  t: number;
  name: string;
  text?: string;
  impulses?: Record<string, number>;
  energy_lost?: number; // [J]
}

export interface Certificate {
  rank: number;
  rank_nearby: number;
  distance_to_singularity: number;
  rank_tolerance: number;
  redundant: {
    row: string;
    combination: Record<string, number>;
    permanent: boolean | null;
    compatible: boolean;
    hides_condition: boolean;
  }[];
  reactions: { name: string; level: string; unique: boolean }[];
}

export interface RunData {
  kind: "run";
  format_version: number;
  title: string;
  facts: [string, string][];
  summary: {
    dof: number;
    rank: number;
    outcome: string;
    explanation?: string;
    t: number;
    events: Event[];
    [key: string]: unknown;
  };
  cpu?: [string, number][]; // what the time went into [s]
  states: number;
  channels: ({ name: string; unit: string; group: string } & Packed)[];
  left_out: string[];
  certificate: Certificate | null;
  certificate_note?: string;
  scene?: Scene;
}

export interface ComparisonRow {
  formulation: string;
  basis: string | null;
  drift_control: string | null;
  unknowns: string | null;
  failure: string | null;
  disagreement: string | null;
  points: { rtol: number; steps: number; evaluations: number; seconds: number; end_error: number | null }[];
  [key: string]: unknown;
}

export interface ComparisonData {
  kind: "comparison";
  format_version: number;
  title: string;
  t: number;
  states: number;
  accuracy: number;
  rows: ComparisonRow[];
}

/** Numbers as maggi packs them: value = base + scale · x; no values: all are `base`. */
export interface Packed {
  base: number;
  scale: number;
  values: string;
}

export interface OutputStatistics {
  name: string;
  unit: string;
  count: number;
  mean?: number; // and the rest: if any run reached its end
  deviation?: number;
  min?: number;
  max?: number;
  quantiles?: Record<string, number>; // by part: "0.05"
}

/** How the outputs go with one quantity, over all runs: mean and two quantiles, by bins of the quantity. */
export interface TrendData {
  quantity: number;
  parts: [number, number];
  counts: number[];
  x: Packed;
  outputs: { mean: Packed; lower: Packed; upper: Packed }[];
}

export interface FailureData {
  reason: string;
  count: number;
  runs: [number, number][]; // first and last of runs one after the other
  listed: number; // how many these are
  where: [number, number][]; // least and greatest value of each quantity
}

export interface SweepData {
  kind: "sweep";
  format_version: number;
  title: string;
  facts: [string, string][];
  statistics: { runs: number; failed: number; outputs: OutputStatistics[] };
  quantities: { name: string; unit: string; text: string; drawn: boolean; size: number }[];
  draws: number;
  shown: { count: number; of: number; text: string; runs?: number[] };
  columns: ({ name: string; unit: string } & Packed)[]; // quantities, then outputs
  histograms: { low: number; high: number; counts: number[] }[];
  trends: TrendData[];
  failures: FailureData[];
  other_failures: number;
  failed: [number, number][]; // place among the runs shown, index of the failure
}

/** A model that is being changed: the page asks its server for the rest. */
export interface LiveData {
  kind: "live";
  title: string;
}

export type Data = RunData | ComparisonData | SweepData | LiveData;

export interface Channel {
  name: string;
  unit: string;
  group: string;
  values: Float64Array;
}

/** base + scale · Float32, so that small changes of a large number survive; no values: it is constant. */
export function unpack({ base, scale, values }: Packed, count: number): Float64Array {
  if (values === "") return new Float64Array(count).fill(base);
  const bytes = Uint8Array.from(atob(values), (c) => c.charCodeAt(0));
  return Float64Array.from(new Float32Array(bytes.buffer), (x) => base + scale * x);
}

/** A run, its channels decoded. */
export class Run {
  readonly channels: Channel[];
  readonly t: Float64Array;
  private readonly byName = new Map<string, Channel>();

  constructor(readonly data: RunData) {
    this.channels = data.channels.map(({ name, unit, group, ...packed }) => ({
      name,
      unit,
      group,
      values: unpack(packed, data.states),
    }));
    for (const channel of this.channels) this.byName.set(channel.name, channel);
    this.t = this.channels[0].values;
  }

  get states(): number {
    return this.t.length;
  }

  find(name: string): Channel | undefined {
    return this.byName.get(name);
  }

  channel(name: string): Channel {
    const found = this.find(name);
    if (!found) throw new Error(`the report has no channel "${name}"`);
    return found;
  }

  /** Index and fraction of the state before a time, for interpolation. */
  at(time: number): { index: number; part: number } {
    let low = 0,
      high = this.states - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.t[middle] <= time) low = middle;
      else high = middle;
    }
    const step = this.t[high] - this.t[low];
    return { index: low, part: step > 0 ? Math.min(1, Math.max(0, (time - this.t[low]) / step)) : 0 };
  }

  value(channel: Channel, time: number): number {
    const { index, part } = this.at(time);
    const here = channel.values[index];
    return part === 0 ? here : here + part * (channel.values[index + 1] - here);
  }
}

export const withUnit = (name: string, unit: string): string => (unit ? `${name} [${unit}]` : name);

/** A number for reading: a few digits, a power of ten where it is far from 1. */
export function readable(value: number, digits = 4): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e5) return String(Number(value.toPrecision(digits))).replace("-", "−");
  return value.toExponential(digits - 2).replace("-", "−").replace("e-", "e−");
}

export const percent = (part: number): string => `${Number((100 * part).toPrecision(6))} %`;
