// maggi view in a real browser: sliders, the file that is watched, and who may ask.
//
//     node view_test.mjs MAGGI SOURCE_DIR
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runAll } from "./browser.mjs";

const [maggi, source] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "maggi_view_"));
const patience = 60_000; // [ms] a busy machine

/** A running `maggi view`: its port, and how it ended. */
async function start(model, ...options) {
  const child = spawn(maggi, ["view", model, "--no-browser", ...options], { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise((done) => child.on("exit", (code, signal) => done({ code, signal })));
  const port = await new Promise((found, failed) => {
    child.stdout.on("data", (text) => found(Number(/127\.0\.0\.1:(\d+)/.exec(String(text))[1])));
    child.stderr.on("data", (text) => failed(new Error(String(text))));
  });
  return { port, stop: async () => (child.kill("SIGINT"), await ended) };
}

/** Status of an answer to a request made by hand. */
const ask = (port, path, { method = "GET", headers = {}, body = "" } = {}) =>
  new Promise((done, failed) => {
    const asked = request({ host: "127.0.0.1", port, path, method, headers: { host: `127.0.0.1:${port}`, ...headers } }, (answer) => {
      let text = "";
      answer.on("data", (part) => (text += part));
      answer.on("end", () => done({ status: answer.statusCode, text }));
    });
    asked.on("error", failed);
    asked.end(body);
  });

async function open(browser, port) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  page.complaints = [];
  page.strangers = [];
  page.on("request", (asked) => new URL(asked.url()).host === `127.0.0.1:${port}` || page.strangers.push(asked.url()));
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && page.complaints.push(message.text()));
  page.on("pageerror", (error) => page.complaints.push(String(error)));
  await page.goto(`http://127.0.0.1:${port}/`);
  await page.locator("canvas").first().waitFor({ timeout: patience });
  await idle(page);
  return page;
}
const idle = (page) => page.waitForFunction(() => !document.documentElement.dataset.busy, null, { timeout: patience });
const place = (page, point) => page.evaluate((name) => window.maggi.scene.positionOf(name), point);

const tests = {
  async "dragging a slider assembles the model anew, letting go runs it"(browser, port) {
    const page = await open(browser, port);
    const [x0, y0] = await place(page, "mass");
    const before = await page.locator("canvas").first().screenshot();
    const slider = page.getByLabel("l", { exact: true });
    await slider.evaluate((bar) => {
      bar.value = "2";
      bar.dispatchEvent(new Event("input"));
    });
    await idle(page);
    const [x1, y1] = await place(page, "mass");
    const drawn = 1e-6; // numbers of 32 bits
    assert.ok(Math.abs(Math.hypot(x0, y0) - 1) < drawn, "the rod is as long as the file says");
    assert.ok(Math.abs(Math.hypot(x1, y1) - 2) < drawn, "the rod is as long as the slider says");
    assert.notDeepEqual(await page.locator("canvas").first().screenshot(), before, "and it is seen");
    assert.equal(await page.evaluate(() => window.maggi.run.data.summary.outcome), "reached the end", "the run is the old one");
    await slider.evaluate((bar) => bar.dispatchEvent(new Event("change")));
    await idle(page);
    const { x, y } = await page.evaluate(() => ({ x: [...window.maggi.run.channel("x").values], y: [...window.maggi.run.channel("y").values] }));
    x.forEach((value, i) => assert.ok(Math.abs(Math.hypot(value, y[i]) - 2) < drawn, "so it is all the time"));
    await page.getByRole("button", { name: "l as in the file" }).click();
    await idle(page);
    assert.ok(Math.abs(Math.hypot(...(await place(page, "mass"))) - 1) < drawn, "back to the file");
    assert.deepEqual([page.complaints, page.strangers], [[], []]);
  },

  async "a free motion keeps the constraints"(browser, port) {
    const page = await open(browser, port);
    await page.locator(".choices button").first().click();
    const points = await page.evaluate(() => {
      const { run } = window.maggi.free;
      const { at } = window.maggi.run.data.scene.points.find(({ name }) => name === "mass");
      return at.map((channel) => [...run.channel(channel).values]);
    });
    const [xs, ys] = points;
    assert.ok(Math.max(...ys) - Math.min(...ys) > 0.1, "it moves");
    xs.forEach((x, i) => assert.ok(Math.abs(Math.hypot(x, ys[i]) - 1) < 1e-6, "on the circle")); // 32 bits
    assert.deepEqual(page.complaints, []);
  },

  async "a broken file is shown at its line, a mended one recovers"(browser, port, model) {
    const page = await open(browser, port);
    const good = readFileSync(model, "utf8");
    const bad = good.replace(/x\^2/, "xx^2");
    assert.notEqual(bad, good);
    const line = 1 + bad.slice(0, bad.indexOf("xx^2")).split("\n").length - 1;
    writeFileSync(model, bad);
    await page.locator(".fault").waitFor({ state: "visible", timeout: patience });
    const text = await page.locator(".fault").textContent();
    assert.match(text, new RegExp(`:${line}:\\d+: .*"xx"`));
    assert.match(await page.locator(".fault code.here").textContent(), /xx\^2/);
    assert.ok(await page.locator("canvas").first().isVisible(), "the last good motion stays");
    writeFileSync(model, good);
    await page.locator(".fault").waitFor({ state: "hidden", timeout: patience });
    await idle(page);
    assert.deepEqual(page.complaints, []);
  },

  async "others are refused"(browser, port) {
    const json = { method: "POST", body: "{}" };
    assert.equal((await ask(port, "/version")).status, 200);
    assert.equal((await ask(port, "/assembly", json)).status, 200);
    assert.equal((await ask(port, "/assembly", { ...json, headers: { origin: "http://example.org" } })).status, 403);
    assert.equal((await ask(port, "/assembly", { ...json, headers: { "sec-fetch-site": "cross-site" } })).status, 403);
    assert.equal((await ask(port, "/", { headers: { host: "example.org" } })).status, 403, "a name bent to this address");
    for (const path of ["/etc/passwd", "/../etc/passwd", "/index.html", "//"]) assert.equal((await ask(port, path)).status, 404, path);
    assert.equal((await ask(port, "/motion")).status, 405);
    assert.equal((await ask(port, "/motion", { method: "POST", body: "[1" })).status, 400);
    assert.equal((await ask(port, "/motion", { method: "POST", headers: { "content-length": "99999999" } })).status, 413);
    const other = await import("node:os").then(({ networkInterfaces }) =>
      Object.values(networkInterfaces()).flat().find(({ family, internal }) => family === "IPv4" && !internal));
    if (other)
      await assert.rejects(new Promise((done, failed) => {
        const asked = request({ host: other.address, port, path: "/" }, done);
        asked.on("error", failed);
        asked.end();
      }), "not reachable from outside");
  },
};

const model = join(folder, "pendulum.toml");
copyFileSync(join(source, "models/pendulum.toml"), model);
let failures = 0;
const busy = createServer().listen(0, "127.0.0.1");
await new Promise((ready) => busy.on("listening", ready));
const taken = busy.address().port;
const server = await start(model, "--port", String(taken));
try {
  assert.ok(server.port > taken, "a busy port is passed over");
  failures = await runAll(tests, source, server.port, model);
  assert.deepEqual(await server.stop(), { code: 0, signal: null }, "Ctrl-C ends it, and all is well");
} finally {
  busy.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failures > 0 ? 1 : 0;
