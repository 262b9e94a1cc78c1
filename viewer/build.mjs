// Bundles src/ into dist/report.html: one page without any other file. maggi puts the data in the place of the marker.
//
//     node build.mjs [FILE]      default dist/report.html
import { build } from "esbuild";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = dirname(fileURLToPath(import.meta.url));
const target = process.argv[2] ?? join(folder, "dist/report.html");

const bundle = async (entry, options) => {
  const made = await build({
    absWorkingDir: folder,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    legalComments: "none", // their notices stand in the page as a whole, below
    ...options,
  });
  return made.outputFiles[0].text;
};

const notice = async (name) => {
  const text = await readFile(join(folder, "node_modules", name, "LICENSE"), "utf8");
  return `${name}: ${text.trim()}`;
};

const script = await bundle("src/main.ts", { format: "iife", target: "es2021" });
const style = await bundle("src/style.css", { loader: { ".css": "css" } });
const notices = (await Promise.all(["three", "uplot"].map(notice))).join("\n\n");
const page = await readFile(join(folder, "src/page.html"), "utf8");

const put = { NOTICES: notices, STYLE: style.trim(), SCRIPT: script.trim().replace(/<\/script/gi, "<\\/script") };
await writeFile(target, page.replace(/\/\*(NOTICES|STYLE|SCRIPT)\*\//g, (_, name) => put[name]));
