// How the outputs of a sweep are distributed: a histogram of each, over all runs, mean and quantiles marked.
import uPlot from "uplot";
import { canvas } from "./chart";
import { element } from "./dom";
import { percent, readable, SweepData, withUnit } from "./report";
import { colour, onTheme } from "./theme";

class Histogram {
  readonly root: HTMLElement;
  private readonly box = element("div", { class: "chart" });
  private readonly hint = element("output", { class: "note" });
  private readonly low: number;
  private readonly width: number; // of a bin
  private readonly counts: number[];
  private readonly marks: [string, number][];
  private readonly mean: number;
  private readonly unit: string;
  private readonly total: number; // of runs
  private plot?: uPlot;
  private hovered = -1;

  constructor(data: SweepData, index: number) {
    const { low, high, counts } = data.histograms[index];
    const statistics = data.statistics.outputs[index];
    // all runs alike: a bin about their value
    const room = high > low ? 0 : Math.max(Math.abs(low), 1e-300) * 0.05;
    this.low = low - room;
    this.width = (high - low + 2 * room) / Math.max(1, counts.length);
    this.counts = counts;
    this.marks = Object.entries(statistics.quantiles ?? {}).map(([part, value]) => [percent(Number(part)), value]);
    this.mean = statistics.mean ?? NaN;
    this.unit = statistics.unit;
    this.total = statistics.count;
    this.root = element(
      "figure",
      { class: "card", "data-output": statistics.name },
      element("figcaption", {}, withUnit(statistics.name, statistics.unit)),
      counts.length > 0 ? this.box : element("p", { class: "empty" }, "No run reached its end."),
      this.hint,
    );
    this.tell(-1);
    if (counts.length > 0) new ResizeObserver(() => this.draw()).observe(this.box);
  }

  draw(): void {
    const width = this.box.clientWidth;
    if (width === 0 || this.counts.length === 0) return; // not seen
    this.plot?.destroy();
    const most = Math.max(...this.counts);
    const end = this.low + this.counts.length * this.width;
    this.plot = canvas(
      this.box,
      { width, height: 220 },
      { x: "", y: "runs", counts: true },
      () => ({ x: [this.low - 0.02 * (end - this.low), end + 0.02 * (end - this.low)], y: [0, 1.3 * most] }),
      (plot, ctx) => this.paint(plot, ctx),
    );
    const at = (event: MouseEvent) => Math.floor((this.plot!.posToVal(event.offsetX, "x") - this.low) / this.width);
    this.plot.over.addEventListener("mousemove", (event) => this.tell(at(event)));
    this.plot.over.addEventListener("mouseleave", () => this.tell(-1));
  }

  private paint(plot: uPlot, ctx: CanvasRenderingContext2D): void {
    const { bbox } = plot;
    const x = (value: number) => plot.valToPos(value, "x", true);
    const y = (value: number) => plot.valToPos(value, "y", true);
    const [bar, chosen] = [colour("bar"), colour("accent")];
    this.counts.forEach((count, i) => {
      const left = Math.round(x(this.low + i * this.width)),
        right = Math.round(x(this.low + (i + 1) * this.width));
      ctx.fillStyle = i === this.hovered ? chosen : bar;
      ctx.fillRect(left, y(count), Math.max(1, right - left - 1), y(0) - y(count));
    });
    const scale = devicePixelRatio;
    ctx.font = `${11 * scale}px system-ui, sans-serif`;
    ctx.textAlign = "center";
    const line = (value: number, dash: number[], stroke: string, top: number) => {
      ctx.strokeStyle = stroke;
      ctx.lineWidth = 1.5 * scale;
      ctx.setLineDash(dash.map((length) => length * scale));
      ctx.beginPath();
      ctx.moveTo(x(value), bbox.top + top * scale);
      ctx.lineTo(x(value), bbox.top + bbox.height);
      ctx.stroke();
    };
    const free = [-Infinity, -Infinity]; // where the next label may begin, in two rows
    for (const [text, value] of this.marks) {
      line(value, [4, 3], colour("text"), 28);
      const half = 0.5 * ctx.measureText(text).width;
      const middle = Math.min(Math.max(x(value), bbox.left + half), bbox.left + bbox.width - half);
      const row = free.findIndex((from) => middle - half >= from);
      if (row < 0) continue;
      ctx.fillStyle = colour("text");
      ctx.fillText(text, middle, bbox.top + (row === 0 ? 23 : 10) * scale);
      free[row] = middle + half + 4 * scale;
    }
    line(this.mean, [], colour("trace"), 28);
  }

  private tell(bin: number): void {
    const inside = bin >= 0 && bin < this.counts.length;
    const number = (value: number) => readable(value, 6);
    const unit = this.unit ? ` ${this.unit}` : "";
    const from = this.low + bin * this.width;
    if (inside) this.hint.textContent = `${number(from)} … ${number(from + this.width)}${unit}: ${this.counts[bin]} of ${this.total} runs`;
    else this.hint.textContent = this.total > 0 ? `mean ${number(this.mean)}${unit} over ${this.total} runs` : "";
    const hovered = inside ? bin : -1;
    if (hovered !== this.hovered) {
      this.hovered = hovered;
      this.plot?.redraw(false);
    }
  }
}

export function distributionsTab(data: SweepData): HTMLElement {
  const histograms = data.histograms.map((_, i) => new Histogram(data, i));
  onTheme(() => histograms.forEach((histogram) => histogram.draw()));
  const swatch = (kind: string) => element("span", { class: `swatch ${kind}` });
  const legend = element(
    "div",
    { class: "legend" },
    element("span", {}, swatch("mean"), "mean"),
    element("span", {}, swatch("quantile"), "quantiles"),
    element("span", { class: "note" }, `over all ${data.statistics.runs - data.statistics.failed} runs that reached their end`),
  );
  return element("section", { class: "text" }, legend, element("div", { class: "cards" }, ...histograms.map(({ root }) => root)));
}
