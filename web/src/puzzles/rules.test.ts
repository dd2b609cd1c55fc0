// Expected boards come from `untumble check PUZZLE --as moves MOVES --json`.

import { describe, expect, test } from "vitest";
import type { Shape } from "../engine/engine";
import { BaltoRules } from "./balto";
import { CubeRules, FACES } from "./cube";
import {
  engineFaces,
  faceletMap,
  frontFaces,
  parseOrientation,
  reorient,
  STANDARD_ORIENTATION,
  toEngineMove,
  toUserMove,
} from "./orientation";
import { Replay } from "./replay";
import { type Board, rulesFor } from "./rules";
import { TileRules } from "./tiles";

const known: [Shape, string, string, string][] = [
  [
    { kind: "balto", side: 4 },
    [...Array(18).keys()].map((i) => i + 1).join(" ") +
      " 0 " +
      [...Array(18).keys()].map((i) => i + 19).join(" "),
    "1A4D2B6E3C5F1B4A",
    "1 2 3 4 5 6 7 14 9 10 11 12 8 13 15 16 17 24 19 25 20 21 22 23 18 26 0 27 28 29 30 31 32 33 34 35 36",
  ],
  [
    { kind: "balto", side: 4 },
    [...Array(18).keys()].map((i) => i + 1).join(" ") +
      " 0 " +
      [...Array(18).keys()].map((i) => i + 19).join(" "),
    "A1D4B2E6C3F5",
    "1 2 3 4 5 6 7 8 9 10 11 13 19 12 15 16 17 18 0 20 14 21 22 23 25 24 31 27 28 29 30 26 32 33 34 35 36",
  ],
  [{ kind: "balto", side: 2 }, "1 2 3 0 4 5 6", "1", "1 0 3 4 2 5 6"],
  [{ kind: "balto", side: 2 }, "1 2 3 0 4 5 6", "A", "1 4 3 2 0 5 6"],
  [
    { kind: "tiles", rows: 3, columns: 5 },
    "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0",
    "D D R R U",
    "1 2 8 3 4 6 7 0 9 5 11 12 13 14 10",
  ],
  [
    { kind: "cube", size: 3 },
    "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB",
    "R U2 F' L D2 B R' U' B2 F D L2",
    "LLLFURFRFLDBBRURURDFUBFLURDRBBRDLRFFBLLDLUBUFDDUFBBDDU",
  ],
  [
    { kind: "cube", size: 2 },
    "UUUURRRRFFFFDDDDLLLLBBBB",
    "R U2 F' R2 U F2 R' U",
    "ULRDRUFUDBDRLUDRFFLFBLBB",
  ],
];

describe.each(known)("%o", (shape, solved, moves, after) => {
  const rules = rulesFor(shape);

  test(`${moves} leads to the board of the engine`, () => {
    const board = rules.parse(solved)!;
    for (const move of rules.parseMoves(moves)) expect(rules.applyMove(board, move), move).toBe(true);
    expect(rules.format(board)).toBe(after);
  });

  test("inverse moves in reverse order restore the start", () => {
    const board = rules.parse(after)!;
    for (const move of rules.parseMoves(moves).toReversed())
      expect(rules.applyMove(board, rules.invertMove(move))).toBe(true);
    expect(rules.format(board)).toBe(solved);
  });

  test("formatting parsed moves restores the text", () => {
    expect(rules.formatMoves(rules.parseMoves(moves))).toBe(moves);
  });
});

test("parse rejects text that is not a position", () => {
  const tiles = new TileRules(2, 2);
  expect(tiles.parse("1 2 3 0")).toEqual(Int16Array.of(1, 2, 3, 0));
  for (const text of ["", "1 2 3", "1 2 3 3", "1 2 3 4", "1 2 3 x", "1 2 3 -1"])
    expect(tiles.parse(text), text).toBeNull();
  expect(new CubeRules(2).parse("UUUURRRRFFFFDDDDLLLLBBBX")).toBeNull();
  expect(new CubeRules(2).parse("UUUURRRRFFFFDDDDLLLLBBB.")?.[23]).toBe(6);
});

test("tiles slide only within the board, along the row or column of the blank", () => {
  const tiles = new TileRules(2, 3);
  const board = tiles.parse("1 2 0 3 4 5")!;
  expect(tiles.applyMove(board, "L"), "no tile right of the blank").toBe(false);
  expect(tiles.applyMove(board, "D"), "no tile above the blank").toBe(false);
  expect(tiles.format(board)).toBe("1 2 0 3 4 5");
  expect(tiles.slideMoves(board, 0)).toEqual(["R", "R"]);
  expect(tiles.slideMoves(board, 5)).toEqual(["U"]);
  expect(tiles.slideMoves(board, 3), "neither in the row nor in the column of the blank").toEqual([]);
  expect(tiles.slideMoves(board, 2), "the blank itself").toEqual([]);
});

