// maggi view: a model that is being changed, by its sliders and in its file.
import { Clock } from "./clock";
import { element } from "./dom";
import { LiveData, readable, Run, RunData } from "./report";
import { Kept, showRun } from "./run";

interface Slider {
  kind: "parameter" | "start" | "speed";
  name: string;
  unit: string;
  value: number;
  in_file: number;
}

interface Fault {
  file: string;
  line: number;
  column: number;
  message: string;
  help: string;
  source: [number, string][];
}

interface Answer {
  version: string;
  sliders?: Slider[];
  report?: RunData;
  free_motions?: { name: string; motion: RunData }[];
  error?: Fault;
}

type Wish = "assembly" | "motion";

const titles = { parameter: "Parameters", start: "At the start", speed: "Speeds at the start" };
const pause = 400; // [ms] between looks at the file

/** From a fifth to three times a parameter; as far as 1 to both sides of a value of the start. */
function range({ kind, in_file }: Slider): [number, number] {
  if (kind === "parameter" && in_file !== 0) return [0.2 * in_file, 3 * in_file].sort((a, b) => a - b) as [number, number];
  const reach = Math.max(1, Math.abs(in_file));
  return [in_file - reach, in_file + reach];
}

class Live {
  private readonly values: Record<string, number> = {}; // those that were moved
  private readonly panel = element("section", { class: "text sliders" });
  private readonly fault = element("section", { class: "fault", role: "alert", hidden: true });
  private readonly kept: Kept = { panel: this.panel };
  private version = "";
  private shownSliders = "";
  private wish?: Wish;
  private asking?: { wish: Wish; stop: AbortController };
  private last?: Answer;

  constructor(data: LiveData) {
    document.body.append(element("p", { class: "empty" }, `${data.title} …`));
    this.want("motion");
    void this.watch();
  }

  /** The latest wish counts: one that is being answered and takes long is dropped for it. */
  private want(wish: Wish): void {
    this.wish = wish;
    if (!this.asking) void this.ask();
    else if (this.asking.wish === "motion") this.asking.stop.abort();
  }

  private async ask(): Promise<void> {
    while (this.wish) {
      const wish = this.wish;
      this.wish = undefined;
      this.asking = { wish, stop: new AbortController() };
      document.documentElement.dataset.busy = wish;
      try {
        const response = await fetch(`/${wish}`, { method: "POST", body: JSON.stringify(this.values), signal: this.asking.stop.signal });
        this.show((await response.json()) as Answer, wish);
      } catch (fault) {
        if (!this.asking.stop.signal.aborted) this.showFault({ file: "", line: 0, column: 0, message: `maggi does not answer: ${String(fault)}`, help: "is it still running?", source: [] });
      }
      this.asking = undefined;
    }
    delete document.documentElement.dataset.busy;
  }

  private async watch(): Promise<void> {
    for (;;) {
      await new Promise((later) => setTimeout(later, pause));
      if (this.asking) continue;
      try {
        const version = (await (await fetch("/version")).json()) as string;
        if (version !== this.version && !this.asking) this.want("motion");
      } catch {
        // it was ended, or it is being started again
      }
    }
  }

  private show(answer: Answer, wish: Wish): void {
    this.version = answer.version;
    this.last = answer;
    if (answer.sliders) this.showSliders(answer.sliders);
    this.showFault(answer.error);
    if (!answer.report) {
      if (!document.querySelector(".stage")) document.body.replaceChildren(this.fault, this.panel);
      return;
    }
    if (wish === "assembly" && this.kept.scene && answer.report.scene) {
      const run = new Run(answer.report);
      this.kept.scene.reload(run, answer.report.scene, new Clock(run.t[0], run.t[0], 1));
      return;
    }
    const focus = document.activeElement as HTMLElement | null;
    this.showFreeMotions(answer.free_motions ?? []);
    document.body.replaceChildren(this.fault);
    document.title = `${answer.report.title} · maggi`;
    showRun(answer.report, this.kept);
    focus?.focus();
  }

  // --- what can be changed ---------------------------------------------------------------------------------------

