// A figure for papers: the panels that are shown, as SVG, and the same as PNG and CSV.
import { Channel, withUnit } from "./report";
import { curveStyle } from "./theme";

export interface Panel {
  unit: string;
  curves: { channel: Channel; style: number }[];
}

/** Which part of the time, and how the values are shown. */
export interface View {
  t: Float64Array;
  from: number;
  until: number;
  log: boolean;
}

const width = 720,
  panelHeight = 260,
  margin = { left: 78, right: 16, top: 14, bottom: 44 };

const escape = (text: string): string => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

/** About `count` round numbers between two. */
function ticks(low: number, high: number, count: number): number[] {
  const raw = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 5].find((factor) => factor * power >= raw) ?? 10) * power;
  const result: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; ++i) result.push(Number((i * step).toPrecision(12)));
  return result;
}

const label = (value: number): string =>
  (value !== 0 && (Math.abs(value) < 1e-4 || Math.abs(value) >= 1e6) ? value.toExponential() : String(value)).replace("-", "−");

function range(values: number[]): [number, number] {
  let low = Infinity,
    high = -Infinity;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return [0, 1];
  const room = high > low ? 0.05 * (high - low) : Math.max(Math.abs(low), 1e-12) * 0.1;
  return [low - room, high + room];
}

function drawPanel(panel: Panel, view: View, top: number, last: boolean): string {
  const inner = { width: width - margin.left - margin.right, height: panelHeight - margin.top - margin.bottom };
  const shown = (value: number): number => (view.log ? Math.log10(Math.abs(value)) : value);
  const inView: number[] = [];
  view.t.forEach((time, i) => {
    if (time >= view.from && time <= view.until) for (const { channel } of panel.curves) inView.push(shown(channel.values[i]));
  });
  const [low, high] = range(inView);
  const x = (time: number) => margin.left + ((time - view.from) / (view.until - view.from)) * inner.width;
  const y = (value: number) => top + margin.top + (1 - (value - low) / (high - low)) * inner.height;
  const bottom = top + margin.top + inner.height;

  let text = `<clipPath id="panel${top}"><rect x="${margin.left}" y="${top + margin.top}" width="${inner.width}" height="${inner.height}"/></clipPath>`;
  for (const tick of ticks(low, high, 5)) {
    const name = view.log ? `1e${label(tick)}` : label(tick);
    text += `<line x1="${margin.left}" x2="${width - margin.right}" y1="${y(tick).toFixed(1)}" y2="${y(tick).toFixed(1)}" stroke="#ddd"/>`;
    text += `<text x="${margin.left - 6}" y="${(y(tick) + 4).toFixed(1)}" text-anchor="end">${name}</text>`;
  }
  for (const tick of ticks(view.from, view.until, 8)) {
    text += `<line x1="${x(tick).toFixed(1)}" x2="${x(tick).toFixed(1)}" y1="${top + margin.top}" y2="${bottom}" stroke="#eee"/>`;
    text += `<text x="${x(tick).toFixed(1)}" y="${bottom + 16}" text-anchor="middle">${label(tick)}</text>`;
  }
  text += `<rect x="${margin.left}" y="${top + margin.top}" width="${inner.width}" height="${inner.height}" fill="none" stroke="#444"/>`;

  for (const { channel, style } of panel.curves) {
    const { stroke, dash } = curveStyle(style, false);
    let path = "";
    view.t.forEach((time, i) => {
      const value = shown(channel.values[i]);
      if (Number.isFinite(value)) path += `${path ? "L" : "M"}${x(time).toFixed(2)} ${y(value).toFixed(2)}`;
    });
    text += `<path d="${path}" fill="none" stroke="${stroke}" stroke-width="1.6" stroke-dasharray="${dash.join(" ")}" clip-path="url(#panel${top})"/>`;
  }
  let at = margin.left + 10;
  for (const { channel, style } of panel.curves) {
    const { stroke, dash } = curveStyle(style, false);
    text += `<line x1="${at}" x2="${at + 22}" y1="${top + margin.top + 14}" y2="${top + margin.top + 14}" stroke="${stroke}" stroke-width="2" stroke-dasharray="${dash.join(" ")}"/>`;
    text += `<text x="${at + 27}" y="${top + margin.top + 18}">${escape(channel.name)}</text>`;
    at += 46 + 7 * channel.name.length;
  }
  const names = panel.curves.map(({ channel }) => channel.name);
  const what = withUnit(names.length === 1 ? names[0] : "", panel.unit).trim();
  const middle = top + margin.top + inner.height / 2;
  text += `<text x="16" y="${middle}" text-anchor="middle" transform="rotate(-90 16 ${middle})">${escape(view.log ? `|${what}|` : what)}</text>`;
  if (last) text += `<text x="${margin.left + inner.width / 2}" y="${bottom + 34}" text-anchor="middle">t [s]</text>`;
  return text;
}

export function svg(panels: Panel[], view: View): string {
  const height = panels.length * panelHeight;
  const body = panels.map((panel, i) => drawPanel(panel, view, i * panelHeight, i === panels.length - 1)).join("\n");
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
    `font-family="Helvetica, Arial, sans-serif" font-size="12" fill="#222">\n<rect width="100%" height="100%" fill="#fff"/>\n${body}\n</svg>\n`
  );
}

/** The SVG, drawn at three times its size. */
export async function png(panels: Panel[], view: View): Promise<Blob> {
  const image = new Image();
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svg(panels, view));
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = 3 * image.width;
  canvas.height = 3 * image.height;
  const context = canvas.getContext("2d")!;
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no image"))), "image/png"));
}

const field = (text: string): string => (/[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);

/** The states in view; as many digits as the report holds. */
export function csv(panels: Panel[], view: View): string {
  const curves = panels.flatMap((panel) => panel.curves.map(({ channel }) => channel));
  const lines = [["t [s]", ...curves.map((c) => field(withUnit(c.name, c.unit)))].join(",")];
  view.t.forEach((time, i) => {
    if (time >= view.from && time <= view.until)
      lines.push([time, ...curves.map((c) => c.values[i])].map((value) => Number(value.toPrecision(9))).join(","));
  });
  return lines.join("\n") + "\n";
}
