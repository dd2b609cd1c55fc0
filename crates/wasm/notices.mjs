// Writes who made what is in the engine for the browser: the packages that are compiled into it for wasm32, each with its licence.
//
//   node crates/wasm/notices.mjs > web/pkg/NOTICES.txt
//
// Packages that share a text are named above it together.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const PACKAGE = "untumble-wasm";
const TARGET = "wasm32-unknown-unknown";
/** Of licences that one may choose from, the first of these is taken; a package's file is named after it. */
const CHOICE = ["MIT", "Zlib", "BSD-2-Clause", "BSD-3-Clause", "Unicode-3.0", "Apache-2.0"];

function cargo(...words) {
  return execFileSync("cargo", words, { cwd: root, encoding: "utf8", maxBuffer: 1 << 26, stdio: ["ignore", "pipe", "inherit"] });
}

/** Names and versions of what is linked, macros that only ran while compiling left out. */
function linked() {
  const edges = ["--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}"];
  const lines = cargo("tree", "--locked", "--package", PACKAGE, "--target", TARGET, ...edges).split("\n");
  return new Set(lines.filter(Boolean).map((line) => line.split(" ").slice(0, 2).join(" ")));
}

/** The texts of the licences that a package is used under. */
function texts({ name, license, manifest_path }) {
  const folder = dirname(manifest_path);
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|unlicense)/i.test(file));
  const parts = (license ?? "").split(/ AND /).map((part) => part.replace(/[()]/g, "").split(/ OR |\//));
  return parts.map((offered) => {
    const chosen = CHOICE.find((licence) => offered.includes(licence));
    const word = chosen?.split("-")[0].toUpperCase();
    const file = files.find((file) => file.toUpperCase().includes(`-${word}`)) ?? (files.length === 1 ? files[0] : undefined);
    if (!chosen || !file) throw new Error(`${name}: no text found for ${license}; see crates/wasm/notices.mjs`);
    return readFileSync(join(folder, file), "utf8").replace(/\r/g, "").trim();
  });
}

/** The standard library is compiled in as well, and no package of this list. */
function standardLibrary() {
  const permission = readFileSync(join(root, "LICENSE-MIT"), "utf8").replace(/^[\s\S]*?(?=Permission is hereby)/, "").trim();
  return ["std, the standard library of Rust (MIT OR Apache-2.0)", `Copyright (c) The Rust Project Contributors\n\n${permission}`];
}

const used = linked();
const { packages } = JSON.parse(cargo("metadata", "--locked", "--format-version", "1", "--filter-platform", TARGET));
const shared = new Map();
for (const one of packages.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
  // What has no source is of this repository.
  if (!one.source || !used.has(`${one.name} v${one.version}`)) continue;
  const text = texts(one).join("\n\n");
  // A text that names nobody is preceded by those who wrote the package.
  const by = /^\s*copyright/im.test(text) ? [] : one.authors.map((author) => author.replace(/ *<.*/, ""));
  const title = `${one.name} ${one.version} (${one.license})${by.length > 0 ? `, by ${by.join(", ")}` : ""}`;
  shared.set(text, [...(shared.get(text) ?? []), title]);
}
const [name, words] = standardLibrary();
const parts = [...[...shared].map(([text, names]) => `${names.join("\n")}\n\n${text}\n`), `${name}\n\n${words}\n`];
const head = "The engine of untumble for the browser holds these packages.\n";
process.stdout.write([head, ...parts].join(`\n${"-".repeat(72)}\n\n`));
