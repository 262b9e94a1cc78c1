// The page in viewer/dist is what viewer/src builds to, and small.
//
//     node bundle_test.mjs SOURCE_DIR
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const source = process.argv[2];
const folder = mkdtempSync(join(tmpdir(), "maggi_bundle_"));
const built = join(folder, "report.html");
execFileSync(process.execPath, [join(source, "viewer/build.mjs"), built], { stdio: "inherit" });
const made = readFileSync(built);
const committed = readFileSync(join(source, "viewer/dist/report.html"));
rmSync(folder, { recursive: true });

const most = 1_000_000; // bytes: what a report weighs before its data
const faults = [];
if (!made.equals(committed)) faults.push("viewer/dist/report.html is not what viewer/src builds to: run npm run build in viewer/");
if (committed.length > most) faults.push(`viewer/dist/report.html has ${committed.length} bytes, more than ${most}`);
if (committed.toString().split("/*REPORT*/").length !== 2) faults.push("viewer/dist/report.html has not exactly one place for the data");
for (const fault of faults) console.error(fault);
console.log(`viewer/dist/report.html: ${committed.length} bytes`);
process.exit(faults.length > 0 ? 1 : 0);
