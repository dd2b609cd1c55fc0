// Vite plugin: writes NOTICES.txt, the packages in the bundle with their licences, followed by those of the
// engine.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ENGINE_NOTICES = fileURLToPath(new URL("../pkg/NOTICES.txt", import.meta.url));

/** Texts for packages that ship no licence file. */
const LICENCE_TEXTS = {
  cubing:
    "Copyright the cubing.js authors. Used under the Mozilla Public License 2.0\n" +
    "(https://mozilla.org/MPL/2.0/), unmodified except that some puzzles are left out.\n" +
    "The source code is at https://github.com/cubing/cubing.js\n" +
    "and on the npm registry as cubing, in the version above.",
};

/** The package that a module belongs to; null for modules of the page itself. */
function packageOf(id) {
  let folder = dirname(id.split("?")[0].replace(/^\0/, ""));
  if (!folder.includes("node_modules")) return null;
  while (folder.includes("node_modules")) {
    const manifest = join(folder, "package.json");
    if (existsSync(manifest)) {
      const { name, version, license } = JSON.parse(readFileSync(manifest, "utf8"));
      if (name && version) return { folder, name, version, license };
    }
    folder = dirname(folder);
  }
  return null;
}

function notice({ folder, name, version, license }) {
  const file = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  const licence = LICENCE_TEXTS[name] ?? (file ? readFileSync(join(folder, file), "utf8").trim() : null);
  if (!licence)
    throw new Error(`${name}: no licence text found; add one to LICENCE_TEXTS in scripts/notices.mjs`);
  return `${name} ${version} (${license})\n\n${licence}\n`;
}

export function notices() {
  const packages = new Map();
  return {
    name: "notices",
    apply: "build",
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        for (const id of Object.keys(chunk.modules ?? {})) {
          const found = packageOf(id);
          if (found) packages.set(found.name, found);
        }
      }
      const parts = [...packages.values()].sort((a, b) => (a.name < b.name ? -1 : 1)).map(notice);
      const head = "The untumble page contains code of these packages.\n";
      const source = [head, ...parts, readFileSync(ENGINE_NOTICES, "utf8")].join(`\n${"-".repeat(72)}\n\n`);
      this.emitFile({ type: "asset", fileName: "NOTICES.txt", source });
    },
  };
}
