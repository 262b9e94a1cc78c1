// How the results of a sweep depend on what was varied, and on each other: any column against any other, a third as
// colour. Runs along a quantity of the grid are joined by lines; two quantities of the grid span a map.
import uPlot from "uplot";
import { canvas, roomy } from "./chart";
import { element } from "./dom";
import { percent, readable, TrendData, unpack, withUnit } from "./report";
import { Column, SweepRuns } from "./sweep_runs";
import { colour, onTheme, rampColour } from "./theme";

type Range = [number, number];
const digits = 6;
const reach = 14; // pixels from which a run is found

/** Least and greatest; NaN does not count. */
function extent(values: Iterable<number>): Range | null {
  let low = Infinity,
    high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : null;
}

const distinct = (values: Float64Array): number[] => [...new Set(values)].filter(Number.isFinite).sort((a, b) => a - b);

/** One field for each pair of values of two quantities of the grid; several runs in it: their mean. */
class Fields {
  readonly x: number[]; // ends of the fields
  readonly y: number[];
  readonly members = new Map<string, number[]>();
  private readonly xs: number[];
  private readonly ys: number[];

  constructor(
    runs: SweepRuns,
    across: Column,
    up: Column,
    private readonly shade: Column,
  ) {
    this.xs = distinct(across.values);
    this.ys = distinct(up.values);
    this.x = ends(this.xs);
    this.y = ends(this.ys);
    const columnOf = new Map(this.xs.map((value, i) => [value, i])),
      rowOf = new Map(this.ys.map((value, i) => [value, i]));
    for (let place = 0; place < runs.count; ++place) {
      const key = `${columnOf.get(across.values[place])},${rowOf.get(up.values[place])}`;
      const field = this.members.get(key);
      if (field) field.push(place);
      else this.members.set(key, [place]);
    }
  }

  /** Mean of the shade over the runs of a field that did not fail; NaN if all did. */
  value(members: number[]): number {
    const values = members.map((place) => this.shade.values[place]).filter(Number.isFinite);
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  }

  at(x: number, y: number): number[] | undefined {
    const find = (ends: number[], value: number) => ends.findIndex((end, i) => value >= end && value < ends[i + 1]);
    return this.members.get(`${find(this.x, x)},${find(this.y, y)}`);
  }
}

/** Between values in the middle, beyond the first and the last as far as on their other side. */
function ends(values: number[]): number[] {
  if (values.length === 1) return [values[0] - 0.5, values[0] + 0.5];
  const middle = values.slice(1).map((value, i) => 0.5 * (value + values[i]));
  return [2 * values[0] - middle[0], ...middle, 2 * values[values.length - 1] - middle[middle.length - 1]];
}

export class Dependence {
  readonly root: HTMLElement;
  private readonly box = element("div", { class: "chart" });
  private readonly legend = element("div", { class: "legend" });
  private readonly hint = element("div", { class: "hint", role: "status", hidden: true });
  private readonly spot = element("div", { class: "spot", hidden: true });
  private readonly selects: Record<"across" | "up" | "shade", HTMLSelectElement>;
  private readonly joinButton: HTMLElement;
  private readonly mapButton: HTMLElement;
  private readonly index: Column; // of the run, for those who look for an order
  private readonly options: Column[];
  private across: Column;
  private up: Column;
  private shade: Column | null = null;
  private join = true;
  private window: { x: Range; y: Range } | null = null;
  private plot?: uPlot;
  private fields?: Fields;
  private shades: Range | null = null;

