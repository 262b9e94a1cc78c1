// Plots of any channels: one panel per unit, one time axis, one cursor with the animation.
import uPlot from "uplot";
import { axis, roomy, tickTexts } from "./chart";
import { Clock } from "./clock";
import { download, element, fileName } from "./dom";
import { csv, Panel, png, svg, View } from "./figure";
import { Channel, Event, readable, Run, withUnit } from "./report";
import { colour, curveStyle, onTheme } from "./theme";

const groupTitles: Record<string, string> = {
  coordinates: "Coordinates",
  velocities: "Velocities",
  accelerations: "Accelerations",
  multipliers: "Multipliers",
  reactions: "Reactions",
  forces: "Forces",
  controls: "Controls",
  powers: "Powers",
  energies: "Energies",
  outputs: "Outputs",
  residuals: "Residuals",
  drawing: "Drawing",
};

export class Plots {
  readonly root: HTMLElement;
  private readonly panels = element("div", { class: "panels" });
  private readonly list = element("div", { class: "channels", role: "listbox", "aria-multiselectable": "true" });
  private readonly chosen: Channel[] = [];
  private readonly options = new Map<Channel, HTMLElement>();
  private shown: { plot: uPlot; panel: Panel; line: HTMLElement; values: HTMLElement[] }[] = [];
  private log = false;
  private window: [number, number] | null = null;

  constructor(
    private readonly run: Run,
    private readonly clock: Clock,
    title: string,
    private readonly events: Event[],
  ) {
    const search = element("input", {
      type: "search",
      placeholder: "find a channel",
      "aria-label": "find a channel",
      input: () => this.filter(search.value),
      keydown: (event: KeyboardEvent) => event.key === "Enter" && this.chooseOnlyMatch(),
    });
    const log = element("button", { "aria-pressed": "false", title: "logarithm of the absolute values" }, "log");
    log.addEventListener("click", () => {
      this.log = !this.log;
      log.setAttribute("aria-pressed", String(this.log));
      this.draw();
    });
    const reset = element("button", { title: "all of the time (double click in a plot)", click: () => this.zoom(null) }, "all");
    const saving = (kind: string, make: () => Blob | Promise<Blob>) =>
      element("button", { title: `save what is shown as ${kind}`, click: async () => download(`${fileName(title)}.${kind.toLowerCase()}`, await make()) }, kind);
    const tools = element(
      "div",
      { class: "tools" },
      log,
      reset,
      element("span", { class: "gap" }),
      saving("CSV", () => new Blob([csv(this.figure(), this.view())], { type: "text/csv" })),
      saving("PNG", () => png(this.figure(), this.view())),
      saving("SVG", () => new Blob([svg(this.figure(), this.view())], { type: "image/svg+xml" })),
    );
    this.root = element(
      "section",
      { class: "plots" },
      element("div", { class: "chooser" }, search, this.list),
      element("div", { class: "figure" }, tools, this.panels),
    );
    this.fillList();
    this.firstChoice().forEach((channel) => this.toggle(channel, false));
    new ResizeObserver(() => this.resize()).observe(this.panels);
    onTheme(() => this.draw());
    clock.onTime((time) => this.showTime(time));
  }

  /** What one would look at first: the coordinates, of the unit that most of them have. */
  private firstChoice(): Channel[] {
    const coordinates = this.run.channels.filter((channel) => channel.group === "coordinates");
    return coordinates.slice(0, 4);
  }

  private fillList(): void {
    for (const [group, title] of Object.entries(groupTitles)) {
      const members = this.run.channels.filter((channel) => channel.group === group);
      if (members.length === 0) continue;
      this.list.append(element("h3", {}, title));
      for (const channel of members) {
        const option = element(
          "button",
          { role: "option", "aria-selected": "false", "data-channel": channel.name, click: () => this.toggle(channel) },
          element("span", { class: "swatch" }),
          element("span", { class: "name" }, channel.name),
          element("span", { class: "unit" }, channel.unit),
        );
        this.options.set(channel, option);
        this.list.append(option);
      }
    }
  }

  private filter(text: string): void {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    for (const [channel, option] of this.options) {
      const name = `${channel.name} ${channel.group} ${channel.unit}`.toLowerCase();
      option.hidden = !words.every((word) => name.includes(word));
    }
    for (const heading of this.list.querySelectorAll("h3")) {
      let next = heading.nextElementSibling as HTMLElement | null;
      let any = false;
      for (; next && next.tagName !== "H3"; next = next.nextElementSibling as HTMLElement | null) any ||= !next.hidden;
      heading.hidden = !any;
    }
  }

  private chooseOnlyMatch(): void {
    const matches = [...this.options].filter(([, option]) => !option.hidden);
    if (matches.length > 0) this.toggle(matches[0][0]);
  }

  toggle(channel: Channel, announce = true): void {
    const at = this.chosen.indexOf(channel);
    if (at >= 0) this.chosen.splice(at, 1);
    else this.chosen.push(channel);
    this.options.get(channel)?.setAttribute("aria-selected", String(at < 0));
    if (announce || this.shown.length > 0) this.draw();
  }

  choose(names: string[]): void {
    for (const channel of [...this.chosen]) this.toggle(channel, false);
    for (const name of names) this.toggle(this.run.channel(name), false);
    this.draw();
  }

