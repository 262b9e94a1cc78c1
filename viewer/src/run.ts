// The report of a run: motion, plots, tables, one clock.
import { Clock, naturalSpeed } from "./clock";
import { element } from "./dom";
import { header } from "./header";
import { Plots } from "./plots";
import { readable, Run, RunData } from "./report";
import { SceneView } from "./scene";
import { certificateTab, eventsTab, reactionsTab, summaryTab } from "./tables";
import { Tabs } from "./tabs";
import { toggleTheme } from "./theme";
import { transport } from "./transport";

const reachedEnd = "reached the end";
const asked = "stopped by an event"; // by the model itself: told, but no fault

function badges(data: RunData): [string, string, string?][] {
  const { summary } = data;
  const result: [string, string, string?][] = [];
  if (summary.outcome !== reachedEnd)
    result.push(["outcome", `${summary.outcome} at ${readable(summary.t)} s`, summary.outcome === asked ? "" : "bad"]);
  result.push(["degrees of freedom", String(summary.dof)], ["formulation", String(summary.formulation)]);
  if (typeof summary.energy_drift === "number") result.push(["energy drift", `${readable(summary.energy_drift)} J`]);
  result.push(["steps", String(summary.steps)]);
  if (data.cpu) {
    const total = data.cpu.reduce((sum, [, seconds]) => sum + seconds, 0);
    const parts = data.cpu.map(([what, seconds]) => `${what} ${Math.round((100 * seconds) / (total || 1))} %`);
    result.push(["CPU time", `${readable(total)} s: ${parts.join(", ")}`]);
  }
  return result;
}

/** What the page of a model being changed keeps from one run to the next. */
export interface Kept {
  panel: HTMLElement; // its sliders
  scene?: SceneView;
}

export function showRun(data: RunData, kept?: Kept): { clock?: Clock } {
  const run = new Run(data);
  const events = data.summary.events ?? [];
  if (run.states === 0) {
    document.body.append(header(data.title, badges(data)), ...(kept ? [kept.panel] : []), summaryTab(run));
    return {};
  }
  const begin = run.t[0],
    end = run.t[run.states - 1];
  const clock = new Clock(begin, end, naturalSpeed(end - begin));
  if (data.summary.outcome !== reachedEnd) clock.set(end); // where the run could not go on
  const plots = new Plots(run, clock, data.title, events);
  const first: [string, HTMLElement][] = kept ? [["Model", kept.panel]] : [];
  const tabs: Tabs = new Tabs([
    ...first,
    ["Plots", plots.root],
    ["Summary", summaryTab(run)],
    ["Constraints", certificateTab(run)],
    [
      "Reactions",
      reactionsTab(run, clock, (channel) => {
        plots.choose([channel.name]);
        tabs.show(first.length);
      }),
    ],
    [events.length > 0 ? `Events (${events.length})` : "Events", eventsTab(events, clock)],
  ]);
  const stage = element("div", { class: "stage" });
  document.body.append(header(data.title, badges(data)), stage, transport(clock, events));
  const scene = motion(run, clock, stage, kept?.scene);
  if (kept) kept.scene = scene;
  stage.append(tabs.root);
  plots.draw();
  keys(run, clock, scene);
  Object.assign(window, { maggi: { ...(window as { maggi?: object }).maggi, run, clock, plots, scene } });
  return { clock };
}

/** The scene, where the report has one and the browser can draw it. */
function motion(run: Run, clock: Clock, stage: HTMLElement, kept?: SceneView): SceneView | undefined {
  if (!run.data.scene) return undefined;
  try {
    const scene = kept ?? new SceneView(run, run.data.scene, clock);
    kept?.reload(run, run.data.scene, clock);
    stage.append(scene.root);
    return scene;
  } catch (fault) {
    stage.append(element("section", { class: "scene" }, element("p", { class: "empty" }, `The motion cannot be drawn: ${String(fault)}`)));
    return undefined;
  }
}

/** Space, arrows, home, end, f, l, d; not while someone writes. */
function keys(run: Run, clock: Clock, scene?: SceneView): void {
  const step = (states: number) => {
    const { index, part } = run.at(clock.time);
    const next = index + (part >= 1 ? 1 : states < 0 && part > 0 ? 1 : 0) + states;
    clock.set(run.t[Math.min(run.states - 1, Math.max(0, next))]);
  };
  const actions: Record<string, (shift: boolean) => void> = {
    " ": () => clock.toggle(),
    ArrowLeft: (shift) => step(shift ? -10 : -1),
    ArrowRight: (shift) => step(shift ? 10 : 1),
    Home: () => clock.set(clock.begin),
    End: () => clock.set(clock.end),
    f: () => scene?.fit(),
    l: () => clock.change({ loop: !clock.loop }),
    d: () => toggleTheme(),
  };
  document.onkeydown = (event) => {
    const target = event.target as HTMLElement;
    const writing = target.matches("input[type=search], input[type=number], .sliders input, select");
    const pressing = event.key === " " && target.matches("button");
    const action = actions[event.key];
    if (!action || writing || pressing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action(event.shiftKey);
  };
}
