// Proves that what is committed is what its sources make: the bundle, and the types taken from the API's description.
// Also weighs what a first visit loads.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const web = join(dirname(fileURLToPath(import.meta.url)), "..");
const folder = mkdtempSync(join(tmpdir(), "untumble-web-"));
const MOST = 100_000;
let wrong = 0;

function complain(text) {
  wrong += 1;
  console.error(text);
}

const files = (root, at = root) =>
  readdirSync(at, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? files(root, join(at, entry.name)) : [relative(root, join(at, entry.name))],
  );

function run(program, ...words) {
  execFileSync(process.execPath, [join(web, "node_modules", ...program), ...words], { cwd: web, stdio: ["ignore", "ignore", "inherit"] });
}

/** The entry and all it imports at once, as the page names them. */
function firstLoad(dist) {
  const page = readFileSync(join(dist, "index.html"), "utf8");
  const named = [...page.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, name]) => name);
  const bytes = ["index.html", ...named].reduce((sum, name) => sum + gzipSync(readFileSync(join(dist, name))).length, 0);
  if (bytes >= MOST) complain(`a first visit loads ${bytes} bytes (gzip), more than ${MOST}`);
  return bytes;
}

try {
  const types = join(folder, "types.ts");
  run(["openapi-typescript", "bin", "cli.js"], "openapi.json", "--output", types, "--alphabetize");
  if (readFileSync(types, "utf8") !== readFileSync(join(web, "src", "api", "types.ts"), "utf8")) {
    complain("src/api/types.ts is not what openapi.json says: run `npm run types`");
  }

  const dist = join(folder, "dist");
  run(["vite", "bin", "vite.js"], "build", "--outDir", dist, "--logLevel", "error");
  const [made, kept] = [files(dist).toSorted(), files(join(web, "dist")).toSorted()];
  for (const name of new Set([...made, ...kept])) {
    if (!kept.includes(name)) complain(`dist lacks ${name}`);
    else if (!made.includes(name)) complain(`dist holds ${name}, which no source makes`);
    else if (!readFileSync(join(dist, name)).equals(readFileSync(join(web, "dist", name)))) complain(`dist/${name} is not what its sources make`);
  }
  if (wrong > 0) complain("run `npm run build` and commit what it makes");

  const total = made.reduce((sum, name) => sum + statSync(join(dist, name)).size, 0);
  console.log(`dist: ${made.length} files, ${total} bytes; a first visit loads ${firstLoad(dist)} bytes (gzip)`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = wrong === 0 ? 0 : 1;
