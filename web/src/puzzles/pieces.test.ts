// The 3D player's own rules are the oracle: its cube turned by moves must be ours read off turned stickers.

import { cube2x2x2, cube3x3x3 } from "cubing/puzzles";
import { expect, test } from "vitest";
import { CubeRules } from "./cube";
import { PLAIN, fronts, held, spell, view } from "./hold";
import { transformation } from "./pieces";

const MOVES = "R U2 F' L D2 B R' U' B2 F D L2 U F R2 B' L' D";

test.each([
  [3, cube3x3x3],
  [2, cube2x2x2],
] as const)("a cube of size %i is to the player what it is here", async (size, loader) => {
  const player = await loader.kpuzzle();
  const rules = new CubeRules(size);
  const board = rules.solved();
  const made: string[] = [];
  expect(transformation(rules, board)!["CORNERS"]).toEqual(player.identityTransformation().transformationData["CORNERS"]);
  for (const move of rules.split(MOVES)) {
    rules.turn(board, move);
    made.push(move);
    const theirs = player.algToTransformation(made.join(" ")).transformationData;
    const ours = transformation(rules, board)!;
    for (const orbit of Object.keys(ours).filter((name) => name !== "CENTERS")) {
      expect(ours[orbit], `${orbit} after ${made.join(" ")}`).toEqual(theirs[orbit]);
    }
  }
});

test("a cube held another way is to the player the cube rotated", async () => {
  const player = await cube3x3x3.kpuzzle();
  const rules = new CubeRules(3);
  const rotations: [string, { top: "U" | "D" | "F" | "B" | "L" | "R"; front: "U" | "D" | "F" | "B" | "L" | "R" }][] = [
    ["x2", { top: "D", front: "B" }],
    ["x", { top: "F", front: "D" }],
    ["y", { top: "U", front: "R" }],
    ["z", { top: "L", front: "F" }],
  ];
  for (const [rotation, hold] of rotations) {
    expect(fronts(hold.top)).toContain(hold.front);
    const board = rules.solved();
    const moves = rules.split(MOVES);
    for (const move of moves) rules.turn(board, move);
    const alg = [rotation, ...moves.map((move) => spell(hold, move))].join(" ");
    const theirs = player.algToTransformation(alg).transformationData;
    const ours = transformation(rules, held(board, view(rules, hold)))!;
    for (const orbit of ["EDGES", "CORNERS"]) expect(ours[orbit], `${orbit} after ${rotation}`).toEqual(theirs[orbit]);
    expect(ours["CENTERS"]!.permutation).toEqual(theirs["CENTERS"]!.permutation);
  }
  expect(held(rules.solved(), view(rules, PLAIN))).toEqual(rules.solved());
});

test("what is no cube has no pieces", () => {
  const rules = new CubeRules(3);
  const board = rules.solved();
  board[0] = 3;
  expect(transformation(rules, board)).toBeNull();
  board[0] = 6;
  expect(transformation(rules, board)).toBeNull();
});
