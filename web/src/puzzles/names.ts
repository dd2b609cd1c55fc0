// Puzzles, goals and metrics in words.

import type { Family, Shape, SizeParameter } from "../engine/engine";

/** The sizes of an open puzzle, in the order of the family's name. */
export function puzzleSizes({ sizes }: Family, shape: Shape): (SizeParameter & { value: number })[] {
  const values: Record<string, number | string> = shape;
  return sizes.map((size) => ({ ...size, value: Number(values[size.name]) }));
}

/** The name of the puzzle of these sizes: `tiles-2x5`. */
export function sizedName({ name, sizes }: Family, values: readonly number[]): string {
  return sizes.reduce((name, { symbol }, index) => name.replace(symbol, String(values[index])), name);
}

/** The title of the open puzzle: `15-puzzle`, or with its size, `Sliding tiles, 2×5`. */
export function openPuzzleTitle(family: Family | undefined, puzzle: string, shape: Shape): string {
  if (!family) return puzzle;
  const listed = family.puzzles.find(({ name }) => name === puzzle);
  if (listed) return listed.title;
  const sizes = puzzleSizes(family, shape);
  const [first, second] = sizes;
  if (!first) return family.title;
  if (!second) return `${family.title}, ${first.name} ${first.value}`;
  return `${family.title}, ${sizes.map(({ value }) => value).join("×")}`;
}

const GOALS: Record<string, string> = {
  "blank-last": "blank last",
  "blank-first": "blank first",
  snail: "spiral",
};

export const goalName = (goal: string): string => GOALS[goal] ?? goal;

const METRICS: Record<string, string> = { htm: "half-turn", qtm: "quarter-turn" };

export const metricName = (metric: string): string => METRICS[metric] ?? metric;
