// Writes NOTICES.txt: which packages the bundle holds, and under which licences. Those of the engine come with it.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ENGINE = fileURLToPath(new URL("../pkg/NOTICES.txt", import.meta.url));

/** Words for packages that ship no licence text of their own. */
const WORDS = {
  cubing:
    "Copyright the cubing.js authors. Used under the Mozilla Public License 2.0 (https://mozilla.org/MPL/2.0/), unchanged but for puzzles left out.\n" +
    "Its source code is at https://github.com/cubing/cubing.js, and on the npm registry as cubing, in the version above.",
};

/** The folder and manifest of the package that a module belongs to. */
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

function text({ folder, name, version, license }) {
  const file = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  const words = WORDS[name] ?? (file ? readFileSync(join(folder, file), "utf8").trim() : null);
  if (!words) throw new Error(`${name}: no licence text found; add its words to scripts/notices.mjs`);
  return `${name} ${version} (${license})\n\n${words}\n`;
}

export function notices() {
  const seen = new Map();
  return {
    name: "notices",
    apply: "build",
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        for (const id of Object.keys(chunk.modules ?? {})) {
          const found = packageOf(id);
          if (found) seen.set(found.name, found);
        }
      }
      const parts = [...seen.values()].sort((a, b) => (a.name < b.name ? -1 : 1)).map(text);
      const head = "The page of untumble holds parts of these packages.\n";
      const source = [head, ...parts, readFileSync(ENGINE, "utf8")].join(`\n${"-".repeat(72)}\n\n`);
      this.emitFile({ type: "asset", fileName: "NOTICES.txt", source });
    },
  };
}
