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

export function onTheme(listener: () => void): void {
  listeners.push(listener);
}

const announce = (): void => listeners.forEach((listener) => listener());

export function toggleTheme(): void {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  announce();
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", announce);
