// Solver specifications, `algorithm:option=value+heuristic`: parsed for the form, and formatted for the
// engine.

import type { Description } from "./engine/engine";

export interface SolverSpec {
  algorithm: string;
  options: Record<string, string>;
  heuristic: string;
}

export function parseSolver(text: string): SolverSpec {
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

/**
 * Formats a specification, without options that the algorithm does not have or that equal their defaults.
 */
export function formatSolver(spec: SolverSpec, description: Description): string {
  const algorithm = description.algorithms.find(({ name }) => name === spec.algorithm);
  if (!algorithm) return spec.algorithm;
  const options = algorithm.options
    .filter(({ name, default: defaultValue }) => spec.options[name] && spec.options[name] !== defaultValue)
    .map(({ name }) => `${name}=${spec.options[name]}`);
  const heuristic = algorithm.heuristic && spec.heuristic ? `+${spec.heuristic}` : "";
  return `${spec.algorithm}${options.length > 0 ? `:${options.join(",")}` : ""}${heuristic}`;
}