  constructor(private readonly runs: SweepRuns) {
    this.index = { name: "run", unit: "", values: Float64Array.from({ length: runs.count }, (_, place) => runs.run(place)) };
    this.options = [...runs.columns, this.index];
    const grid = runs.quantities.filter((column) => runs.onGrid(column));
    const size = (column: Column) => runs.data.quantities[column.quantity!].size;
    const longest = [...grid].sort((a, b) => size(b) - size(a))[0];
    this.across = longest ?? runs.quantities[0];
    this.up = runs.outputs[0];
    this.shade = grid.find((column) => column !== longest) ?? null;

    const chooser = (label: string, key: "across" | "up" | "shade", empty: boolean) => {
      const group = (title: string, columns: Column[]) =>
        element(
          "optgroup",
          { label: title },
          ...columns.map((column) => element("option", { value: String(this.options.indexOf(column)) }, withUnit(column.name, column.unit))),
        );
      const select = element(
        "select",
        { "aria-label": label },
        ...(empty ? [element("option", { value: "-1" }, "none")] : []),
        group("varied", runs.quantities),
        group("kept", runs.outputs),
        group("order", [this.index]),
      );
      select.addEventListener("change", () => {
        const column = this.options[Number(select.value)] ?? null;
        if (key === "shade") this.shade = column;
        else this[key] = column!;
        this.changed();
      });
      return select;
    };
    this.selects = {
      across: chooser("across", "across", false),
      up: chooser("up", "up", false),
      shade: chooser("colour", "shade", true),
    };
    this.joinButton = element("button", { title: "join runs that differ by the quantity across alone", click: () => this.toggleJoin() }, "lines");
    this.mapButton = element("button", { title: "both quantities of the grid as axes, the output as colour", click: () => this.toggleMap() }, "map");
    const label = (text: string, select: HTMLElement) => element("label", {}, element("small", {}, text), select);
    this.root = element(
      "section",
      { class: "figure dependence" },
      element(
        "div",
        { class: "tools" },
        label("up", this.selects.up),
        label("across", this.selects.across),
        label("colour", this.selects.shade),
        this.joinButton,
        this.mapButton,
        element("span", { class: "gap" }),
        element("button", { title: "all of the range (double click in the diagram)", click: () => this.zoom(null) }, "all"),
      ),
      this.legend,
      this.box,
      ...this.notes(),
    );
    new ResizeObserver(() => this.resize()).observe(this.box);
    onTheme(() => this.draw());
    this.changed();
  }

  /** Shows an output, and stays as it is otherwise. */
  choose(output: number): void {
    if (this.isMap) this.shade = this.runs.outputs[output];
    else this.up = this.runs.outputs[output];
    this.changed();
  }

  private notes(): HTMLElement[] {
    const { shown } = this.runs.data;
    if (shown.text === "") return [];
    return [
      element(
        "p",
        { class: "note thinned" },
        `${shown.count} of ${shown.of} runs are drawn here: ${shown.text}. Lines of means, distributions and statistics are over all runs; sweep.csv has them.`,
      ),
    ];
  }

  private get isMap(): boolean {
    const { across, up, shade, runs } = this;
    return across !== up && runs.onGrid(across) && runs.onGrid(up) && shade !== null && shade.quantity === undefined;
  }

  private get canJoin(): boolean {
    return this.runs.onGrid(this.across) && this.up.quantity === undefined && this.up !== this.index;
  }

  private get trend(): TrendData | undefined {
    if (this.up.output === undefined || this.across.quantity === undefined || (this.canJoin && this.join && this.runs.data.draws === 1)) return undefined;
    return this.runs.data.trends.find(({ quantity }) => quantity === this.across.quantity);
  }

  private toggleJoin(): void {
    this.join = !this.join;
    this.changed();
  }

  /** From lines to the map and back: the output and the other quantity of the grid change places. */
  private toggleMap(): void {
    const grid = this.runs.quantities.filter((column) => this.runs.onGrid(column));
    if (this.isMap) [this.up, this.shade] = [this.shade!, this.up];
    else {
      const output = this.up.output !== undefined ? this.up : this.runs.outputs[0];
      if (!this.runs.onGrid(this.across)) this.across = grid[0];
      const other = this.shade && this.shade !== this.across && this.runs.onGrid(this.shade) ? this.shade : grid.find((column) => column !== this.across)!;
      [this.up, this.shade] = [other, output];
    }
    this.changed();
  }

  private changed(): void {
    this.window = null;
    for (const [key, column] of [["across", this.across], ["up", this.up], ["shade", this.shade]] as const)
      this.selects[key].value = String(column ? this.options.indexOf(column) : -1);
    const grid = this.runs.quantities.filter((column) => this.runs.onGrid(column));
    this.joinButton.hidden = !this.canJoin;
    this.joinButton.setAttribute("aria-pressed", String(this.join));
    this.mapButton.hidden = grid.length < 2;
    this.mapButton.setAttribute("aria-pressed", String(this.isMap));
    this.fields = this.isMap ? new Fields(this.runs, this.across, this.up, this.shade!) : undefined;
    this.shades = this.shade && extent(this.fields ? [...this.fields.members.values()].map((field) => this.fields!.value(field)) : this.shade.values);
    this.draw();
  }

