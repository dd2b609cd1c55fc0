import { expect, test } from "vitest";
import type { Family } from "../engine/engine";
import { openPuzzleTitle, puzzleSizes, sizedName } from "./names";

const family = (name: string, title: string, sizes: Family["sizes"], puzzles: Family["puzzles"]): Family => ({
  name,
  title,
  sizes,
  puzzles,
  what: "",
  aliases: [],
  moves: "",
  goals: ["solved"],
  goal_names: ["solved"],
  any_goal: false,
  metrics: [],
  example: "",
  position: "",
});
const size = (symbol: string, name: string) => ({ symbol, name, min: 2, max: 64 });
const tiles = family(
  "tiles-RxC",
  "Sliding tiles",
  [size("R", "rows"), size("C", "columns")],
  [{ name: "15-puzzle", title: "15-puzzle" }],
);
const cube = family("cube3", "Rubik's cube", [], [{ name: "cube3", title: "Rubik's cube" }]);
const balto = family("balto-N", "Balto's puzzle", [size("N", "side")], []);

test("a title names a listed puzzle, or the family with the sizes", () => {
  const board = { kind: "tiles", rows: 2, columns: 5 } as const;
  expect(openPuzzleTitle(tiles, "15-puzzle", { kind: "tiles", rows: 4, columns: 4 })).toBe("15-puzzle");
  expect(openPuzzleTitle(tiles, "tiles-2x5", board)).toBe("Sliding tiles, 2×5");
  expect(openPuzzleTitle(cube, "rubik", { kind: "cube", size: 3 })).toBe("Rubik's cube");
  expect(openPuzzleTitle(balto, "balto-7", { kind: "balto", side: 7 })).toBe("Balto's puzzle, side 7");
  expect(openPuzzleTitle(undefined, "new-puzzle", board)).toBe("new-puzzle");
});

test("the sizes of a puzzle make its name", () => {
  const sizes = puzzleSizes(tiles, { kind: "tiles", rows: 3, columns: 4 });
  expect(sizes.map(({ name, value }) => `${name} ${value}`)).toEqual(["rows 3", "columns 4"]);
  expect(
    sizedName(
      tiles,
      sizes.map(({ value }) => value),
    ),
  ).toBe("tiles-3x4");
  expect(sizedName(balto, [9])).toBe("balto-9");
  expect(sizedName(cube, [])).toBe("cube3");
});
