import { expect, test } from "vitest";
import type { ErrorDetails, Repair } from "../engine/engine";
import { CubeRules } from "./cube";
import { around, explain, explainRepair, marked } from "./explain";
import { PLAIN } from "./hold";

const cube = new CubeRules(3);
const WHY = "the words of the engine";
const CORNER = { kind: "corner", name: "UFR", places: [8, 9, 20] };

const corner = (code: string, found: string): ErrorDetails => ({ code, pieces: [{ ...CORNER, found }] });

test("pieces are named by place and colour", () => {
  expect(explain(WHY, corner("mirrored-corner", "RUF"), cube, PLAIN)).toBe(
    "the corner at top-front-right has colours red, white, green clockwise, which no corner has: the real one has red, green, white",
  );
  expect(explain(WHY, corner("no-such-corner", "DRF"), cube, PLAIN)).toBe(
    "the corner at top-front-right has colours yellow, red, green, which no corner has",
  );
  const counts: ErrorDetails = {
    code: "colour-count",
    pieces: [
      { kind: "colour", name: "U", places: Array.from({ length: 10 }, (_, at) => at) },
      { kind: "colour", name: "B", places: Array.from({ length: 8 }, (_, at) => at + 46) },
    ],
  };
  expect(explain(WHY, counts, cube, PLAIN)).toBe("expected 9 stickers of each colour, found 10 of white, 8 of blue");
  const twice: ErrorDetails = {
    code: "duplicate-piece",
    pieces: [
      { ...CORNER, found: "URF" },
      { kind: "corner", name: "UFL", places: [6, 18, 38], found: "URF" },
      { kind: "corner", name: "", places: [], found: "UFL" },
    ],
  };
  expect(explain(WHY, twice, cube, PLAIN)).toBe(
    "the corner with colours white, red, green is there twice, at top-front-right and at top-front-left; the one with white, green, orange is missing",
  );
  const centres: ErrorDetails = {
    code: "same-centres",
    pieces: [
      { kind: "centre", name: "U", places: [4], found: "F" },
      { kind: "centre", name: "F", places: [22], found: "F" },
    ],
  };
  expect(explain(WHY, centres, cube, PLAIN)).toBe(
    "the centres of the top and the front face are both green; the six centres have six colours",
  );
});

test("what has no pieces keeps its words", () => {
  expect(explain(WHY, { code: "mirror-image" }, cube, PLAIN)).toBe(WHY);
  expect(explain(WHY, corner("something-new", "DRF"), cube, PLAIN)).toBe(WHY);
});

test("places are those of the cube as it is held", () => {
  const edge: ErrorDetails = { code: "no-such-edge", pieces: [{ kind: "edge", name: "UF", places: [7, 19], found: "UD" }] };
  expect(explain(WHY, edge, cube, { top: "D", front: "F" })).toBe(
    "the edge at bottom-front has colours white, yellow, which no edge has",
  );
  const strange: ErrorDetails = {
    code: "strange-colour",
    pieces: [{ kind: "sticker", name: "U9", places: [8], found: "X" }],
  };
  expect(explain(WHY, strange, cube, { top: "D", front: "F" })).toBe(
    "sticker 1 of the bottom face is “X”, a colour that no centre has",
  );
});

test("repairs are explained by what they change", () => {
  const repair = (changes: Repair["changes"]): Repair => ({ position: "", what: WHY, changes });
  const paint = repair([
    {
      kind: "paint",
      pieces: [
        { kind: "sticker", name: "U9", places: [8], found: "U" },
        { kind: "sticker", name: "R1", places: [9], found: "R" },
      ],
    },
  ]);
  expect(explainRepair(paint, cube, PLAIN)).toBe("paint sticker 9 of the top face white, sticker 1 of the right face red");
  const both = repair([
    { kind: "turn-clockwise", pieces: [CORNER] },
    { kind: "flip", pieces: [{ kind: "edge", name: "UF", places: [7, 19] }] },
  ]);
  expect(explainRepair(both, cube, PLAIN)).toBe(
    "turn the corner at top-front-right clockwise by a third, flip the edge at top-front",
  );
  expect(explainRepair(repair([{ kind: "something-new", pieces: [] }]), cube, PLAIN)).toBe(WHY);
});

test("the stickers of the pieces are marked", () => {
  expect(marked(corner("no-such-corner", "DRF"))).toEqual(new Set([8, 9, 20]));
  expect(marked({ code: "colour-count", pieces: [{ kind: "colour", name: "U", places: [1, 2] }] }).size).toBe(0);
  expect(marked({}).size).toBe(0);
});

test("spans count bytes", () => {
  expect(around("1 é x 4", [5, 6])).toEqual(["1 é ", "x", " 4"]);
  expect(around("1 2", null)).toBeNull();
  expect(around("1 2", [2, 9])).toBeNull();
});
