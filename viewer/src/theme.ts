// Light and dark: the system's choice until the reader makes one; colours for those who draw on a canvas.

const listeners: (() => void)[] = [];

export const isDark = (): boolean =>
  (document.documentElement.dataset.theme ??
    (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";

export const colour = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** Okabe and Ito's colours, which those who see fewer colours can tell apart; then again, dashed. */
const curves = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
const curvesOnDark = ["#56b4e9", "#ff9050", "#2cc79b", "#e79bc6", "#f0c040", "#8ab4ff"];

export function curveStyle(index: number, dark = isDark()): { stroke: string; dash: number[] } {
  const palette = dark ? curvesOnDark : curves;
  const dashes = [[], [8, 4], [2, 3], [10, 3, 2, 3]];
  return { stroke: palette[index % palette.length], dash: dashes[Math.floor(index / palette.length) % dashes.length] };
}

/** From little to much: the lightness grows evenly, and both ends stand out from the page. */
const ramp = ["#2d2a7a", "#0072b2", "#12a385", "#e6c229"];
const rampOnDark = ["#7468d8", "#56a4e9", "#35cfa4", "#f7ec7a"];

export function rampColour(part: number, dark = isDark()): string {
  const stops = dark ? rampOnDark : ramp;
  const place = Math.min(1, Math.max(0, part)) * (stops.length - 1);
  const i = Math.min(stops.length - 2, Math.floor(place));
  const channel = (text: string, k: number) => parseInt(text.slice(1 + 2 * k, 3 + 2 * k), 16);
  const mixed = [0, 1, 2].map((k) => Math.round(channel(stops[i], k) + (place - i) * (channel(stops[i + 1], k) - channel(stops[i], k))));
  return `rgb(${mixed.join(" ")})`;
}

export function onTheme(listener: () => void): void {
  listeners.push(listener);
}

const announce = (): void => listeners.forEach((listener) => listener());

export function toggleTheme(): void {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  announce();
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", announce);
