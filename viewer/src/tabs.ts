// One of several sections at a time.
import { element } from "./dom";

export class Tabs {
  readonly root: HTMLElement;
  private readonly buttons: HTMLElement[] = [];

  constructor(private readonly sections: [string, HTMLElement][]) {
    const bar = element("nav", { role: "tablist" });
    sections.forEach(([name, section], i) => {
      const button = element("button", { role: "tab", click: () => this.show(i) }, name);
      section.setAttribute("role", "tabpanel");
      this.buttons.push(button);
      bar.append(button);
    });
    this.root = element("main", { class: "tabs" }, bar, ...sections.map(([, section]) => section));
    this.show(0);
  }

  show(index: number): void {
    this.sections.forEach(([, section], i) => (section.hidden = i !== index));
    this.buttons.forEach((button, i) => button.setAttribute("aria-selected", String(i === index)));
  }
}
