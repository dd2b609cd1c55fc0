import { expect, test } from "vitest";
import { EMPTY_LINK, formatLink, parseLink } from "./link";

test.each([
  { ...EMPTY_LINK, puzzle: "15-puzzle" },
  {
    ...EMPTY_LINK,
    puzzle: "tiles-3x3",
    position: "8 6 7 2 5 4 3 0 1",
    solvers: ["astar:w=1.5+linear-conflict"],
  },
  {
    ...EMPTY_LINK,
    puzzle: "cube3",
    position: "UUUU.",
    moves: "RU2F'",
    step: 3,
    orientation: "DF",
    metric: "qtm",
  },
  {
    ...EMPTY_LINK,
    view: "compare" as const,
    puzzle: "8-puzzle",
    solvers: ["bfs", "ida+manhattan"],
    count: 20,
    seed: 7,
  },
  { ...EMPTY_LINK, puzzle: "tiles-3x3", goal: "1 2 3/4 0 5/6 7 8" },
])("parsing a formatted link restores it: $puzzle $position", (link) => {
  const fragment = formatLink(link);
  expect(fragment).not.toMatch(/[\s+]/);
  expect(parseLink(fragment)).toEqual(link);
});

test("a malformed fragment names no puzzle, and malformed numbers take their defaults", () => {
  for (const hash of ["", "#", "#/", "#/%E0%A4%A", "#///", "#?x=%zz"])
    expect(parseLink(hash).puzzle, hash).toBeNull();
  expect(parseLink("#/15-puzzle?step=-4&count=x").step).toBe(0);
  expect(parseLink("#/15-puzzle?step=-4&count=x").count).toBeNull();
});