  private zoom(window: { x: Range; y: Range } | null): void {
    this.window = window;
    this.draw();
  }

  private range(): { x: Range; y: Range } {
    if (this.window) return this.window;
    if (this.fields) return { x: [this.fields.x[0], this.fields.x[this.fields.x.length - 1]], y: [this.fields.y[0], this.fields.y[this.fields.y.length - 1]] };
    const trend = this.trend?.outputs[this.up.output!];
    const band = trend ? [trend.lower, trend.upper].flatMap((packed) => [...unpack(packed, this.trend!.counts.length)]) : [];
    const span = (values: Iterable<number>): Range => {
      const found = extent(values);
      return roomy(found && found[0], found && found[1]);
    };
    return { x: span(this.across.values), y: span([...(extent(this.up.values) ?? []), ...band]) };
  }

  private size(): { width: number; height: number } {
    return { width: this.box.clientWidth - 8, height: Math.max(280, this.box.clientHeight - 8) };
  }

  private resize(): void {
    const { width, height } = this.size();
    if (width > 0 && (this.plot?.width !== width || this.plot.height !== height)) this.draw();
  }

  draw(): void {
    if (this.size().width <= 0) return; // not seen
    this.plot?.destroy();
    this.hint.hidden = this.spot.hidden = true;
    this.plot = canvas(
      this.box,
      this.size(),
      { x: withUnit(this.across.name, this.across.unit), y: withUnit(this.up.name, this.up.unit) },
      () => this.range(),
      (plot, ctx) => (this.fields ? this.paintMap(plot, ctx, this.fields) : this.paintRuns(plot, ctx)),
      (plot) => this.select(plot),
    );
    this.plot.over.append(this.spot, this.hint);
    this.plot.over.addEventListener("mousemove", (event) => this.hover(event.offsetX, event.offsetY));
    this.plot.over.addEventListener("mouseleave", () => (this.hint.hidden = this.spot.hidden = true));
    this.plot.over.addEventListener("dblclick", () => this.zoom(null));
    this.fillLegend();
  }

  private select(plot: uPlot): void {
    const { left, top, width, height } = plot.select;
    if (width < 4 && height < 4) return;
    const x: Range = width < 4 ? this.range().x : [plot.posToVal(left, "x"), plot.posToVal(left + width, "x")];
    const y: Range = height < 4 ? this.range().y : [plot.posToVal(top + height, "y"), plot.posToVal(top, "y")];
    this.zoom({ x, y });
  }

  /** Colour of a value of the shade; asked for once for each drawing, because a style costs more than a point. */
  private colouring(): (value: number) => string {
    const [plain, unknown] = [colour("accent"), colour("quiet")];
    if (!this.shades) return () => plain;
    const [low, high] = this.shades;
    const steps = 64;
    const ramp = Array.from({ length: steps + 1 }, (_, i) => rampColour(i / steps));
    return (value) => (Number.isFinite(value) ? ramp[high > low ? Math.round((steps * (value - low)) / (high - low)) : steps / 2] : unknown);
  }

  private paintMap(plot: uPlot, ctx: CanvasRenderingContext2D, fields: Fields): void {
    const x = fields.x.map((value) => Math.round(plot.valToPos(value, "x", true))),
      y = fields.y.map((value) => Math.round(plot.valToPos(value, "y", true)));
    const shadeOf = this.colouring();
    for (const [key, members] of fields.members) {
      const [i, j] = key.split(",").map(Number);
      const value = fields.value(members);
      const [left, top, width, height] = [x[i], y[j + 1], x[i + 1] - x[i], y[j] - y[j + 1]];
      ctx.fillStyle = Number.isFinite(value) ? shadeOf(value) : colour("bad-surface");
      ctx.fillRect(left, top, width, height);
      if (Number.isFinite(value)) continue;
      ctx.strokeStyle = colour("bad");
      ctx.lineWidth = devicePixelRatio;
      ctx.beginPath();
      ctx.moveTo(left, top + height);
      ctx.lineTo(left + width, top);
      ctx.stroke();
    }
  }

