// What all charts share: how axes look, how far they reach, how their numbers are written.
import uPlot from "uplot";
import { colour } from "./theme";

const font = "12px system-ui, sans-serif";

export const axis = (label: string): uPlot.Axis => ({
  stroke: colour("text"),
  grid: { stroke: colour("grid"), width: 1 },
  ticks: { stroke: colour("grid"), width: 1 },
  font,
  label,
  labelSize: label ? 18 : 0,
  labelFont: font,
});

export function roomy(min: number | null, max: number | null): [number, number] {
  if (min === null || max === null) return [0, 1];
  const size = Math.max(Math.abs(min), Math.abs(max));
  const room = max - min > 1e-12 * size ? 0.06 * (max - min) : size > 0 ? 0.1 * size : 1;
  return [min - room, max + room];
}

function tickText(value: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size < 1e-3 || size >= 1e5 ? value.toExponential().replace("e+", "e") : String(Number(value.toPrecision(10)));
  return text.length > 9 ? value.toPrecision(6).replace("-", "−") : text.replace(/-/g, "−");
}

export const tickTexts = (_: uPlot, all: (number | null)[]): string[] => all.map((value) => (value === null ? "" : tickText(value)));

const wholeSteps = Array.from({ length: 15 }, (_, k) => [1, 2, 5].map((factor) => factor * 10 ** k)).flat();

/**
 * Axes and nothing else: what stands between them is drawn by `draw`, in pixels of the canvas, inside the frame. It draws
 * in memory, and the picture is put in its place: of thousands of marks, one by one, a browser without a graphics card
 * makes a picture five times as slowly.
 */
export function canvas(
  box: HTMLElement,
  size: { width: number; height: number },
  axes: { x: string; y: string; counts?: boolean }, // counts: what stands upwards is whole
  range: () => { x: [number, number]; y: [number, number] },
  draw: (plot: uPlot, ctx: CanvasRenderingContext2D) => void,
  onSelect?: (plot: uPlot) => void,
): uPlot {
  const { x, y } = range();
  return new uPlot(
    {
      ...size,
      legend: { show: false },
      cursor: { show: onSelect !== undefined, points: { show: false }, x: false, y: false, drag: { x: true, y: true, uni: 20, setScale: false } },
      scales: { x: { time: false, range: () => range().x }, y: { range: () => range().y } },
      series: [{}, { paths: () => null, points: { show: false } }],
      axes: [
        { ...axis(axes.x), size: 34, values: tickTexts },
        { ...axis(axes.y), size: 64, values: tickTexts, ...(axes.counts ? { incrs: wholeSteps } : {}) },
      ],
      hooks: {
        draw: [
          (plot) => {
            const { width, height } = plot.ctx.canvas;
            const { left, top, width: wide, height: high } = plot.bbox;
            const ctx = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d", { willReadFrequently: true })!;
            draw(plot, ctx);
            plot.ctx.drawImage(ctx.canvas, left, top, wide, high, left, top, wide, high);
          },
        ],
        setSelect: [(plot) => onSelect?.(plot)],
      },
    },
    [x, y],
    box,
  );
}
