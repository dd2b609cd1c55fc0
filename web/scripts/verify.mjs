// Checks that the generated files are up to date (dist/ and the API types) and that the first load stays
// small.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const web = join(dirname(fileURLToPath(import.meta.url)), "..");
const folder = mkdtempSync(join(tmpdir(), "untumble-web-"));
/** Upper limit for the first load, in bytes after gzip. */
const MAX_FIRST_LOAD = 100_000;
let errors = 0;

function report(text) {
  errors += 1;
  console.error(text);
}

/** Paths of all files below a folder, relative to it. */
const listFiles = (root, folder = root) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? listFiles(root, join(folder, entry.name))
      : [relative(root, join(folder, entry.name))],
  );

function runTool(path, ...args) {
  const options = { cwd: web, stdio: ["ignore", "ignore", "inherit"] };
  execFileSync(process.execPath, [join(web, "node_modules", ...path), ...args], options);
}

/** Size of index.html and the files it names, in bytes after gzip. */
function firstLoad(dist) {
  const page = readFileSync(join(dist, "index.html"), "utf8");
  const names = [...page.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, name]) => name);
  const size = (name) => gzipSync(readFileSync(join(dist, name))).length;
  const bytes = ["index.html", ...names].reduce((sum, name) => sum + size(name), 0);
  if (bytes >= MAX_FIRST_LOAD)
    report(`the first load is ${bytes} bytes (gzip), the limit is ${MAX_FIRST_LOAD}`);
  return bytes;
}

try {
  const types = join(folder, "types.ts");
  runTool(["openapi-typescript", "bin", "cli.js"], "openapi.json", "--output", types, "--alphabetize");
  if (readFileSync(types, "utf8") !== readFileSync(join(web, "src", "api", "types.ts"), "utf8")) {
    report("src/api/types.ts does not match openapi.json: run `npm run types`");
  }

  const dist = join(folder, "dist");
  runTool(["vite", "bin", "vite.js"], "build", "--outDir", dist, "--logLevel", "error");
  const committed = join(web, "dist");
  const [built, present] = [listFiles(dist).toSorted(), listFiles(committed).toSorted()];
  for (const name of new Set([...built, ...present])) {
    if (!present.includes(name)) report(`dist/${name} is missing`);
    else if (!built.includes(name)) report(`dist/${name} is not produced by the sources`);
    else if (!readFileSync(join(dist, name)).equals(readFileSync(join(committed, name))))
      report(`dist/${name} is out of date`);
  }
  if (errors > 0) report("run `npm run build` and commit dist/");

  const total = built.reduce((sum, name) => sum + statSync(join(dist, name)).size, 0);
  console.log(`dist: ${built.length} files, ${total} bytes; first load: ${firstLoad(dist)} bytes (gzip)`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = errors === 0 ? 0 : 1;