  private paintRuns(plot: uPlot, ctx: CanvasRenderingContext2D): void {
    const { bbox } = plot;
    const scale = devicePixelRatio;
    const { count } = this.runs;
    const x = (place: number) => plot.valToPos(this.across.values[place], "x", true),
      y = (place: number) => plot.valToPos(this.up.values[place], "y", true);
    const shadeOf = this.colouring();
    const fill = (place: number) => shadeOf(this.shade ? this.shade.values[place] : NaN);
    const joined = this.canJoin && this.join ? this.runs.lines(this.across) : [];
    ctx.lineWidth = 1.5 * scale;
    ctx.globalAlpha = joined.length > 60 ? 0.35 : 1;
    for (const line of joined) {
      ctx.strokeStyle = fill(line[0]);
      ctx.beginPath();
      let pen = false; // a run that failed leaves a gap
      for (const place of line) {
        const there = Number.isFinite(this.up.values[place]);
        if (there && pen) ctx.lineTo(x(place), y(place));
        else if (there) ctx.moveTo(x(place), y(place));
        pen = there;
      }
      ctx.stroke();
    }
    const many = count > 400;
    const radius = (count > 3000 ? 1.4 : many ? 1.8 : 3) * scale;
    ctx.globalAlpha = count > 3000 ? (this.shade ? 0.65 : 0.45) : many ? 0.7 : 1;
    if (joined.length === 0 || !many)
      for (let place = 0; place < count; ++place) {
        if (!Number.isFinite(this.up.values[place])) continue;
        ctx.fillStyle = fill(place);
        if (many) {
          ctx.fillRect(x(place) - radius, y(place) - radius, 2 * radius, 2 * radius); // far quicker than circles
          continue;
        }
        ctx.beginPath();
        ctx.arc(x(place), y(place), radius, 0, 2 * Math.PI);
        ctx.fill();
      }
    ctx.globalAlpha = 0.8;
    ctx.strokeStyle = colour("bad");
    ctx.lineWidth = scale;
    ctx.beginPath();
    for (const [place] of this.runs.data.failed) {
      if (!Number.isFinite(this.across.values[place])) continue;
      ctx.moveTo(x(place), bbox.top + bbox.height);
      ctx.lineTo(x(place), bbox.top + bbox.height - 9 * scale);
    }
    ctx.stroke();
    ctx.globalAlpha = 1;
    if (this.trend) this.paintTrend(plot, ctx, this.trend);
  }

  private paintTrend(plot: uPlot, ctx: CanvasRenderingContext2D, trend: TrendData): void {
    const numbers = (packed: Parameters<typeof unpack>[0]) => [...unpack(packed, trend.counts.length)];
    const { mean, lower, upper } = trend.outputs[this.up.output!];
    const x = numbers(trend.x).map((value) => plot.valToPos(value, "x", true));
    const path = (values: number[], backwards = false) => {
      const points = values.map((value, i): [number, number] => [x[i], plot.valToPos(value, "y", true)]);
      for (const point of backwards ? points.reverse() : points) ctx.lineTo(...point);
    };
    ctx.fillStyle = colour("trace");
    ctx.globalAlpha = 0.16;
    ctx.beginPath();
    path(numbers(lower));
    path(numbers(upper), true);
    ctx.fill();
    ctx.globalAlpha = 1;
    ctx.strokeStyle = colour("trace");
    ctx.lineWidth = 2 * devicePixelRatio;
    ctx.beginPath();
    path(numbers(mean));
    ctx.stroke();
  }

