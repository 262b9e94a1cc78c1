// The page of a report: reads what maggi put into it and shows it.
import { showComparison } from "./comparison";
import { element } from "./dom";
import { showLive } from "./live";
import { Data } from "./report";
import { showRun } from "./run";
import { showSweep } from "./sweep";

function show(): void {
  const text = document.getElementById("report")?.textContent ?? "";
  const data = JSON.parse(text) as Data;
  document.title = `${data.title} · maggi`;
  if (data.kind === "comparison") showComparison(data);
  else if (data.kind === "sweep") showSweep(data);
  else if (data.kind === "live") showLive(data);
  else showRun(data);
  document.documentElement.dataset.ready = "true";
}

try {
  show();
} catch (fault) {
  document.body.append(element("p", { class: "warning" }, `This report cannot be shown: ${String(fault)}`));
  throw fault;
}
