// The text that names a solver, `algorithm:option=value+heuristic`, taken apart for a form and put together again.

import type { Description } from "./engine/engine";

export interface Choice {
  algorithm: string;
  options: Record<string, string>;
  heuristic: string;
}

export function readSolver(text: string): Choice {
  const plus = text.indexOf("+");
  const head = plus < 0 ? text : text.slice(0, plus);
  const colon = head.indexOf(":");
  const options: Record<string, string> = {};
  if (colon >= 0) {
    for (const part of head.slice(colon + 1).split(",")) {
      const [name, value] = part.split("=", 2);
      if (name) options[name.trim()] = (value ?? "").trim();
    }
  }
  return {
    algorithm: (colon < 0 ? head : head.slice(0, colon)).trim(),
    options,
    heuristic: plus < 0 ? "" : text.slice(plus + 1).trim(),
  };
}

/** The text of a choice; what its algorithm does not know, and what is the default anyway, is left out. */
export function writeSolver(choice: Choice, description: Description): string {
  const algorithm = description.algorithms.find((known) => known.name === choice.algorithm);
  if (!algorithm) return choice.algorithm;
  const options = algorithm.options
    .filter(({ name, default: usual }) => choice.options[name] && choice.options[name] !== usual)
    .map(({ name }) => `${name}=${choice.options[name]}`);
  const heuristic = algorithm.heuristic && choice.heuristic ? `+${choice.heuristic}` : "";
  return `${choice.algorithm}${options.length > 0 ? `:${options.join(",")}` : ""}${heuristic}`;
}
