// The report of `maggi compare`: work against precision, and the table of all methods.
import { download, element, fileName, table } from "./dom";
import { header } from "./header";
import { ComparisonData, ComparisonRow, readable } from "./report";
import { Tabs } from "./tabs";
import { curveStyle, onTheme } from "./theme";

type Work = "seconds" | "evaluations" | "steps";
const workTitles: Record<Work, string> = { seconds: "CPU time [s]", evaluations: "evaluations of v̇", steps: "steps" };

/** What tells a row from others of its formulation; what is the same in all rows would only be noise. */
function kinds(rows: ComparisonRow[]): string[] {
  const keys = (["basis", "drift_control", "unknowns"] as const).filter((key) => new Set(rows.map((row) => row[key])).size > 1);
  return rows.map((row) => keys.map((key) => row[key]).filter(Boolean).join(" · "));
}

const svgNode = (tag: string, attributes: Record<string, string | number>, text = ""): SVGElement => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  if (text) made.textContent = text;
  return made;
};

/** Both axes logarithmic: how far from the reference a run ends, and what it costs. */
class WorkPrecision {
  readonly root: HTMLElement;
  private readonly chart = element("div", { class: "chart" });
  private readonly list = element("div", { class: "channels", role: "listbox", "aria-multiselectable": "true" });
  private readonly kinds: string[];
  private readonly formulations: string[];
  private readonly hidden = new Set<ComparisonRow>();
  private work: Work = "seconds";
  private readonly rows: ComparisonRow[];

  constructor(private readonly data: ComparisonData) {
    this.rows = data.rows.filter((row) => this.points(row).length > 0);
    this.kinds = kinds(this.rows);
    this.formulations = [...new Set(this.rows.map((row) => row.formulation))];
    const work = element("select", { "aria-label": "work" }, ...Object.entries(workTitles).map(([key, title]) => element("option", { value: key }, title)));
    work.addEventListener("change", () => {
      this.work = work.value as Work;
      this.draw();
    });
    const save = element("button", { title: "save the diagram as SVG", click: () => this.save() }, "SVG");
    this.root = element(
      "section",
      { class: "plots" },
      element("div", { class: "chooser" }, this.list),
      element("div", { class: "figure" }, element("div", { class: "tools" }, work, element("span", { class: "gap" }), save), this.chart),
    );
    this.fillList();
    new ResizeObserver(() => this.draw()).observe(this.chart);
    onTheme(() => this.draw());
  }

  get empty(): boolean {
    return this.rows.length === 0;
  }

  private points(row: ComparisonRow): { error: number; work: number; rtol: number }[] {
    return row.points
      .filter((point) => point.end_error !== null && point.end_error > 0 && point[this.work] > 0)
      .map((point) => ({ error: point.end_error!, work: point[this.work], rtol: point.rtol }));
  }

  private fillList(): void {
    for (const formulation of this.formulations) {
      const members = this.rows.filter((row) => row.formulation === formulation);
      const all = element("button", { class: "link", title: "hide or show all of them" }, formulation);
      this.list.append(element("h3", {}, all));
      const options = members.map((row) => {
        const swatch = element("span", { class: "swatch" });
        swatch.style.background = this.look(row).stroke;
        const name = this.kinds[this.rows.indexOf(row)] || "without basis";
        const option = element("button", { role: "option", "aria-selected": "true" }, swatch, element("span", { class: "name" }, name));
        const set = (visible: boolean) => {
          if (visible) this.hidden.delete(row);
          else this.hidden.add(row);
          option.setAttribute("aria-selected", String(visible));
        };
        option.addEventListener("click", () => {
          set(this.hidden.has(row));
          this.draw();
        });
        option.addEventListener("mouseenter", () => this.highlight(this.rows.indexOf(row)));
        option.addEventListener("mouseleave", () => this.highlight(-1));
        this.list.append(option);
        return { row, set };
      });
      all.addEventListener("click", () => {
        const show = options.every(({ row }) => this.hidden.has(row));
        options.forEach(({ set }) => set(show));
        this.draw();
      });
    }
  }

