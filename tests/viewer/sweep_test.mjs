// Reports of real sweeps in a real browser.
//
//     node sweep_test.mjs MAGGI SOURCE_DIR
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { open, runAll } from "./browser.mjs";

const [maggi, source] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "maggi_sweep_"));

/** Sweeps a shipped model; its statistics, its table and the page of its report. */
async function swept(browser, model, words, { code = 0, ...options } = {}) {
  const out = join(folder, String(Math.random()).slice(2));
  const done = spawnSync(maggi, ["sweep", join(source, `models/${model}.toml`), ...words, "--out", out, "--quiet"], { encoding: "utf8" });
  assert.equal(done.status, code, done.stderr);
  const file = join(out, "report.html");
  const rows = readFileSync(join(out, "sweep.csv"), "utf8").trim().split("\n").slice(1).map((line) => line.split(","));
  const statistics = JSON.parse(readFileSync(join(out, "statistics.json"), "utf8"));
  const began = performance.now();
  const page = await open(browser, file, options);
  return { page, rows, statistics, bytes: statSync(file).size, milliseconds: Math.round(performance.now() - began) };
}

const line = ["--over", "l=0.5:0.1:2", "--keep", "max(tension)", "--keep", "at(y, 0.3)", "--until", "1"];
const grid = ["--over", "m=1:0.5:3", "--over", "rho=0.5:0.1:1", "--keep", "x3", "--keep", "max(guide_force)", "--until", "1"];
const failing = ["--over", "y=uniform(0,1.2)", "--over", "m=normal(1,0.1)", "--runs", "300", "--keep", "x", "--keep", "max(tension)", "--until", "0.5"];

/** A number as the page writes it, with six digits. */
const written = (value) => {
  const size = Math.abs(value);
  const text = value === 0 || (size >= 1e-3 && size < 1e5) ? String(Number(value.toPrecision(6))) : value.toExponential(4);
  return text.replace("-", "−").replace("e-", "e−");
};
const drawn = (page) => page.evaluate(() => window.maggi.dependence.drawn);
const tab = async (page, name) => {
  await page.getByRole("tab", { name }).click();
  return page.getByRole("tabpanel").filter({ visible: true }).innerText();
};
/** The hint on a run. A page that is laid out anew hides it, so the mouse is moved until it is seen. */
const hover = async (page, run) => {
  const hint = page.locator(".hint");
  for (let tries = 0; ; ++tries) {
    const [x, y] = await page.evaluate((index) => window.maggi.dependence.positionOf(index), run);
    await page.mouse.move(x, y + 0.2 * (tries % 2));
    if (await hint.isVisible()) return hint.innerText();
    assert.ok(tries < 50, `no hint on run ${run}`);
    await page.waitForTimeout(100);
  }
};
const choose = (page, what, column) => page.getByRole("combobox", { name: what }).selectOption({ label: column });

/** What every report must do. */
async function common(page) {
  assert.deepEqual(page.complaints, [], "the console is silent");
  assert.equal(page.requests.length, 1, `one request, the page itself: ${page.requests}`);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(overflow <= 0, `nothing sticks out at the side (${overflow} px)`);
}

