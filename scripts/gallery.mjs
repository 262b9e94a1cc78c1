// The gallery of the docs: every shipped model runs, its report is opened, its motion is photographed.
//
//     node scripts/gallery.mjs MAGGI SOURCE_DIR          (ninja gallery)
//
// Writes docs/gallery.md, docs/images/gallery/MODEL.png and the moving picture of the README.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { animate } from "./animated_png.mjs";

const [maggi, source] = process.argv.slice(2);
const { launch, open } = await import(join(source, "tests/viewer/browser.mjs"));
const pictures = join(source, "docs/images/gallery");
const folder = mkdtempSync(join(tmpdir(), "maggi_gallery_"));
const hero = { model: "andrews_squeezer", frames: 45, file: join(source, "docs/images/squeezer.png") };

const size = { width: 300, height: 190 }; // [px] of a picture
const toolbar = 44; // [px] above the motion, not photographed

/** The motion of a run as large as the picture, at the part of its time given. */
async function photograph(page, part) {
  await page.evaluate((at) => {
    const { clock } = window.maggi;
    clock.set(clock.begin + at * (clock.end - clock.begin));
    return new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  }, part);
  return page.screenshot({ clip: { x: 0, y: toolbar, ...size } });
}

/** The page with nothing but the motion. */
async function undress(page) {
  await page.addStyleTag({
    content: `header, footer, .tabs, .tools, .scale { display: none !important; }
      .stage, .stage:has(.scene) { display: block !important; padding: 0 !important; }
      .scene { position: fixed !important; inset: 0 !important; border: 0 !important; border-radius: 0 !important; }`,
  });
  await page.waitForTimeout(300); // the canvas follows its new size
  await page.evaluate(() => window.maggi.scene.fit());
}

async function report(browser, model) {
  const out = join(folder, model);
  execFileSync(maggi, ["run", join(source, `models/${model}.toml`), "--out", out, "--quiet"], { stdio: ["ignore", "ignore", "pipe"] });
  const viewport = { width: size.width, height: size.height + toolbar };
  const page = await open(browser, join(out, "report.html"), { viewport, colorScheme: "light" });
  await undress(page);
  return page;
}

/** Title and first sentence of the comment at the top. */
function described(model) {
  const text = readFileSync(join(source, `models/${model}.toml`), "utf8");
  const comment = /^(#.*\n)+/.exec(text)?.[0].replace(/^# ?/gm, "").replace(/\n/g, " ") ?? "";
  const title = /^title = "(.*)"$/m.exec(text)?.[1] ?? model;
  return { title, sentence: /^(.*?\.)(\s|$)/.exec(comment)?.[1] ?? comment.trim() };
}

function page_of(models) {
  const rows = models.map((model) => {
    const { title, sentence } = described(model);
    return `| ![${title}](images/gallery/${model}.png) | **[${title}](../models/${model}.toml)**<br>${sentence.replace(/\|/g, "\\|")} |`;
  });
  return `# Gallery

The pictures show every shipped model during its run, as in its report. \`./maggi run models/NAME.toml\` writes the report,
\`./maggi view models/NAME.toml\` lets you change it. The [table of models](../models/README.md) states what each of them teaches.
This page is written by scripts/gallery.mjs (\`ninja gallery\`).

| | |
|---|---|
${rows.join("\n")}
`;
}

mkdirSync(pictures, { recursive: true });
const models = readdirSync(join(source, "models")).filter((file) => file.endsWith(".toml")).map((file) => basename(file, ".toml")).sort();
for (const file of readdirSync(pictures)) if (!models.includes(basename(file, ".png"))) rmSync(join(pictures, file));
const browser = await launch(source);
for (const model of models) {
  const page = await report(browser, model);
  writeFileSync(join(pictures, `${model}.png`), await photograph(page, 0.4));
  if (model === hero.model) {
    const frames = [];
    for (let k = 0; k < hero.frames; ++k) frames.push(await photograph(page, k / hero.frames));
    writeFileSync(hero.file, animate(frames, 1 / 15));
  }
  await page.close();
  console.log(model);
}
await browser.close();
rmSync(folder, { recursive: true });
writeFileSync(join(source, "docs/gallery.md"), page_of(models));