  private figure(): Panel[] {
    const panels: Panel[] = [];
    this.chosen.forEach((channel, style) => {
      let panel = panels.find((each) => each.unit === channel.unit);
      if (!panel) panels.push((panel = { unit: channel.unit, curves: [] }));
      panel.curves.push({ channel, style });
    });
    return panels;
  }

  private view(): View {
    const [from, until] = this.window ?? [this.clock.begin, this.clock.end];
    return { t: this.run.t, from, until, log: this.log };
  }

  private zoom(window: [number, number] | null): void {
    this.window = window;
    const [min, max] = window ?? [this.clock.begin, this.clock.end];
    for (const { plot } of this.shown) plot.setScale("x", { min, max });
    this.showTime(this.clock.time);
  }

  private height(count: number): number {
    if (matchMedia("(max-width: 760px)").matches) return 240;
    const room = this.panels.clientHeight || 480;
    return Math.max(150, Math.floor(room / count) - 40);
  }

  draw(): void {
    for (const { plot } of this.shown) plot.destroy();
    this.panels.replaceChildren();
    for (const [channel, option] of this.options) {
      const at = this.chosen.indexOf(channel);
      (option.firstElementChild as HTMLElement).style.background = at < 0 ? "" : curveStyle(at).stroke;
    }
    const figure = this.figure();
    if (figure.length === 0) this.panels.append(element("p", { class: "empty" }, "Choose a channel on the list."));
    this.shown = figure.map((panel) => this.drawPanel(panel, this.height(figure.length)));
    if (this.window) this.zoom(this.window);
    this.showTime(this.clock.time);
  }

  private drawPanel(panel: Panel, height: number): (typeof this.shown)[number] {
    const values = panel.curves.map(() => element("span", { class: "value" }));
    const legend = element("div", { class: "legend" });
    panel.curves.forEach(({ channel, style }, i) => {
      const look = curveStyle(style);
      const swatch = element("span", { class: "swatch" });
      swatch.style.borderTop = `3px ${look.dash.length ? "dashed" : "solid"} ${look.stroke}`;
      legend.append(element("span", { class: "entry" }, swatch, element("span", { class: "name" }, channel.name), values[i]));
    });
    const box = element("div", { class: "panel" }, legend);
    this.panels.append(box);

    const data = panel.curves.map(({ channel }) =>
      this.log ? Float64Array.from(channel.values, (v) => (v === 0 ? NaN : Math.abs(v))) : channel.values,
    );
    const single = panel.curves.length === 1 ? panel.curves[0].channel.name : "";
    const plot = new uPlot(
      {
        width: Math.max(200, box.clientWidth || 600),
        height,
        legend: { show: false },
        cursor: { sync: { key: "time" }, drag: { x: true, y: false }, points: { size: 6 } },
        scales: {
          x: { time: false, range: (_, min, max) => [min, max] },
          y: { distr: this.log ? 3 : 1, range: this.log ? undefined : (_, min, max) => roomy(min, max) },
        },
        series: [
          {},
          ...panel.curves.map(({ channel, style }) => ({ label: channel.name, width: 1.6, pxAlign: 0, points: { show: false }, ...curveStyle(style) })),
        ],
        axes: [
          { ...axis("t [s]"), size: 34 },
          { ...axis(withUnit(single, panel.unit)), size: 64, values: tickTexts },
        ],
        hooks: {
          drawClear: [(plot) => this.markEvents(plot)],
          draw: [() => this.showTime(this.clock.time)], // only now are its scales known
          setSelect: [
            (plot) => {
              if (plot.select.width < 4) return;
              this.zoom([plot.posToVal(plot.select.left, "x"), plot.posToVal(plot.select.left + plot.select.width, "x")]);
            },
          ],
        },
      },
      [this.run.t as unknown as number[], ...(data as unknown as number[][])],
      box,
    );
    plot.over.addEventListener("dblclick", () => this.zoom(null));
    plot.over.addEventListener("click", (event) => {
      if (plot.select.width < 4) this.clock.set(plot.posToVal(event.offsetX, "x"));
    });
    const line = element("div", { class: "now" });
    plot.over.append(line);
    return { plot, panel, line, values };
  }

  private markEvents(plot: uPlot): void {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.strokeStyle = colour("event");
    ctx.setLineDash([3, 4]);
    for (const event of this.events) {
      const x = Math.round(plot.valToPos(event.t, "x", true)) + 0.5;
      if (x < bbox.left || x > bbox.left + bbox.width) continue;
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
    }
    ctx.restore();
  }

  private showTime(time: number): void {
    for (const { plot, panel, line, values } of this.shown) {
      const x = plot.valToPos(time, "x");
      line.hidden = !(x >= 0 && x <= plot.over.clientWidth);
      line.style.transform = `translateX(${x.toFixed(1)}px)`;
      panel.curves.forEach(({ channel }, i) => (values[i].textContent = readable(this.run.value(channel, time))));
    }
  }

  private resize(): void {
    for (const { plot } of this.shown) {
      const width = Math.max(200, this.panels.clientWidth - 2);
      const height = this.height(this.shown.length);
      if (plot.width !== width || plot.height !== height) plot.setSize({ width, height });
    }
    this.showTime(this.clock.time);
  }

  /** For tests: what is drawn. */
  get drawn(): string[] {
    return this.shown.flatMap(({ plot }) => plot.series.slice(1).map((series) => String(series.label)));
  }
}
