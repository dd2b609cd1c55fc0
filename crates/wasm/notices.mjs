// Prints the licence notices of the packages that are compiled into the browser engine (wasm32).
//
//   node crates/wasm/notices.mjs > web/pkg/NOTICES.txt
//
// Packages with the same licence text are listed together above it.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const PACKAGE = "untumble-wasm";
const TARGET = "wasm32-unknown-unknown";
/** The order of preference among alternative licences; licence files are named after them. */
const PREFERENCE = ["MIT", "Zlib", "BSD-2-Clause", "BSD-3-Clause", "Unicode-3.0", "Apache-2.0"];

function cargo(...args) {
  const options = { cwd: root, encoding: "utf8", maxBuffer: 1 << 26, stdio: ["ignore", "pipe", "inherit"] };
  return execFileSync("cargo", args, options);
}

/** Names and versions of the linked packages, without procedural macros. */
function linkedPackages() {
  const edges = ["--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}"];
  const lines = cargo("tree", "--locked", "--package", PACKAGE, "--target", TARGET, ...edges).split("\n");
  return new Set(lines.filter(Boolean).map((line) => line.split(" ").slice(0, 2).join(" ")));
}

/** The texts of the licences under which a package is used. */
function licenceTexts({ name, license, manifest_path }) {
  const folder = dirname(manifest_path);
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|unlicense)/i.test(file));
  const parts = (license ?? "").split(/ AND /).map((part) => part.replace(/[()]/g, "").split(/ OR |\//));
  return parts.map((offered) => {
    const chosen = PREFERENCE.find((licence) => offered.includes(licence));
    const suffix = `-${chosen?.split("-")[0].toUpperCase()}`;
    const named = files.find((file) => file.toUpperCase().includes(suffix));
    const file = named ?? (files.length === 1 ? files[0] : undefined);
    if (!chosen || !file) throw new Error(`${name}: no text found for ${license}; see crates/wasm/notices.mjs`);
    return readFileSync(join(folder, file), "utf8").replace(/\r/g, "").trim();
  });
}

/** The standard library is compiled in but is not in the list of packages. */
function standardLibrary() {
  const licence = readFileSync(join(root, "LICENSE-MIT"), "utf8");
  const permission = licence.replace(/^[\s\S]*?(?=Permission is hereby)/, "").trim();
  const copyright = "Copyright (c) The Rust Project Contributors";
  return ["std, the standard library of Rust (MIT OR Apache-2.0)", `${copyright}\n\n${permission}`];
}

const linked = linkedPackages();
const metadata = cargo("metadata", "--locked", "--format-version", "1", "--filter-platform", TARGET);
const { packages } = JSON.parse(metadata);
const namesByText = new Map();
for (const item of packages.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
  // Packages without a source belong to this repository.
  if (!item.source || !linked.has(`${item.name} v${item.version}`)) continue;
  const text = licenceTexts(item).join("\n\n");
  // A text without a copyright line is preceded by the authors of the package.
  const hasCopyright = /^\s*copyright/im.test(text);
  const authors = hasCopyright ? [] : item.authors.map((author) => author.replace(/ *<.*/, ""));
  const by = authors.length > 0 ? `, by ${authors.join(", ")}` : "";
  const title = `${item.name} ${item.version} (${item.license})${by}`;
  namesByText.set(text, [...(namesByText.get(text) ?? []), title]);
}
const [name, text] = standardLibrary();
const notices = [...namesByText].map(([text, names]) => `${names.join("\n")}\n\n${text}\n`);
const parts = [...notices, `${name}\n\n${text}\n`];
const head = "The browser engine of untumble contains these packages.\n";
process.stdout.write([head, ...parts].join(`\n${"-".repeat(72)}\n\n`));
