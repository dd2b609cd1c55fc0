// The page shows the engine's sentences and never reads them: what it decides, it decides by typed data.
//
// Every regular expression and every string search in the sources is listed here with the grammar that it
// reads. A new one fails until it is listed, and an English text is not a grammar.

import { parse } from "svelte/compiler";
import { describe, expect, test } from "vitest";

/** By file: the grammar of the texts that it reads, and its expressions in order. */
const GRAMMARS: Record<string, [grammar: string, ...expressions: string[]]> = {
  "components/SolverForm.svelte": ["solver specifications", "split(/[:(]/)"],
  "draw/TileBoard.svelte": ["names of keys", "/^\\d$/.test(event.key)"],
  "engine/remote.ts": [
    "media types and server-sent events",
    'includes("json")',
    "split(/\\r?\\n\\r?\\n/)",
    "split(/\\r?\\n/)",
    "startsWith(`${name}:`)",
    'replace(/^ /, "")',
  ],
  "format.ts": ["the last character of a sentence, which may lack a full stop", "endsWith(mark)"],
  "link.ts": [
    "the URL fragment",
    "/^\\d{1,9}$/.test(text)",
    'replace(/^#\\/?/, "")',
    'split("?", 2)',
    'split("/")',
    'replaceAll(",", " ")',
    'replaceAll("%2C", ",")',
    'replaceAll("%3A", ":")',
    'replace(/\\s+/g, ",")',
    'replace(/\\s+/g, "")',
  ],
  "puzzles/balto.ts": ["moves", "match(/[1-6A-F]/g)"],
  "puzzles/cube.ts": [
    "sticker letters and moves",
    'replace(/\\s/g, "")',
    "match(/[URFDLB][2']?/g)",
    'endsWith("2")',
    `endsWith("'")`,
    'split("")',
  ],
  "puzzles/cubies.ts": [
    "constant lists of face letters",
    '"UF UR UB UL DF DR DB DL FR FL BR BL".split(" ")',
    '"UFR UBR UBL UFL DFR DFL DBL DBR".split(" ")',
    '"U L F R B D".split(" ")',
    '"DLB".includes(face)',
    '"FB".includes(b)',
  ],
  "puzzles/names.ts": ["the symbols of sizes in a family's name", "replace(symbol, String(values[index]))"],
  "puzzles/rules.ts": ["lists of tile numbers", "split(/[\\s,/]+/)", "/^\\d{1,5}$/.test(item)"],
  "puzzles/tiles.ts": ["moves", "match(/[UDLR]/g)"],
  "solver-names.ts": ["solver specifications", "/^max\\((.*)\\)$/.exec(text)", 'indexOf(":")'],
  "solver-spec.ts": [
    "solver specifications",
    'indexOf("+")',
    'indexOf(":")',
    'split(",")',
    'split("=", 2)',
  ],
  "state/comparison.svelte.ts": [
    "comma-separated values",
    '/[",\\n]/.test(text)',
    `replaceAll('"', '""')`,
  ],
};

/** Flags, streams and solver specifications: words of the command line. */
const COMMAND_LINE = /(^|\s)--[a-z]+|\bstd(in|out|err)\b|\bcommand line\b|\b[a-z]+\+[a-z]+/;

/** Methods that only strings and regular expressions have. */
const STRING_METHODS = new Set(
  "endsWith exec localeCompare match matchAll replace replaceAll search split startsWith test".split(" "),
);
/** Methods that arrays have, too: they search a string if the receiver or an argument is one. */
const SEARCH_METHODS = new Set(["includes", "indexOf", "lastIndexOf"]);

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

/** All nodes of a syntax tree in the order of the text. */
function* nodesOf(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const item of value) yield* nodesOf(item);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  if ("type" in value && "start" in value) yield value as Node;
  for (const child of Object.values(value)) yield* nodesOf(child);
}

const isRegExp = (node: Node): boolean => node.type === "Literal" && Boolean(node["regex"]);
const isString = (node: Node): boolean =>
  node.type === "TemplateLiteral" || (node.type === "Literal" && typeof node["value"] === "string");

/** Where a call searches or splits a string: from its method to its end; null if it does not. */
function searchStart(call: Node): number | null {
  const [callee, args] = [call["callee"] as Node, call["arguments"] as Node[]];
  if (callee.type === "Identifier" && callee["name"] === "RegExp") return call.start;
  if (callee.type !== "MemberExpression") return null;
  const [receiver, property] = [callee["object"] as Node, callee["property"] as Node];
  const method = String(property["name"] ?? property["value"]);
  if (STRING_METHODS.has(method))
    return isRegExp(receiver) || isString(receiver) ? call.start : property.start;
  if (!SEARCH_METHODS.has(method)) return null;
  if (isString(receiver)) return call.start;
  return args.some(isString) ? property.start : null;
}