  private fillLegend(): void {
    const entry = (kind: string, text: string) => element("span", {}, element("span", { class: `swatch ${kind}` }), text);
    const entries: HTMLElement[] = [];
    const { shade, shades, trend } = this;
    const shadeOf = this.colouring();
    if (shade && shades) {
      const few = distinct(shade.values);
      entries.push(element("span", { class: "name" }, withUnit(shade.name, shade.unit)));
      if (!this.fields && few.length <= 8)
        for (const value of few) {
          const swatch = element("span", { class: "swatch" });
          swatch.style.borderTop = `3px solid ${shadeOf(value)}`;
          entries.push(element("span", {}, swatch, readable(value)));
        }
      else {
        const bar = element("span", { class: "ramp" });
        bar.style.background = `linear-gradient(90deg, ${[0, 1 / 6, 1 / 3, 1 / 2, 2 / 3, 5 / 6, 1].map((part) => rampColour(part)).join(", ")})`;
        entries.push(element("span", {}, readable(shades[0]), bar, readable(shades[1])));
      }
    }
    if (trend) entries.push(entry("mean", "mean"), entry("band", `${trend.parts.map(percent).join(" to ")} of all runs`));
    if (this.fields && this.fields.members.size < this.runs.count)
      entries.push(element("span", { class: "note" }, "each field: the mean of the runs in it"));
    const failed = this.runs.data.failed.length;
    if (failed > 0) entries.push(entry("failed", failed === 1 ? "a run that failed" : `${failed} runs that failed`));
    if (entries.length === 0) entries.push(element("span", { class: "note" }, "each point is a run"));
    this.legend.replaceChildren(...entries);
  }

  /** The run nearest to the pointer; of those that failed by their place on the axis, along the lower edge. */
  private nearest(left: number, top: number): number {
    const plot = this.plot!;
    const edge = plot.over.clientHeight - 12;
    let best = -1,
      least = reach * reach;
    for (let place = 0; place < this.runs.count; ++place) {
      const lost = !Number.isFinite(this.up.values[place]);
      const dx = plot.valToPos(this.across.values[place], "x") - left;
      const dy = lost ? Math.max(0, edge - top) : plot.valToPos(this.up.values[place], "y") - top;
      const square = dx * dx + dy * dy;
      if (square < least) [best, least] = [place, square];
    }
    return best;
  }

  private hover(left: number, top: number): void {
    const plot = this.plot!;
    const field = this.fields?.at(plot.posToVal(left, "x"), plot.posToVal(top, "y"));
    const place = this.fields ? (field?.[0] ?? -1) : this.nearest(left, top);
    this.hint.hidden = this.spot.hidden = place < 0;
    if (place < 0) return;
    const one = !field || field.length === 1;
    const line = (column: Column, value: number) => element("tr", {}, element("th", {}, column.name), element("td", { class: "number" }, readable(value, digits)), element("td", {}, column.unit));
    const rows = one
      ? this.runs.columns.filter((column) => Number.isFinite(column.values[place])).map((column) => line(column, column.values[place]))
      : [this.across, this.up].map((column) => line(column, column.values[place])).concat([line(this.shade!, this.fields!.value(field))]);
    this.hint.replaceChildren(element("strong", {}, one ? `run ${this.runs.run(place)}` : `mean of ${field.length} runs`), element("table", {}, ...rows));
    if (one && this.runs.failed(place)) this.hint.append(element("p", {}, `failed: ${this.runs.failure(place)?.reason ?? "see sweep.csv"}`));

    const x = plot.valToPos(this.across.values[place], "x");
    const y = Number.isFinite(this.up.values[place]) ? plot.valToPos(this.up.values[place], "y") : plot.over.clientHeight - 5;
    this.spot.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    const right = x > 0.55 * plot.over.clientWidth,
      low = y > 0.5 * plot.over.clientHeight;
    this.hint.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(${right ? "calc(-100% - 12px)" : "12px"}, ${low ? "calc(-100% - 8px)" : "8px"})`;
  }

  /** For tests: where a run stands, in pixels of the page. */
  positionOf(run: number): [number, number] {
    const place = Array.from({ length: this.runs.count }, (_, i) => i).find((i) => this.runs.run(i) === run)!;
    const { left, top } = this.plot!.over.getBoundingClientRect();
    return [left + this.plot!.valToPos(this.across.values[place], "x"), top + this.plot!.valToPos(this.up.values[place], "y")];
  }

  /** For tests: what is on the axes, and how it is drawn. */
  get drawn(): { across: string; up: string; colour: string | null; as: string; trend: boolean } {
    const as = this.isMap ? "map" : this.canJoin && this.join ? "lines" : "points";
    return { across: this.across.name, up: this.up.name, colour: this.shade?.name ?? null, as, trend: this.trend !== undefined };
  }
}
