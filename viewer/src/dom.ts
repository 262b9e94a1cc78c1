// Elements in one expression.

type Attributes = Record<string, string | boolean | ((event: never) => void)>;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value as unknown as EventListener);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

export function table(head: string[], rows: (string | Node)[][], numeric: number[] = []): HTMLElement {
  const cell = (tag: "th" | "td", content: string | Node, column: number) =>
    element(tag, numeric.includes(column) ? { class: "number" } : {}, content);
  return element(
    "div",
    { class: "table" },
    element(
      "table",
      {},
      element("thead", {}, element("tr", {}, ...head.map((text, i) => cell("th", text, i)))),
      element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((text, i) => cell("td", text, i))))),
    ),
  );
}

export function download(name: string, content: Blob): void {
  const link = element("a", { href: URL.createObjectURL(content), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export const fileName = (title: string): string => title.toLowerCase().replace(/[^a-z0-9]+/g, "_").replace(/^_|_$/g, "") || "plot";
