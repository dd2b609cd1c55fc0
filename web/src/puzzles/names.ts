// Puzzles, goals and metrics in words.

import type { Family, Shape } from "../engine/engine";

/** Whether the family has sizes to choose, which its name shows by capital letters: `tiles-RxC`. */
export const hasSizes = ({ name }: Family): boolean => /[A-Z]/.test(name);

/** The family's description up to the first comma, without its article. */
function familyTitle({ what }: Family): string {
  const title = what.split(",")[0]!.replace(/^the /, "");
  return title[0]!.toUpperCase() + title.slice(1);
}

/** The title of a puzzle in a list: `15-puzzle`, `Pocket cube`. */
export function puzzleTitle(family: Family, puzzle: string): string {
  return hasSizes(family) && puzzle.includes("puzzle") ? puzzle : familyTitle(family);
}

/** The title of the open puzzle, with its size: `2×5 sliding tiles`. */
export function openPuzzleTitle(family: Family | undefined, puzzle: string, shape: Shape): string {
  if (!family || puzzle.endsWith("-puzzle")) return puzzle;
  if (shape.kind === "tiles") return `${shape.rows}×${shape.columns} sliding tiles`;
  return shape.kind === "balto" ? `${familyTitle(family)}, side ${shape.side}` : familyTitle(family);
}

const GOALS: Record<string, string> = {
  "blank-last": "blank last",
  "blank-first": "blank first",
  snail: "spiral",
};

export const goalName = (goal: string): string => GOALS[goal] ?? goal;

const METRICS: Record<string, string> = { htm: "half-turn", qtm: "quarter-turn" };

export const metricName = (metric: string): string => METRICS[metric] ?? metric;
