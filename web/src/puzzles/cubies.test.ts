// Oracle: the kpuzzle of cubing.js must reach the same transformation by its own moves.

import { cube2x2x2, cube3x3x3 } from "cubing/puzzles";
import { expect, test } from "vitest";
import { CubeRules } from "./cube";
import {
  faceletMap,
  frontFaces,
  reorient,
  STANDARD_ORIENTATION,
  toUserMove,
  type Orientation,
} from "./orientation";
import { cubieTransformation } from "./cubies";

const MOVES = "R U2 F' L D2 B R' U' B2 F D L2 U F R2 B' L' D";

test.each([
  [3, cube3x3x3],
  [2, cube2x2x2],
] as const)(
  "cubies of size %i match the transformation of cubing.js after every move",
  async (size, loader) => {
    const kpuzzle = await loader.kpuzzle();
    const rules = new CubeRules(size);
    const board = rules.solvedBoard();
    const applied: string[] = [];
    expect(cubieTransformation(rules, board)!["CORNERS"]).toEqual(
      kpuzzle.identityTransformation().transformationData["CORNERS"],
    );
    for (const move of rules.parseMoves(MOVES)) {
      rules.applyMove(board, move);
      applied.push(move);
      const expected = kpuzzle.algToTransformation(applied.join(" ")).transformationData;
      const actual = cubieTransformation(rules, board)!;
      for (const orbit of Object.keys(actual).filter((name) => name !== "CENTERS")) {
        expect(actual[orbit], `${orbit} after ${applied.join(" ")}`).toEqual(expected[orbit]);
      }
    }
  },
);

test("a reoriented cube matches a rotated cube of cubing.js", async () => {
  const kpuzzle = await cube3x3x3.kpuzzle();
  const rules = new CubeRules(3);
  const rotations: [string, Orientation][] = [
    ["x2", { top: "D", front: "B" }],
    ["x", { top: "F", front: "D" }],
    ["y", { top: "U", front: "R" }],
    ["z", { top: "L", front: "F" }],
  ];
  for (const [rotation, orientation] of rotations) {
    expect(frontFaces(orientation.top)).toContain(orientation.front);
    const board = rules.solvedBoard();
    const moves = rules.parseMoves(MOVES);
    for (const move of moves) rules.applyMove(board, move);
    const alg = [rotation, ...moves.map((move) => toUserMove(orientation, move))].join(" ");
    const expected = kpuzzle.algToTransformation(alg).transformationData;
    const actual = cubieTransformation(rules, reorient(board, faceletMap(rules, orientation)))!;
    for (const orbit of ["EDGES", "CORNERS"])
      expect(actual[orbit], `${orbit} after ${rotation}`).toEqual(expected[orbit]);
    expect(actual["CENTERS"]!.permutation).toEqual(expected["CENTERS"]!.permutation);
  }
  expect(reorient(rules.solvedBoard(), faceletMap(rules, STANDARD_ORIENTATION))).toEqual(
    rules.solvedBoard(),
  );
});

test("facelets that form no complete cube have no transformation", () => {
  const rules = new CubeRules(3);
  const board = rules.solvedBoard();
  board[0] = 3;
  expect(cubieTransformation(rules, board)).toBeNull();
  board[0] = 6;
  expect(cubieTransformation(rules, board)).toBeNull();
});
