// Title, outcome, the facts that matter most.
import { element } from "./dom";
import { toggleTheme } from "./theme";

export function header(title: string, badges: [string, string, string?][]): HTMLElement {
  return element(
    "header",
    {},
    element("h1", {}, title),
    ...badges.map(([label, text, kind]) =>
      element("span", { class: `badge ${kind ?? ""}`, title: label }, element("small", {}, label), " ", text),
    ),
    element("span", { class: "gap" }),
    element("button", { class: "theme", title: "light, dark (d)", "aria-label": "light or dark", click: toggleTheme }, "◐"),
  );
}
