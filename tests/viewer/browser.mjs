// A browser for the tests: Debian's Chromium without a window, drawing by software.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";

const inPath = (name) => process.env.PATH.split(delimiter).map((folder) => join(folder, name)).find(existsSync);

export async function launch(source) {
  const { chromium } = createRequire(join(source, "viewer/package.json"))("playwright-core");
  const executablePath = inPath("chromium") ?? inPath("google-chrome");
  if (!executablePath) throw new Error("no chromium in PATH (Debian: apt-get install chromium)");
  return chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  });
}

/** A page from the disk, shown completely; keeps what it asked for and complained about. */
export async function open(browser, file, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, ...options });
  page.requests = [];
  page.complaints = [];
  page.on("request", (request) => page.requests.push(request.url()));
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && page.complaints.push(message.text()));
  page.on("pageerror", (error) => page.complaints.push(String(error)));
  await page.goto(pathToFileURL(file).href);
  await page.waitForFunction(() => document.documentElement.dataset.ready === "true", null, { timeout: 60_000 });
  return page;
}

/** Every test with a browser and what else they share, by its name; how many failed. */
export async function runAll(tests, source, ...shared) {
  const browser = await launch(source);
  let failures = 0;
  for (const [name, test] of Object.entries(tests)) {
    try {
      await test(browser, ...shared);
      console.log(`ok      ${name}`);
    } catch (fault) {
      ++failures;
      console.log(`FAILED  ${name}\n${fault.stack}`);
    }
    for (const context of browser.contexts()) await context.close();
  }
  await browser.close();
  return failures;
}
