// Play, pause, scrub, speed, loop; marks where something happened.
import { Clock } from "./clock";
import { element } from "./dom";
import { Event, readable } from "./report";

const speeds = [0.1, 0.25, 0.5, 1, 2, 5, 10];

export function transport(clock: Clock, events: Event[]): HTMLElement {
  const play = element("button", { class: "play", title: "play, pause (space)", click: () => clock.toggle() });
  const scrub = element("input", { type: "range", min: "0", max: "1", step: "any", value: "0", "aria-label": "time" });
  scrub.addEventListener("input", () => clock.set(clock.begin + Number(scrub.value) * (clock.end - clock.begin)));
  const time = element("output", { class: "time" });
  const speed = element("select", { title: "speed", "aria-label": "speed" });
  for (const factor of speeds)
    speed.append(element("option", factor === 1 ? { value: "1", selected: true } : { value: String(factor) }, `${readable(factor * clock.natural)}×`));
  speed.addEventListener("change", () => clock.change({ speed: Number(speed.value) }));
  const loop = element("button", { title: "again from the start (l)", click: () => clock.change({ loop: !clock.loop }) }, "loop");

  const marks = element("div", { class: "marks" });
  for (const event of events) {
    const mark = element("button", { title: `${event.name}, t = ${readable(event.t)} s`, click: () => clock.set(event.t), tabindex: "-1" });
    mark.style.left = `${(100 * (event.t - clock.begin)) / (clock.end - clock.begin || 1)}%`;
    marks.append(mark);
  }

  const digits = Math.max(0, Math.min(9, Math.ceil(-Math.log10((clock.end - clock.begin || 1) / 1000))));
  clock.onTime((now) => {
    scrub.value = String((now - clock.begin) / (clock.end - clock.begin || 1));
    time.value = `${now.toFixed(digits)} s`;
  });
  clock.onState(() => {
    play.textContent = clock.playing ? "❚❚" : "►";
    play.setAttribute("aria-label", clock.playing ? "pause" : "play");
    loop.setAttribute("aria-pressed", String(clock.loop));
  });
  return element("footer", { class: "transport" }, play, element("div", { class: "track" }, scrub, marks), time, speed, loop);
}