test("every cell of the hexagonal torus has six distinct neighbours, symmetrically", () => {
  for (const side of [2, 3, 5, 8]) {
    const balto = new BaltoRules(side);
    for (let cell = 0; cell < balto.cells; cell++) {
      const neighbours = (["E", "SE", "SW", "W", "NW", "NE"] as const).map((direction) =>
        balto.neighbour(cell, direction),
      );
      expect(new Set([...neighbours, cell]).size).toBe(7);
      expect(balto.neighbour(balto.neighbour(cell, "NE"), "SW")).toBe(cell);
    }
  }
});

test("cubie facelets follow the order of the faces in the location", () => {
  const cube = new CubeRules(3);
  const solved = cube.solvedBoard();
  for (const location of ["UFR", "DLB", "UB", "FR"]) {
    expect(
      cube
        .cubieFacelets(location)
        .map((facelet) => FACES[solved[facelet]!])
        .join(""),
    ).toBe(location);
  }
  expect(cube.cubieFacelets("UFR")).toEqual([8, 20, 9]);
  expect(new CubeRules(2).cubieFacelets("UFR")).toEqual([3, 9, 4]);
});

describe("orientation", () => {
  const cube = new CubeRules(3);

  test("there are 24 orientations, and the standard one is the identity", () => {
    const all = FACES.flatMap((top) => frontFaces(top).map((front) => ({ top, front })));
    expect(all.length).toBe(24);
    expect(new Set(all.map((orientation) => Object.values(engineFaces(orientation)).join(""))).size).toBe(
      24,
    );
    expect(Array.from(faceletMap(cube, STANDARD_ORIENTATION))).toEqual([...Array(54).keys()]);
    expect(parseOrientation("DF")).toEqual({ top: "D", front: "F" });
    for (const text of [null, "", "UU", "UD", "XY", "U"])
      expect(parseOrientation(text)).toEqual(STANDARD_ORIENTATION);
  });

  test("translated moves on the reoriented board equal the reoriented result", () => {
    const moves = cube.parseMoves("R U2 F' L D2 B R' U' B2 F D L2");
    for (const top of FACES) {
      for (const front of frontFaces(top)) {
        const orientation = { top, front };
        const map = faceletMap(cube, orientation);
        const userBoard = reorient(cube.solvedBoard(), map);
        const engineBoard: Board = cube.solvedBoard();
        for (const move of moves) {
          cube.applyMove(engineBoard, move);
          cube.applyMove(userBoard, toUserMove(orientation, move));
        }
        expect(userBoard, top + front).toEqual(reorient(engineBoard, map));
      }
    }
  });
});

test("random access to a step equals sequential application of the moves", () => {
  const balto = new BaltoRules(5);
  const start = Int16Array.from({ length: balto.cells }, (_, cell) => cell);
  const moves: string[] = [];
  for (let i = 0; i < 1500; i++) moves.push(i % 2 === 0 ? "123456"[(i * 7) % 6]! : "ABCDEF"[(i * 5) % 6]!);
  const replay = new Replay(balto, start, moves);
  expect(replay.length).toBe(1500);
  const board = start.slice();
  moves.forEach((move, step) => {
    if ([0, 1, 255, 256, 257, 511, 1024, 1499].includes(step))
      expect(replay.boardAt(step), `step ${step}`).toEqual(board);
    balto.applyMove(board, move);
  });
  expect(replay.boardAt(1500)).toEqual(board);
  expect(replay.boardAt(9999), "a step past the end is clamped").toEqual(board);
});

test("a replay ends before the first illegal move", () => {
  const tiles = new TileRules(2, 2);
  expect(new Replay(tiles, tiles.parse("1 2 3 0")!, ["D", "D", "R"]).length).toBe(1);
});

test("toEngineMove inverts toUserMove", () => {
  for (const top of FACES) {
    for (const front of frontFaces(top)) {
      const orientation = { top, front };
      for (const move of ["U", "R'", "F2", "D", "L2", "B'"]) {
        expect(toEngineMove(orientation, toUserMove(orientation, move))).toBe(move);
      }
    }
  }
});

test("moveBetween finds the single face turn between two boards, or null", () => {
  const rules = new CubeRules(3);
  for (const face of FACES) {
    for (const move of [face, `${face}2`, `${face}'`]) {
      const before = rules.solvedBoard();
      rules.applyMove(before, "R");
      rules.applyMove(before, "U");
      const after = before.slice();
      rules.applyMove(after, move);
      expect(rules.moveBetween(before, after)).toBe(move);
      rules.applyMove(after, move === "F" ? "L" : "F");
      if (!move.startsWith("F")) expect(rules.moveBetween(before, after)).toBe(null);
    }
  }
  expect(rules.moveBetween(rules.solvedBoard(), rules.solvedBoard())).toBe(null);
});
