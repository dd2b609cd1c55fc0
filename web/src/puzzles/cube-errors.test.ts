import { expect, test } from "vitest";
import type { ErrorDetails, ErrorPiece, Repair } from "../engine/engine";
import { CubeRules } from "./cube";
import { describeError, describeRepair, faultyFacelets, splitAtSpan } from "./cube-errors";
import { STANDARD_ORIENTATION } from "./orientation";

const cube = new CubeRules(3);
const MESSAGE = "the message of the engine";
const CORNER: ErrorPiece = { kind: "corner", name: "UFR", places: [8, 9, 20] };

const corner = (code: string, found: string): ErrorDetails => ({ code, pieces: [{ ...CORNER, found }] });

test("errors name the location and the colours of a piece", () => {
  expect(describeError(MESSAGE, corner("mirrored-corner", "RUF"), cube, STANDARD_ORIENTATION)).toBe(
    "the corner at top-front-right is mirrored: clockwise it reads red, white, green, " +
      "but the real corner reads red, green, white",
  );
  expect(describeError(MESSAGE, corner("no-such-corner", "DRF"), cube, STANDARD_ORIENTATION)).toBe(
    "the corner at top-front-right has the colours yellow, red, green; no corner has these colours",
  );
  const counts: ErrorDetails = {
    code: "colour-count",
    pieces: [
      { kind: "colour", name: "U", places: Array.from({ length: 10 }, (_, i) => i) },
      { kind: "colour", name: "B", places: Array.from({ length: 8 }, (_, i) => i + 46) },
    ],
  };
  expect(describeError(MESSAGE, counts, cube, STANDARD_ORIENTATION)).toBe(
    "each colour needs 9 stickers, but there are 10 white, 8 blue",
  );
  const duplicate: ErrorDetails = {
    code: "duplicate-piece",
    pieces: [
      { ...CORNER, found: "URF" },
      { kind: "corner", name: "UFL", places: [6, 18, 38], found: "URF" },
      { kind: "corner", name: "", places: [], found: "UFL" },
    ],
  };
  expect(describeError(MESSAGE, duplicate, cube, STANDARD_ORIENTATION)).toBe(
    "the white, red, green corner appears twice, at top-front-right and at top-front-left; " +
      "the white, green, orange corner is missing",
  );
  const centres: ErrorDetails = {
    code: "same-centres",
    pieces: [
      { kind: "centre", name: "U", places: [4], found: "F" },
      { kind: "centre", name: "F", places: [22], found: "F" },
    ],
  };
  expect(describeError(MESSAGE, centres, cube, STANDARD_ORIENTATION)).toBe(
    "the centres of the top and front faces are both green; the six centres must have six different colours",
  );
});

test("an error without pieces, or with an unknown code, keeps the message of the engine", () => {
  expect(describeError(MESSAGE, { code: "mirror-image" }, cube, STANDARD_ORIENTATION)).toBe(MESSAGE);
  expect(describeError(MESSAGE, corner("something-new", "DRF"), cube, STANDARD_ORIENTATION)).toBe(MESSAGE);
});

test("locations follow the orientation of the cube", () => {
  const edge: ErrorDetails = {
    code: "no-such-edge",
    pieces: [{ kind: "edge", name: "UF", places: [7, 19], found: "UD" }],
  };
  expect(describeError(MESSAGE, edge, cube, { top: "D", front: "F" })).toBe(
    "the edge at bottom-front has the colours white, yellow; no edge has these colours",
  );
  const unknown: ErrorDetails = {
    code: "strange-colour",
    pieces: [{ kind: "sticker", name: "U9", places: [8], found: "X" }],
  };
  expect(describeError(MESSAGE, unknown, cube, { top: "D", front: "F" })).toBe(
    "sticker 1 on the bottom face is “X”, a colour that no centre has",
  );
});

test("repairs are described by their changes", () => {
  const repair = (changes: Repair["changes"]): Repair => ({ position: "", what: MESSAGE, changes });
  const paint = repair([
    {
      kind: "paint",
      pieces: [
        { kind: "sticker", name: "U9", places: [8], found: "U" },
        { kind: "sticker", name: "R1", places: [9], found: "R" },
      ],
    },
  ]);
  expect(describeRepair(paint, cube, STANDARD_ORIENTATION)).toBe(
    "paint sticker 9 on the top face white, sticker 1 on the right face red",
  );
  const both = repair([
    { kind: "turn-clockwise", pieces: [CORNER] },
    { kind: "flip", pieces: [{ kind: "edge", name: "UF", places: [7, 19] }] },
  ]);
  expect(describeRepair(both, cube, STANDARD_ORIENTATION)).toBe(
    "twist the corner at top-front-right clockwise, flip the edge at top-front",
  );
  expect(describeRepair(repair([{ kind: "replace", pieces: [] }]), cube, STANDARD_ORIENTATION)).toBe(
    MESSAGE,
  );
});

test("faulty facelets are those of the pieces, not of colour counts", () => {
  expect(faultyFacelets(corner("no-such-corner", "DRF"))).toEqual(new Set([8, 9, 20]));
  expect(
    faultyFacelets({ code: "colour-count", pieces: [{ kind: "colour", name: "U", places: [1, 2] }] }).size,
  ).toBe(0);
  expect(faultyFacelets({}).size).toBe(0);
});

test("spans count UTF-8 bytes", () => {
  expect(splitAtSpan("1 é x 4", [5, 6])).toEqual(["1 é ", "x", " 4"]);
  expect(splitAtSpan("1 2", null)).toBeNull();
  expect(splitAtSpan("1 2", [2, 9])).toBeNull();
});