  private showSliders(sliders: Slider[]): void {
    const same = JSON.stringify(sliders.map(({ kind, name, in_file }) => [kind, name, in_file]));
    if (same === this.shownSliders) return;
    this.shownSliders = same;
    const groups = (["parameter", "start", "speed"] as const).flatMap((kind) => {
      const members = sliders.filter((slider) => slider.kind === kind);
      return members.length > 0 ? [element("h3", {}, titles[kind]), ...members.map((slider) => this.slider(slider))] : [];
    });
    if (groups.length === 0) groups.push(element("p", {}, "The model has no number that could be changed here."));
    this.panel.replaceChildren(...groups, element("div", { class: "free" }));
  }

  private slider(given: Slider): HTMLElement {
    const key = `${given.kind} ${given.name}`;
    const [min, max] = range(given);
    const bar = element("input", { type: "range", min: String(min), max: String(max), step: "any", value: String(given.value), "aria-label": given.name });
    const number = element("input", { type: "number", step: "any", value: String(Number(given.value.toPrecision(6))), "aria-label": `${given.name}, as a number` });
    const set = (value: number, wish: Wish) => {
      if (!Number.isFinite(value)) return;
      this.values[key] = value;
      this.want(wish);
    };
    bar.addEventListener("input", () => {
      number.value = String(Number(Number(bar.value).toPrecision(4)));
      set(Number(number.value), "assembly");
    });
    bar.addEventListener("change", () => set(Number(number.value), "motion"));
    number.addEventListener("change", () => {
      bar.value = number.value;
      set(number.valueAsNumber, "motion");
    });
    const reset = element("button", {
      title: `back to ${readable(given.in_file)}, as in the file`,
      "aria-label": `${given.name} as in the file`,
      click: () => {
        bar.value = String(given.in_file);
        number.value = String(Number(given.in_file.toPrecision(6)));
        delete this.values[key];
        this.want("motion");
      },
    }, "↺");
    return element("label", { class: "slider" }, element("span", { title: given.name }, given.name), bar, number, element("small", {}, given.unit), reset);
  }

  // --- what the constraints leave free ---------------------------------------------------------------------------

  private showFreeMotions(motions: NonNullable<Answer["free_motions"]>): void {
    const place = this.panel.querySelector(".free");
    if (!place) return;
    place.replaceChildren();
    if (motions.length === 0) return;
    const buttons = motions.map(({ name, motion }) => element("button", { title: `move ${name}, the other free ones held`, click: () => this.playFree(motion) }, name));
    const back = element("button", { click: () => this.last?.report && this.show(this.last, "motion") }, "back to the run");
    place.append(
      element("h3", {}, "Free motions"),
      element("p", { class: "note" }, "What the constraints leave free at the start, whatever the forces: one independent coordinate moves, the others rest."),
      element("div", { class: "choices" }, ...buttons, back),
    );
  }

  private playFree(data: RunData): void {
    if (!this.kept.scene || !data.scene) return;
    const run = new Run(data);
    const clock = new Clock(run.t[0], run.t[run.states - 1], 1);
    this.kept.scene.reload(run, data.scene, clock);
    clock.toggle();
    Object.assign((window as unknown as { maggi: object }).maggi, { free: { run, clock } });
  }

  // --- what is wrong ---------------------------------------------------------------------------------------------

  private showFault(fault?: Fault): void {
    this.fault.hidden = !fault;
    if (!fault) return;
    const place = fault.line > 0 ? `${fault.file}:${fault.line}${fault.column > 0 ? `:${fault.column}` : ""}` : fault.file;
    const lines = fault.source.map(([number, text]) =>
      element("code", number === fault.line ? { class: "here" } : {}, `${String(number).padStart(4)}  ${text}\n`),
    );
    this.fault.replaceChildren(
      element("strong", {}, place ? `${place}: ${fault.message}` : fault.message),
      ...(fault.help ? [element("span", {}, ` (${fault.help})`)] : []),
      ...(lines.length > 0 ? [element("pre", {}, ...lines)] : []),
    );
    if (!this.fault.isConnected) document.body.prepend(this.fault);
  }
}

export function showLive(data: LiveData): void {
  Object.assign(window, { maggi: { live: new Live(data) } });
}