  /** A colour for each formulation, a dash for each of its bases. */
  private look(row: ComparisonRow): { stroke: string; dash: number[] } {
    const place = this.formulations.indexOf(row.formulation);
    const member = this.rows.filter((each) => each.formulation === row.formulation).indexOf(row);
    return { stroke: curveStyle(place % 6).stroke, dash: curveStyle(6 * (member % 4)).dash };
  }

  private highlight(index: number): void {
    for (const line of this.chart.querySelectorAll<SVGElement>("g[data-row]"))
      line.style.opacity = index < 0 || line.dataset.row === String(index) ? "1" : "0.12";
  }

  draw(): void {
    const width = Math.max(320, this.chart.clientWidth - 8),
      height = Math.max(300, this.chart.clientHeight - 8);
    const margin = { left: 70, right: 16, top: 14, bottom: 46 };
    const visible = this.rows.filter((row) => !this.hidden.has(row));
    const all = visible.flatMap((row) => this.points(row));
    this.chart.replaceChildren();
    if (all.length === 0) {
      this.chart.append(element("p", { class: "empty" }, "Nothing to show."));
      return;
    }
    const decades = (values: number[]): [number, number] => {
      const logs = values.map(Math.log10);
      const low = Math.min(...logs),
        high = Math.max(...logs),
        room = Math.max(0.08 * (high - low), 0.1);
      return [low - room, high + room];
    };
    const [x0, x1] = decades([...all.map((point) => point.error), this.data.accuracy]);
    const [y0, y1] = decades(all.map((point) => point.work));
    const x = (error: number) => margin.left + ((x1 - Math.log10(error)) / (x1 - x0)) * (width - margin.left - margin.right);
    const y = (work: number) => height - margin.bottom - ((Math.log10(work) - y0) / (y1 - y0)) * (height - margin.top - margin.bottom);
    const svg = svgNode("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "font-size": 12, "font-family": "system-ui, sans-serif", xmlns: "http://www.w3.org/2000/svg" });
    const style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue("--text"),
      grid = style.getPropertyValue("--grid");
    const every = (low: number, high: number) => Math.max(1, Math.ceil((high - low) / 8));
    for (let k = Math.ceil(x0); k <= x1; k += every(x0, x1)) {
      svg.append(svgNode("line", { x1: x(10 ** k), x2: x(10 ** k), y1: margin.top, y2: height - margin.bottom, stroke: grid }));
      svg.append(svgNode("text", { x: x(10 ** k), y: height - margin.bottom + 18, "text-anchor": "middle", fill: ink }, `1e${k}`.replace("-", "−")));
    }
    const wide = y1 - y0 > 3;
    for (let k = Math.floor(y0); k <= y1; ++k)
      for (const factor of wide ? [1] : [1, 2, 5]) {
        const value = factor * 10 ** k;
        if (Math.log10(value) < y0 || Math.log10(value) > y1) continue;
        svg.append(svgNode("line", { x1: margin.left, x2: width - margin.right, y1: y(value), y2: y(value), stroke: grid }));
        svg.append(svgNode("text", { x: margin.left - 7, y: y(value) + 4, "text-anchor": "end", fill: ink }, readable(value)));
      }
    const wanted = x(this.data.accuracy);
    svg.append(svgNode("line", { x1: wanted, x2: wanted, y1: margin.top, y2: height - margin.bottom, stroke: ink, "stroke-dasharray": "3 4" }));
    svg.append(svgNode("text", { x: width / 2, y: height - 8, "text-anchor": "middle", fill: ink }, "relative error at the end, more precise to the right"));
    svg.append(svgNode("text", { x: 0, y: 0, "text-anchor": "middle", fill: ink, transform: `translate(14 ${(height - margin.bottom) / 2}) rotate(-90)` }, workTitles[this.work]));
    for (const row of visible) {
      const index = this.rows.indexOf(row);
      const name = [row.formulation, this.kinds[index]].filter(Boolean).join(" · ");
      const look = this.look(row);
      const points = this.points(row);
      const group = svgNode("g", { "data-row": index, fill: look.stroke });
      group.append(svgNode("title", {}, name));
      group.append(svgNode("polyline", { points: points.map((p) => `${x(p.error).toFixed(1)},${y(p.work).toFixed(1)}`).join(" "), fill: "none", stroke: look.stroke, "stroke-width": 1.6, "stroke-dasharray": look.dash.join(" ") }));
      for (const p of points) {
        const dot = svgNode("circle", { cx: x(p.error), cy: y(p.work), r: 3.2 });
        dot.append(svgNode("title", {}, `${name}\nrtol ${p.rtol}: error ${readable(p.error)}, ${readable(p.work)} ${this.work}`));
        group.append(dot);
      }
      group.addEventListener("mouseenter", () => this.highlight(index));
      group.addEventListener("mouseleave", () => this.highlight(-1));
      svg.append(group);
    }
    this.chart.append(svg);
  }

  private save(): void {
    download(`${fileName(this.data.title)}_work_precision.svg`, new Blob([this.chart.innerHTML], { type: "image/svg+xml" }));
  }
}

interface Column {
  title: string;
  value: (row: ComparisonRow) => string | number | null;
}

function methodsTable(data: ComparisonData): HTMLElement {
  const given = (key: string) => (row: ComparisonRow) => (row[key] as string | number | null) ?? null;
  const all: Column[] = [
    { title: "formulation", value: given("formulation") },
    { title: "basis", value: given("basis") },
    { title: "drift control", value: given("drift_control") },
    { title: "unknowns", value: given("unknowns") },
    { title: "error of v̇", value: given("vdot_error") },
    { title: "error of λ", value: given("lambda_error") },
    { title: "an evaluation [s]", value: given("seconds") },
    { title: `to ${readable(data.accuracy)} [s]`, value: given("work_seconds") },
    { title: "steps", value: given("steps") },
    { title: "evaluations", value: given("evaluations") },
    { title: "error at the end", value: given("end_error") },
    { title: "drift", value: given("drift") },
    { title: "energy drift [J]", value: given("energy_drift") },
    { title: "", value: (row) => row.disagreement ?? row.failure },
  ];
  const columns = all.filter((column, i) => i === 0 || data.rows.some((row) => column.value(row) !== null));
  const numeric = columns.flatMap((column, i) => (data.rows.some((row) => typeof column.value(row) === "number") ? [i] : []));
  const root = element("section", { class: "text" });
  let sortedBy = -1,
    down = false;
  const show = () => {
    const rows = [...data.rows];
    if (sortedBy >= 0)
      rows.sort((a, b) => {
        const [p, q] = [columns[sortedBy].value(a), columns[sortedBy].value(b)];
        const order = p === null ? (q === null ? 0 : 2) : q === null ? -2 : p < q ? -1 : p > q ? 1 : 0;
        return Math.abs(order) === 2 ? order : down ? -order : order; // what has no value comes last
      });
    const text = (value: string | number | null) => (value === null ? "" : typeof value === "number" ? readable(value) : value);
    const made = table(
      columns.map(({ title }) => title),
      rows.map((row) => columns.map((column) => text(column.value(row)))),
      numeric,
    );
    made.querySelectorAll("th").forEach((head, i) => {
      if (!columns[i].title) return;
      head.replaceChildren(
        element("button", { class: "link", title: "sort", click: () => {
          down = sortedBy === i && !down;
          sortedBy = i;
          show();
        } }, columns[i].title + (i === sortedBy ? (down ? " ↓" : " ↑") : "")),
      );
    });
    root.replaceChildren(made);
  };
  show();
  return root;
}

export function showComparison(data: ComparisonData): void {
  const refused = data.rows.filter((row) => row.failure).length;
  const wrong = data.rows.filter((row) => row.disagreement).length;
  const badges: [string, string, string?][] = [["methods", String(data.rows.length)]];
  if (refused > 0) badges.push(["refuse or fail", String(refused)]);
  badges.push(["disagree", String(wrong), wrong > 0 ? "bad" : ""]);
  const diagram = new WorkPrecision(data);
  const sections: [string, HTMLElement][] = [["Methods", methodsTable(data)]];
  if (!diagram.empty) sections.unshift(["Work and precision", diagram.root]);
  document.body.append(header(data.title, badges), element("div", { class: "stage" }, new Tabs(sections).root));
  diagram.draw();
}