const tests = {
  async "one quantity on a grid is a line, and hovering tells the run"(browser) {
    const { page, rows } = await swept(browser, "pendulum", line);
    assert.deepEqual(await drawn(page), { across: "l", up: "max(tension)", colour: null, as: "lines", trend: false });
    const text = await hover(page, 7);
    assert.match(text, /run 7\b/);
    for (const value of rows[7].slice(1, 4)) assert.ok(text.includes(written(Number(value))), `${value} in ${text}`);
    const header = await page.locator("header").innerText();
    for (const part of ["l=0.5:0.1:2", "runs 16", "failed 0"]) assert.ok(header.includes(part), part);
    await choose(page, "up", "at(y, 0.3) [m]");
    assert.equal((await drawn(page)).up, "at(y, 0.3)");
    await choose(page, "across", "max(tension) [N]");
    assert.equal((await drawn(page)).as, "points", "an output is no quantity of the grid");
    assert.match(await hover(page, 3), /run 3\b/);
    await common(page);
  },

  async "two quantities on a grid are a family of lines, or a map"(browser) {
    const { page, rows } = await swept(browser, "moving_pendulum", grid);
    assert.deepEqual(await drawn(page), { across: "rho", up: "x3", colour: "m", as: "lines", trend: false });
    await page.getByRole("button", { name: "map" }).click();
    assert.deepEqual(await drawn(page), { across: "rho", up: "m", colour: "x3", as: "map", trend: false });
    const text = await hover(page, 13);
    assert.match(text, /run 13\b/);
    for (const value of rows[13].slice(1, 5)) assert.ok(text.includes(written(Number(value))), `${value} in ${text}`);
    await choose(page, "colour", "max(guide_force) [N]");
    await page.getByRole("button", { name: "map" }).click();
    assert.deepEqual(await drawn(page), { across: "rho", up: "max(guide_force)", colour: "m", as: "lines", trend: false }, "and back");
    await common(page);
  },

  async "the numbers are those of statistics.json"(browser) {
    const { page, statistics } = await swept(browser, "pendulum", failing, { code: 2 });
    const text = await tab(page, "Statistics");
    for (const { name, mean, deviation, min, max, quantiles } of statistics.outputs)
      for (const value of [name, ...[mean, deviation, min, max, ...Object.values(quantiles)].map(written)]) assert.ok(text.includes(value), value);
    await page.getByRole("button", { name: "max(tension)" }).click();
    assert.equal((await drawn(page)).up, "max(tension)", "a click shows what it depends on");
    await tab(page, "Distributions");
    for (const { name, mean, count } of statistics.outputs)
      assert.match(await page.locator(`[data-output="${name}"]`).innerText(), new RegExp(`${written(mean)}.* over ${count} runs`));
    const bars = await page.locator(".card .u-over").first().boundingBox();
    await page.mouse.move(bars.x + 0.97 * bars.width, bars.y + bars.height / 2);
    assert.match(await page.locator(".card output").first().textContent(), /… .*: \d+ of \d+ runs/);
    await common(page);
  },

  async "runs that failed are listed with their reason, and seen"(browser) {
    const { page, rows, statistics } = await swept(browser, "pendulum", failing, { code: 2 });
    const failed = rows.filter((row) => row[3] === "").map((row) => Number(row[0]));
    assert.equal(failed.length, statistics.failed);
    assert.match(await page.locator(".badge.bad").textContent(), new RegExp(`failed ${failed.length}`));
    const text = await tab(page, `Failures (${failed.length})`);
    assert.ok(text.includes("contradict each other"), text);
    const listed = (await page.locator(".runs").allInnerTexts()).join(", ").split(", ").flatMap((part) => {
      const [first, last = first] = part.split("–").map(Number);
      return Array.from({ length: last - first + 1 }, (_, i) => first + i);
    });
    assert.deepEqual(listed.sort((a, b) => a - b), failed);
    await tab(page, "Dependence");
    const [x] = await page.evaluate((run) => window.maggi.dependence.positionOf(run), failed[0]);
    const frame = await page.locator(".dependence .u-over").boundingBox();
    await page.mouse.move(x, frame.y + frame.height - 3);
    const hint = await page.locator(".hint").innerText();
    assert.match(hint, /run \d+/);
    assert.match(hint, /failed: /);
    await common(page);
  },

  async "20 000 runs are thinned, say so, and are shown at once"(browser) {
    const words = ["--over", "l=uniform(0.5,1.5)", "--over", "m=normal(1,0.1)", "--runs", "20000", "--until", "0.05", "--output", "0.05", "--keep", "x", "--keep", "tension"];
    const { page, bytes, milliseconds } = await swept(browser, "pendulum", words);
    assert.ok(bytes < 2_000_000, `${bytes} bytes`);
    console.log(`    ${bytes} bytes, shown after ${milliseconds} ms`);
    assert.match(await page.locator(".thinned").innerText(), /10000 of 20000 runs are drawn here: of 20000 draws the first 10000/);
    assert.match(await tab(page, "Summary"), /10000 of 20000/);
    assert.match(await tab(page, "Distributions"), /over all 20000 runs/);
    await tab(page, "Dependence");
    assert.deepEqual(await drawn(page), { across: "l", up: "x", colour: null, as: "points", trend: true });
    await common(page);
  },

  async "a part can be looked at closely"(browser) {
    const { page } = await swept(browser, "pendulum", failing, { code: 2 });
    const picture = async () => (await page.locator(".dependence .u-wrap").screenshot()).toString("base64");
    const whole = await picture();
    const { x, y, width, height } = await page.locator(".dependence .u-over").boundingBox();
    await page.mouse.move(x + 0.3 * width, y + 0.3 * height);
    await page.mouse.down();
    await page.mouse.move(x + 0.6 * width, y + 0.7 * height, { steps: 4 });
    await page.mouse.up();
    await page.mouse.move(1, 1);
    assert.notEqual(await picture(), whole);
    await page.getByRole("button", { name: "all" }).click();
    await page.mouse.move(1, 1);
    assert.equal(await picture(), whole);
    await common(page);
  },

  async "a small screen and the dark need nothing else"(browser) {
    const { page } = await swept(browser, "moving_pendulum", grid, { viewport: { width: 390, height: 800 }, colorScheme: "dark" });
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await background();
    await page.keyboard.press("d");
    assert.notEqual(await background(), dark);
    for (const name of ["Distributions", "Statistics", "Failures", "Summary"]) await tab(page, name), await common(page);
  },

  async "a sweep of which every run failed says why"(browser) {
    const { page } = await swept(browser, "pendulum", ["--over", "y=2,3", "--keep", "x"], { code: 2 });
    assert.match(await tab(page, "Distributions"), /No run reached its end/);
    assert.match(await tab(page, "Failures"), /2 of 2 runs failed/);
    await common(page);
  },
};

const failures = await runAll(tests, source);
rmSync(folder, { recursive: true });
process.exit(failures > 0 ? 1 : 0);
