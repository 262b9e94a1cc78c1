// The tabs that are tables: facts of the run, redundant constraints, reactions, events.
import { Clock } from "./clock";
import { element, table } from "./dom";
import { Certificate, Channel, Event, readable, Run } from "./report";

export function summaryTab(run: Run): HTMLElement {
  const { facts, summary, left_out } = run.data;
  const root = element("section", { class: "text" });
  if (summary.explanation) root.append(element("p", { class: "warning" }, summary.explanation));
  root.append(
    element(
      "dl",
      {},
      ...facts.flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]),
    ),
  );
  for (const sentence of left_out) root.append(element("p", { class: "note" }, sentence));
  return root;
}

/** "right = −left + 2 middle", as `maggi check` writes it. */
function combination(row: Certificate["redundant"][number]): string {
  const terms = Object.entries(row.combination);
  if (terms.length === 0) return `${row.row} has no effect here: its row of C is zero`;
  const text = terms.map(([name, factor], i) => {
    const sign = factor < 0 ? (i === 0 ? "−" : " − ") : i === 0 ? "" : " + ";
    const size = readable(Math.abs(factor));
    return sign + (size === "1" ? name : `${size} ${name}`);
  });
  return `${row.row} = ${text.join("")}`;
}

function verdict(row: Certificate["redundant"][number]): string {
  const lasting = row.permanent === null ? "whether it lasts is not known" : row.permanent ? "permanent" : "only in this configuration";
  const agreement = row.compatible ? "compatible" : "in conflict with the others";
  return `${lasting}, ${agreement}${row.hides_condition ? ", but not nearby: it hides a further condition" : ""}`;
}

export function certificateTab(run: Run): HTMLElement {
  const { certificate, certificate_note, summary } = run.data;
  const root = element("section", { class: "text" });
  if (!certificate) {
    root.append(element("p", {}, certificate_note ?? "The model has no constraints."));
    return root;
  }
  const rows = certificate.rank + certificate.redundant.length;
  const freedom = `${summary.dof} degree${summary.dof === 1 ? "" : "s"} of freedom`;
  root.append(
    element(
      "p",
      {},
      certificate.redundant.length === 0
        ? `All ${rows} constraint rows are independent: rank ${certificate.rank}, ${freedom}.`
        : `${certificate.redundant.length} of ${rows} constraint rows follow from the others: rank ${certificate.rank}, ${freedom}.`,
    ),
  );
  if (certificate.redundant.length > 0)
    root.append(
      element("h3", {}, "Redundant, as rows of C at the start"),
      table(["combination", "verdict"], certificate.redundant.map((row) => [combination(row), verdict(row)])),
    );
  if (certificate.rank_nearby > certificate.rank)
    root.append(
      element("p", { class: "warning" }, `The start is a singular configuration: the rank is ${certificate.rank} here and ${certificate.rank_nearby} nearby.`),
    );
  root.append(
    element("h3", {}, "Constraints"),
    table(
      ["row", "level", "multiplier"],
      certificate.reactions.map(({ name, level, unique }) => [name, level, unique ? "unique" : "not unique"]),
    ),
    element(
      "p",
      { class: "note" },
      `Smallest sine between a constraint and the others: ${readable(certificate.distance_to_singularity)}; dependent below ${readable(certificate.rank_tolerance)}.`,
    ),
  );
  return root;
}

const largest = (values: Float64Array): number => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

/** What a joint exerts on one of its bodies: hinge.force.x, hinge.first.torque ... */
const ofJoint = ({ group, name }: Channel): boolean => group === "outputs" && /\.(force|torque)(\.[xyz])?( \(min-norm\))?$/.test(name);

/** Forces first, in the words of the mechanism; then what they are made of. */
export function reactionsTab(run: Run, clock: Clock, plot: (channel: Channel) => void): HTMLElement {
  const root = element("section", { class: "text" });
  const channels = [
    ...run.channels.filter(ofJoint),
    ...run.channels.filter(({ group }) => ["multipliers", "reactions", "forces", "controls"].includes(group)),
  ];
  const open = run.data.certificate?.reactions.filter(({ unique }) => !unique).map(({ name }) => name) ?? [];
  if (open.length > 0)
    root.append(
      element(
        "p",
        { class: "notice" },
        `Not unique, because constraints depend on each other: ${open.join(", ")}. ` +
          "What they do together (reaction.…) is.",
      ),
    );
  if (channels.length === 0) {
    root.append(element("p", {}, "The model has no constraints, so it has no reactions."));
    return root;
  }
  const now = channels.map(() => element("span", {}));
  const rows = channels.map((channel, i) => [
    element("button", { class: "link", title: "show its curve", click: () => plot(channel) }, channel.name),
    channel.unit,
    now[i],
    readable(channel.values.reduce((a, b) => Math.min(a, b), Infinity)),
    readable(channel.values.reduce((a, b) => Math.max(a, b), -Infinity)),
    readable(largest(channel.values)),
  ]);
  root.append(table(["channel", "unit", "now", "least", "greatest", "largest size"], rows, [2, 3, 4, 5]));
  clock.onTime((time) => channels.forEach((channel, i) => (now[i].textContent = readable(run.value(channel, time)))));
  return root;
}

export function eventsTab(events: Event[], clock: Clock): HTMLElement {
  const root = element("section", { class: "text" });
  if (events.length === 0) {
    root.append(element("p", {}, "Nothing happened on the way: no event, no change of rank."));
    return root;
  }
  const impulses = ({ impulses = {} }: Event) => Object.entries(impulses).map(([row, value]) => `${row} ${readable(value)}`).join(", ");
  const jumped = events.some((event) => impulses(event) !== "");
  root.append(
    table(
      ["t [s]", "event", "", ...(jumped ? ["impulses", "energy lost [J]"] : [])],
      events.map((event) => [
        element("button", { class: "link", title: "go there", click: () => clock.set(event.t) }, String(Number(event.t.toPrecision(9)))),
        event.name,
        event.text ?? "",
        ...(jumped ? [impulses(event), event.energy_lost ? readable(event.energy_lost) : ""] : []),
      ]),
      [0, 4],
    ),
  );
  return root;
}