interface Inspection {
  /** The expressions that search a text. */
  searches: string[];
  /** The comparisons with several words. */
  phrases: string[];
  /** The texts in the markup and in string literals. */
  texts: string[];
}

function inspect(file: string, text: string): Inspection {
  const source = file.endsWith(".svelte") ? text : `<script lang="ts">${text}</script>`;
  const { fragment, instance, module } = parse(source, { modern: true });
  const quote = (start: number, end: number): string => source.slice(start, end).split(/\s+/).join(" ");
  const ranges: [number, number][] = [];
  const phrases: string[] = [];
  const texts: string[] = [];
  for (const node of nodesOf([module, instance, fragment])) {
    if (node.type === "CallExpression" || node.type === "NewExpression") {
      const start = searchStart(node);
      if (start !== null) ranges.push([start, node.end]);
    }
    if (isRegExp(node)) ranges.push([node.start, node.end]);
    const isComparison = node.type === "BinaryExpression" && node["operator"] !== "+";
    const compared = isComparison ? [node["left"], node["right"]] : [];
    for (const side of (node.type === "SwitchCase" ? [node["test"]] : compared) as (Node | null)[])
      if (side && isString(side) && /\p{L}\s|\s\p{L}/u.test(quote(side.start, side.end)))
        phrases.push(quote(node.start, node.end));
    if (node.type === "Text") texts.push(String(node["data"]));
    if (node.type === "Literal" && isString(node)) texts.push(String(node["value"]));
    if (node.type === "TemplateElement") texts.push(quote(node.start, node.end));
  }
  const outer = ranges.filter(
    ([start, end]) => !ranges.some(([from, to]) => from <= start && end <= to && to - from > end - start),
  );
  outer.sort(([one], [other]) => one - other);
  return { searches: outer.map(([start, end]) => quote(start, end)), phrases, texts };
}

const sources = Object.entries(
  import.meta.glob<string>(["./**/*.{ts,svelte}", "!./**/*.test.ts", "!./api/types.ts"], {
    query: "?raw",
    import: "default",
    eager: true,
  }),
).map(([path, text]) => ({ file: path.slice(2), text }));

test("the sources are found", () => {
  const files = sources.map(({ file }) => file);
  const some = ["App.svelte", "state/session.svelte.ts", "puzzles/names.ts"];
  expect(files).toEqual(expect.arrayContaining(some));
});

describe.each(sources)("$file", ({ file, text }) => {
  const { searches, phrases, texts } = inspect(file, text);

  test("searches only texts of a known grammar", () => {
    expect(searches).toEqual(GRAMMARS[file]?.slice(1) ?? []);
  });

  test("compares nothing with a phrase", () => {
    expect(phrases).toEqual([]);
  });

  test("has no words of the command line", () => {
    // The canvas reads custom properties of the style sheet.
    const isProperty = (text: string): boolean =>
      file === "draw/TileCanvas.svelte" && /^--[a-z]+$/.test(text);
    expect(texts.filter((text) => COMMAND_LINE.test(text) && !isProperty(text))).toEqual([]);
  });
});

test("every listed file exists", () => {
  const files = new Set(sources.map(({ file }) => file));
  expect(Object.keys(GRAMMARS).filter((file) => !files.has(file))).toEqual([]);
});

test.each([
  ["names.ts", 'const portfolio = solver.includes(", then ");', 'includes(", then ")'],
  ["names.ts", 'const title = what.split(",")[0]!;', 'split(",")'],
  ["names.ts", 'const title = what.replace(/^the /, "");', 'replace(/^the /, "")'],
  ["names.ts", "const sized = /[A-Z]/.test(name);", "/[A-Z]/.test(name)"],
  ["names.ts", 'const known = new RegExp("puzzle$").exec(name);', 'new RegExp("puzzle$")', "exec(name)"],
  ["names.ts", "const found = message.startsWith(WORD);", "startsWith(WORD)"],
  ["Goal.svelte", '<p>{#if !goal.includes(" ")}{goal}{/if}</p>', 'includes(" ")'],
  ["Goal.svelte", '<p class={goals.includes(goal) ? "a" : "b"}>{board.indexOf(0)}</p>'],
])("in %s, %s is found", (file, text, ...expected) => {
  expect(inspect(file, text).searches).toEqual(expected);
});

test("comparisons with phrases are found", () => {
  const text = 'if (goal === "any arrangement" || key === " ") { switch (goal) { case "no goal": } }';
  expect(inspect("goal.ts", text).phrases).toEqual(['goal === "any arrangement"', 'case "no goal":']);
});
