// Solvers in words: `parida+pdb:6-6-3` is "parallel IDA* with a pattern database".
//
// The page shows these names instead of solver specifications until the user opens the details. An
// algorithm or heuristic that is missing here keeps the engine's name.

import { capitalize } from "./format";
import { parseSolver } from "./solver-spec";

const ALGORITHMS: Record<string, string> = {
  auto: "automatic choice",
  bfs: "breadth-first search",
  parbfs: "parallel breadth-first search",
  bibfs: "bidirectional breadth-first search",
  dfs: "depth-first search",
  iddfs: "iterative-deepening depth-first search",
  astar: "A*",
  hda: "hash-distributed A*",
  parastar: "hash-distributed A*",
  greedy: "greedy best-first search",
  uniform: "uniform-cost search",
  ida: "IDA*",
  parida: "parallel IDA*",
  beam: "beam search",
  tunnel: "iterative tunneling",
  table: "look-up in a table of all distances",
  layers: "line-by-line solving",
  "two-phase": "Kociemba's two-phase algorithm",
  optimal: "IDA* with a symmetry-reduced pruning table",
  meet: "meet-in-the-middle search",
  mitm: "meet-in-the-middle search",
};

const HEURISTICS: Record<string, string> = {
  manhattan: "Manhattan distance",
  "linear-conflict": "linear conflicts",
  walking: "walking distance",
  pdb: "a pattern database",
  misplaced: "the number of misplaced tiles",
  euclidean: "Euclidean distance",
  diagonal: "diagonal distance",
  squared: "squared distance",
  learned: "a trained heuristic",
  nilsson: "Nilsson's sequence score",
  full: "a table of all distances",
  tiny: "a small pruning table",
  corners: "the corner pattern database",
  edges: "an edge pattern database",
  torus: "torus distance",
  closed: "a closed-form heuristic",
};

/** Options whose names are abbreviations. */
const OPTIONS: Record<string, string> = { w: "weight" };

/** Splits at the commas outside parentheses. */
function splitArguments(text: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const character of text) {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (character === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts;
}

const withDetails = (name: string, details: string): string => (details ? `${name} (${details})` : name);

function heuristicName(text: string, detailed: boolean): string {
  const maximum = /^max\((.*)\)$/.exec(text);
  if (maximum) {
    const parts = splitArguments(maximum[1]!).map((part) => heuristicName(part.trim(), detailed));
    return `the maximum of ${parts.join(" and ")}`;
  }
  const colon = text.indexOf(":");
  const [name, argument] = colon < 0 ? [text, ""] : [text.slice(0, colon), text.slice(colon + 1)];
  return withDetails(HEURISTICS[name] ?? name, detailed ? argument : "");
}

export function algorithmName(algorithm: string): string {
  return ALGORITHMS[algorithm] ?? algorithm;
}

/**
 * The method in words, for a sentence; `detailed` adds options and arguments, which tell similar solvers
 * apart.
 */
export function methodName(solver: string, detailed = false): string {
  const { algorithm, options, heuristic } = parseSolver(solver);
  const weighted = ["astar", "hda", "parastar"].includes(algorithm) && Number(options["w"] ?? 1) > 1;
  const values = Object.entries(options).map(([name, value]) => `${OPTIONS[name] ?? name} ${value}`);
  const name = withDetails(
    `${weighted ? "weighted " : ""}${algorithmName(algorithm)}`,
    detailed ? values.join(", ") : "",
  );
  return heuristic ? `${name} with ${heuristicName(heuristic, detailed)}` : name;
}

/** The method in words, as a label with a capital letter. */
export function methodLabel(solver: string): string {
  return capitalize(methodName(solver, true));
}

/** The solvers of a portfolio, or its only one, in words, for a sentence. */
export function portfolioName(stages: readonly string[]): string {
  const [first, second] = stages;
  if (first === undefined) return methodName("auto");
  return second === undefined ? methodName(first) : "several methods in turn";
}
