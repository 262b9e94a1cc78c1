// The report of a sweep: what depends on what, how the outputs are distributed, which runs failed.
import { Dependence } from "./dependence";
import { distributionsTab } from "./distributions";
import { element, table } from "./dom";
import { header } from "./header";
import { FailureData, percent, readable, SweepData } from "./report";
import { SweepRuns } from "./sweep_runs";
import { Tabs } from "./tabs";
import { toggleTheme } from "./theme";

const digits = 6;

function statisticsTab(data: SweepData, show: (output: number) => void): HTMLElement {
  const { outputs } = data.statistics;
  const parts = Object.keys(outputs.find(({ quantiles }) => quantiles)?.quantiles ?? {});
  const head = ["output", "unit", "runs", "mean", "deviation", "min", ...parts.map((part) => percent(Number(part))), "max"];
  const number = (value: number | undefined) => (value === undefined ? "" : readable(value, digits));
  const rows = outputs.map(({ name, unit, count, mean, deviation, min, max, quantiles }, i) => [
    element("button", { class: "link", title: "show how it depends", click: () => show(i) }, name),
    unit,
    String(count),
    number(mean),
    number(deviation),
    number(min),
    ...parts.map((part) => number(quantiles?.[part])),
    number(max),
  ]);
  const note = "Over the runs that reached their end. Quantiles are linear between the ordered values; deviation is that of a sample, with n − 1.";
  return element(
    "section",
    { class: "text" },
    table(head, rows, head.map((_, i) => i).slice(2)),
    element("p", { class: "note" }, note),
  );
}

/** "0–7, 12, 40–41". */
const ranges = (runs: [number, number][]): string => runs.map(([first, last]) => (first === last ? String(first) : `${first}–${last}`)).join(", ");

function failuresTab(data: SweepData): HTMLElement {
  const root = element("section", { class: "text" });
  if (data.statistics.failed === 0) {
    root.append(element("p", {}, `All ${data.statistics.runs} runs reached their end.`));
    return root;
  }
  const where = ({ where }: FailureData) =>
    where.map(([least, greatest], i) => {
      const { name, unit } = data.quantities[i];
      const text = least === greatest ? readable(least, digits) : `${readable(least)} … ${readable(greatest)}`;
      return element("div", {}, `${name} = ${text}${unit ? ` ${unit}` : ""}`);
    });
  const rows = data.failures.map((failure) => {
    const more = failure.count - failure.listed;
    return [
      String(failure.count),
      failure.reason,
      element("div", { class: "where" }, ...where(failure)),
      element("div", { class: "runs" }, ranges(failure.runs) + (more > 0 ? ` and ${more} more, in sweep.csv` : "")),
    ];
  });
  const { failed, runs } = data.statistics;
  root.append(
    element("p", {}, `${failed} of ${runs} runs failed. Statistics are over the others.`),
    table(["count", "reason", "between", "runs"], rows, [0]),
  );
  if (data.other_failures > 0) root.append(element("p", { class: "note" }, `${data.other_failures} more failed for other reasons, in sweep.csv.`));
  root.append(element("p", { class: "note" }, "… stands for a number that is another in each run; sweep.csv has the reason of each."));
  return root;
}

function summaryTab(data: SweepData): HTMLElement {
  const rows = data.quantities.map(({ name, unit, text, drawn, size }) => [name, unit, text.slice(text.indexOf("=") + 1).trim(), drawn ? `drawn ${data.draws} times` : `${size} values`]);
  return element(
    "section",
    { class: "text" },
    element("h3", {}, "What was varied"),
    table(["quantity", "unit", "values", ""], rows),
    element("h3", {}, "The sweep"),
    element("dl", {}, ...data.facts.filter(([name]) => name !== "varied" && name !== "").flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)])),
  );
}

function badges(data: SweepData): [string, string, string?][] {
  const { runs, failed } = data.statistics;
  const varied = data.quantities.map(({ text }, i): [string, string] => [i === 0 ? "varied" : "", text]);
  const most = 4;
  const result: [string, string, string?][] = varied.slice(0, most);
  if (varied.length > most) result.push(["and", `${varied.length - most} more`]);
  const drawn = data.facts.find(([name]) => name === "drawn");
  if (drawn) result.push(drawn);
  result.push(["runs", String(runs)], ["failed", String(failed), failed > 0 ? "bad" : ""]);
  return result;
}

export function showSweep(data: SweepData): void {
  const runs = new SweepRuns(data);
  const dependence = new Dependence(runs);
  const failed = data.statistics.failed;
  const tabs: Tabs = new Tabs([
    ["Dependence", dependence.root],
    ["Distributions", distributionsTab(data)],
    [
      "Statistics",
      statisticsTab(data, (output) => {
        dependence.choose(output);
        tabs.show(0);
      }),
    ],
    [failed > 0 ? `Failures (${failed})` : "Failures", failuresTab(data)],
    ["Summary", summaryTab(data)],
  ]);
  document.body.append(header(data.title, badges(data)), element("div", { class: "stage" }, tabs.root));
  dependence.draw();
  document.onkeydown = (event) => {
    if (event.key === "d" && !(event.target as HTMLElement).matches("select") && !event.ctrlKey && !event.metaKey && !event.altKey) toggleTheme();
  };
  Object.assign(window, { maggi: { runs, dependence } });
}
