// Reports of real runs in a real browser.
//
//     node report_test.mjs MAGGI SOURCE_DIR
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { open, runAll } from "./browser.mjs";

const [maggi, source] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "maggi_report_"));

/** Runs a model; the folder of its results. */
function run(model, code = 0, ...options) {
  const out = join(folder, String(Math.random()).slice(2));
  const done = spawnSync(maggi, ["run", model, "--out", out, "--quiet", ...options], { encoding: "utf8" });
  assert.equal(done.status, code, done.stderr);
  return out;
}
const shipped = (name, ...options) => run(join(source, `models/${name}.toml`), 0, ...options);

/** trajectory.csv by the names of its columns. */
function trajectory(out) {
  const [head, ...lines] = readFileSync(join(out, "trajectory.csv"), "utf8").trim().split("\n");
  const names = head.split(",").map((name) => name.replace(/ \[.*/, ""));
  const rows = lines.map((line) => line.split(",").map(Number));
  return Object.fromEntries(names.map((name, i) => [name, rows.map((row) => row[i])]));
}

const shown = (page) => page.evaluate(() => window.maggi.plots.drawn);
const curve = (page, name) => page.evaluate((channel) => [...window.maggi.run.channel(channel).values], name);

/** What every report must do. */
async function common(page) {
  assert.deepEqual(page.complaints, [], "the console is silent");
  assert.equal(page.requests.length, 1, `one request, the page itself: ${page.requests}`);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(overflow <= 0, `nothing sticks out at the side (${overflow} px)`);
}

const tests = {
  async "the numbers are those of the file"(browser) {
    const out = shipped("moving_pendulum");
    const page = await open(browser, join(out, "report.html"));
    const file = trajectory(out);
    for (const name of Object.keys(file)) {
      const values = await curve(page, name);
      const span = Math.max(...file[name]) - Math.min(...file[name]);
      const rounding = 2 ** -23 * span + 2 ** -52 * Math.abs(file[name][0]); // 32 bits of the change, then a sum
      values.forEach((value, i) => assert.ok(Math.abs(value - file[name][i]) <= rounding, `${name} at state ${i}`));
    }
    await common(page);
  },

  async "a channel that is chosen gets a curve, one that is chosen again loses it"(browser) {
    const page = await open(browser, join(shipped("pendulum"), "report.html"));
    assert.deepEqual(await shown(page), ["x", "y"]);
    await page.getByRole("searchbox").fill("tens");
    assert.equal(await page.getByRole("option").filter({ visible: true }).count(), 1);
    await page.getByRole("searchbox").press("Enter");
    assert.deepEqual(await shown(page), ["x", "y", "tension"]);
    assert.equal(await page.locator(".panel").count(), 2, "metres and newtons do not share an axis");
    await page.locator('[data-channel="tension"]').click();
    assert.deepEqual(await shown(page), ["x", "y"]);
    await page.getByRole("button", { name: "log" }).click();
    await common(page);
  },

  async "a run that could not go on opens at its last state"(browser) {
    const model = join(folder, "out_of_reach.toml");
    writeFileSync(
      model,
      `dimension = 2
      [body.boom]
      shape = "rod"
      mass = 40
      from = [0, 0]
      to = [1.5, 0.2]
      [joint]
      foot = { revolute = ["ground", "boom"], at = [0, 0] }
      [driver]
      ram = { distance = ["ground", "boom"], from = [0.4, -0.5], to = [0.9, 0.12], follows = "0.79649231 + 0.5*t" }
      [simulation]
      until = 3.0
      `,
    );
    const page = await open(browser, join(run(model, 2), "report.html"));
    const end = await page.evaluate(() => window.maggi.clock.end);
    assert.ok(end > 1.5 && end < 1.51, "the ram is at its greatest length then");
    assert.equal(await page.evaluate(() => window.maggi.clock.time), end);
    await common(page);
  },

  async "scrubbing and arrows move the cursor of the plots"(browser) {
    const page = await open(browser, join(shipped("pendulum"), "report.html"));
    const at = () => page.evaluate(() => new DOMMatrix(getComputedStyle(document.querySelector(".now")).transform).e);
    const width = await page.evaluate(() => document.querySelector(".u-over").clientWidth);
    assert.equal(await at(), 0);
    await page.getByLabel("time", { exact: true }).fill("0.5");
    assert.ok(Math.abs((await at()) - width / 2) < 1, "half of the time is in the middle of the plot"); // a pixel
    assert.equal(await page.locator("output.time").textContent(), "5.00 s");
    await page.locator("h1").click();
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.locator("output.time").textContent(), "5.05 s", "the next stored state");
    await page.keyboard.press("Home");
    assert.equal(await at(), 0);
    await common(page);
  },

  async "playing moves on, pausing stops"(browser) {
    const page = await open(browser, join(shipped("pendulum"), "report.html"));
    const time = () => page.evaluate(() => window.maggi.clock.time);
    await page.keyboard.press("Space");
    await page.waitForFunction(() => window.maggi.clock.time > 0.2);
    await page.keyboard.press("Space");
    const stopped = await time();
    await page.waitForTimeout(200);
    assert.equal(await time(), stopped);
    await common(page);
  },

  async "what is shown is saved as CSV, SVG and PNG"(browser) {
    const page = await open(browser, join(shipped("pendulum"), "report.html"));
    const save = async (kind) => {
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: kind, exact: true }).click()]);
      assert.equal(download.suggestedFilename(), `simple_pendulum.${kind.toLowerCase()}`);
      return readFileSync(await download.path());
    };
    const lines = (await save("CSV")).toString().trim().split("\n");
    assert.equal(lines[0], "t [s],x [m],y [m]");
    assert.equal(lines.length, 202, "a line for each of 201 states");
    const svg = (await save("SVG")).toString();
    assert.match(svg, /^<svg[^>]*>/);
    for (const text of ["t [s]", "[m]", ">x<", ">y<"]) assert.ok(svg.includes(text), text);
    assert.deepEqual([...(await save("PNG")).subarray(1, 4)], [..."PNG"].map((c) => c.charCodeAt(0)));
    assert.deepEqual(page.complaints, []);
  },

  async "what is drawn is where the trajectory is"(browser) {
    const models = {
      four_bar_cut_ground: ["B", "C", "pin"],
      spatial_four_bar: ["P", "Q"],
      andrews_squeezer: ["E", "F"],
      four_bar: ["pin_2", "coupler.middle"],
      door: ["hinge_low", "door.handle"],
    };
    for (const [model, names] of Object.entries(models)) {
      const out = shipped(model);
      const file = trajectory(out);
      const page = await open(browser, join(out, "report.html"));
      for (const state of [0, Math.floor(file.t.length / 3), file.t.length - 1])
        for (const name of names) {
          const drawn = await page.evaluate(([t, point]) => {
            window.maggi.clock.set(t);
            return window.maggi.scene.positionOf(point);
          }, [file.t[state], name]);
          drawn.forEach((value, axis) => {
            const values = file[`drawing.${name}.${"xyz"[axis]}`];
            // 32 bits of the change, and of the time between two states
            const rounding = 2 ** -21 * (Math.max(...values) - Math.min(...values)) + 2 ** -52;
            assert.ok(Math.abs(value - values[state]) <= rounding, `${model}: ${name} at state ${state}: ${value} for ${values[state]}`);
          });
        }
      await common(page);
      await page.close();
    }
  },

  async "playing changes the picture, and so do names, grid and paths"(browser) {
    for (const model of ["moving_pendulum", "spatial_four_bar", "car_axis"]) {
      const page = await open(browser, join(shipped(model), "report.html"));
      const picture = async () => {
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
        return (await page.locator(".scene").screenshot()).toString("base64");
      };
      const seen = [await picture()];
      const next = async (what) => {
        seen.push(await picture());
        assert.notEqual(seen.at(-1), seen.at(-2), `${model}: ${what}`);
      };
      await page.keyboard.press("Space");
      await page.waitForFunction(() => window.maggi.clock.time > 0.2);
      await page.keyboard.press("Space");
      await next("play");
      for (const name of ["names", "grid"]) {
        await page.getByRole("button", { name, exact: true }).click();
        await next(name);
      }
      await page.mouse.move(200, 300);
      await page.mouse.wheel(0, -300);
      await next("zoom");
      await page.keyboard.press("f");
      await next("fit");
      await common(page);
      await page.close();
    }
  },

  async "forces are arrows, dashed where they are not unique"(browser) {
    for (const [model, ...options] of [["four_bar"], ["four_bar_cut_ground"], ["door", "--reactions", "min-norm"]]) {
      const page = await open(browser, join(shipped(model, ...options), "report.html"));
      const before = (await page.locator(".scene").screenshot()).toString("base64");
      await page.getByRole("button", { name: "forces", exact: true }).click();
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      assert.notEqual((await page.locator(".scene").screenshot()).toString("base64"), before, model);
      await common(page);
      await page.close();
    }
  },

  async "an arrow points where the force does, whatever axes its components are along"(browser) {
    for (const name of ["spatial_slider_crank", "four_bar"]) {
      const heads = [];
      for (const frame of ["world", "joint", "body"]) {
        const model = join(folder, `${name}_${frame}.toml`);
        writeFileSync(model, `reaction_frame = "${frame}"\n` + readFileSync(join(source, `models/${name}.toml`), "utf8"));
        const page = await open(browser, join(run(model, 0, "--until", "0.5"), "report.html"));
        await page.evaluate(() => window.maggi.clock.set(0.4));
        await page.getByRole("button", { name: "forces", exact: true }).click();
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
        heads.push(await page.evaluate(() => window.maggi.scene.forces.children.map(({ children: [, head] }) => head.position.toArray())));
        await page.close();
      }
      assert.ok(heads[0].length > 2, name);
      heads.slice(1).forEach((others, k) =>
        others.forEach((head, i) =>
          head.forEach((x, j) => assert.ok(Math.abs(x - heads[0][i][j]) < 1e-6, `${name}, frame ${k + 1}, arrow ${i}: ${head} and ${heads[0][i]}`)),
        ),
      );
    }
  },

  async "forces of joints on either body stand in the table of reactions"(browser) {
    const out = shipped("four_bar");
    const page = await open(browser, join(out, "report.html"));
    await page.getByRole("tab", { name: "Reactions" }).click();
    const text = await page.getByRole("tabpanel").filter({ visible: true }).innerText();
    const names = Object.keys(trajectory(out)).filter((name) => /\.(force|torque)/.test(name));
    assert.ok(names.length > 8 && names.some((name) => name.includes(".first.")), names.join());
    for (const name of names) assert.ok(text.includes(name), name);
    await common(page);
  },

  async "events are marks to go to"(browser) {
    const page = await open(browser, join(shipped("galileo_pendulum"), "report.html"));
    const { events } = await page.evaluate(() => window.maggi.run.data.summary);
    assert.ok(events.length > 0);
    assert.equal(await page.locator(".marks button").count(), events.length);
    await page.getByRole("tab", { name: `Events (${events.length})` }).click();
    const text = await page.getByRole("tabpanel").filter({ visible: true }).innerText();
    for (const name of ["meets", "leaves"]) assert.ok(text.includes(name), name);
    await page.locator("tbody button").filter({ visible: true }).first().click();
    assert.equal(await page.evaluate(() => window.maggi.clock.time), events[0].t, "a click goes there");
    await common(page);
  },

  async "redundant constraints and reactions that are not unique are named"(browser) {
    const page = await open(browser, join(shipped("parallel_rods"), "report.html"));
    await page.getByRole("tab", { name: "Constraints" }).click();
    const text = await page.getByRole("tabpanel").filter({ visible: true }).innerText();
    for (const part of ["1 of 3 constraint rows", "left", "middle", "right", "permanent, compatible", "not unique"]) assert.ok(text.includes(part), part);
    await page.getByRole("tab", { name: "Reactions" }).click();
    const reactions = await page.getByRole("tabpanel").filter({ visible: true }).innerText();
    assert.ok(reactions.includes("left, middle, right"));
    await page.getByRole("button", { name: "reaction.x", exact: true }).click();
    assert.deepEqual(await shown(page), ["reaction.x"], "its curve is shown");
    await common(page);
  },

  async "of a mechanism all joints are certified"(browser) {
    const page = await open(browser, join(shipped("door"), "report.html"));
    await page.getByRole("tab", { name: "Constraints" }).click();
    const text = await page.getByRole("tabpanel").filter({ visible: true }).innerText();
    // a hinge has five rows, two of the three hinges would not be needed
    for (const part of ["10 of 15 constraint rows", "hinge_mid", "hinge_high", "1 degree of freedom"]) assert.ok(text.includes(part), part);
    await common(page);
  },

  async "a run that fails has a report that says so"(browser) {
    const model = join(folder, "stuck.toml");
    writeFileSync(
      model,
      'title = "Runs into </script><b>a wall"\n[coordinates]\nx = { start = 0, speed = 1 }\n[energy]\nkinetic = "x\'^2/2"\n' +
        '[output]\nroot = "sqrt(0.5 - x)"\n[simulation]\nuntil = 1\noutput = 0.01\n',
    );
    const page = await open(browser, join(run(model, 2), "report.html"));
    assert.equal(await page.locator("h1").textContent(), "Runs into </script><b>a wall", "names are text, not markup");
    assert.match(await page.locator(".badge.bad").textContent(), /failed at 0\.5/);
    await page.getByRole("tab", { name: "Summary" }).click();
    assert.match(await page.locator(".warning").textContent(), /"root" is not a finite number/);
    await common(page);
  },

  async "a small screen and the dark need nothing else"(browser) {
    const file = join(shipped("pendulum"), "report.html");
    const page = await open(browser, file, { viewport: { width: 390, height: 800 }, colorScheme: "dark" });
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await background();
    await page.keyboard.press("d");
    assert.notEqual(await background(), dark);
    await common(page);
  },

  async "a comparison shows work against precision, and all methods"(browser) {
    const file = join(folder, "comparison.html");
    const words = ["compare", join(source, "models/pendulum.toml"), "--formulation", "augmented,range-space,maggi", "--report", file];
    const done = spawnSync(maggi, words, { encoding: "utf8" });
    assert.equal(done.status, 0, done.stderr);
    const page = await open(browser, file);
    const { rows } = JSON.parse(await page.locator("#report").textContent());
    assert.equal(await page.locator("svg polyline").count(), rows.filter((row) => row.points.some((point) => point.end_error > 0)).length);
    const evaluations = page.getByRole("combobox", { name: "work" });
    await evaluations.selectOption("evaluations");
    await page.getByRole("option").first().click();
    assert.equal(await page.locator('[role="option"][aria-selected="false"]').count(), 1, "a method can be hidden");
    await page.getByRole("tab", { name: "Methods" }).click();
    await page.getByRole("button", { name: "error of v̇" }).click();
    const errors = await page.locator("tbody tr").evaluateAll((all) => all.map((row) => row.cells[2].textContent.replace("−", "-")).filter(Boolean).map(Number));
    assert.deepEqual(errors, [...errors].sort((a, b) => a - b), "sorted by a column");
    await common(page);
  },

  async "Andrews' squeezer at 400 states weighs less than 1.2 MB"(browser) {
    const out = shipped("andrews_squeezer", "--output", "0.05/400");
    const bytes = statSync(join(out, "report.html")).size;
    assert.ok(bytes < 1_200_000, `${bytes} bytes`);
    const began = performance.now();
    const page = await open(browser, join(out, "report.html"));
    console.log(`    ${bytes} bytes, shown after ${Math.round(performance.now() - began)} ms`);
    await common(page);
  },
};

const failures = await runAll(tests, source);
rmSync(folder, { recursive: true });
process.exit(failures > 0 ? 1 : 0);
