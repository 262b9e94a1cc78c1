// The runs of a sweep that the page has, by columns; those that are thinned out are not among them.
import { FailureData, SweepData, unpack } from "./report";

export interface Column {
  name: string;
  unit: string;
  values: Float64Array; // NaN: the run failed
  quantity?: number; // its index, if it was varied
  output?: number; // its index, if it was kept
}

export class SweepRuns {
  readonly count: number;
  readonly quantities: Column[];
  readonly outputs: Column[];
  private readonly failureOf = new Map<number, number>();

  constructor(readonly data: SweepData) {
    this.count = data.shown.count;
    const columns = data.columns.map(({ name, unit, ...packed }) => ({ name, unit, values: unpack(packed, this.count) }));
    this.quantities = columns.slice(0, data.quantities.length).map((column, quantity) => ({ ...column, quantity }));
    this.outputs = columns.slice(data.quantities.length).map((column, output) => ({ ...column, output }));
    for (const [place, failure] of data.failed) this.failureOf.set(place, failure);
  }

  get columns(): Column[] {
    return [...this.quantities, ...this.outputs];
  }

  /** The number of the run at a place. */
  run(place: number): number {
    return this.data.shown.runs?.[place] ?? place;
  }

  failed(place: number): boolean {
    return this.failureOf.has(place);
  }

  /** Why it failed; undefined: it did not, or for one of the reasons that are not listed. */
  failure(place: number): FailureData | undefined {
    return this.data.failures[this.failureOf.get(place) ?? -1];
  }

  onGrid(column: Column): boolean {
    return column.quantity !== undefined && !this.data.quantities[column.quantity].drawn;
  }

  /** Runs that differ by one quantity of the grid alone, in the order of its values. */
  lines(along: Column): number[][] {
    const { quantities, draws } = this.data;
    const stride = quantities.slice(along.quantity! + 1).reduce((product, { size }) => product * size, draws);
    const size = quantities[along.quantity!].size;
    const lines = new Map<number, number[]>();
    for (let place = 0; place < this.count; ++place) {
      const run = this.run(place);
      const start = run - (Math.floor(run / stride) % size) * stride;
      const line = lines.get(start);
      if (line) line.push(place);
      else lines.set(start, [place]);
    }
    for (const line of lines.values()) line.sort((a, b) => along.values[a] - along.values[b]);
    return [...lines.values()];
  }
}
