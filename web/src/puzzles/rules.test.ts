// Known boards are what `untumble check PUZZLE --as moves MOVES --json` says.

import { describe, expect, test } from "vitest";
import type { Shape } from "../engine/engine";
import { BaltoRules } from "./balto";
import { CubeRules, FACES } from "./cube";
import { fronts, held, meant, PLAIN, readHold, seen, spell, view } from "./hold";
import { type Board, rulesOf } from "./rules";
import { TilesRules } from "./tiles";
import { Track } from "./track";

const known: [Shape, string, string, string][] = [
  [
    { kind: "balto", side: 4 },
    [...Array(18).keys()].map((i) => i + 1).join(" ") + " 0 " + [...Array(18).keys()].map((i) => i + 19).join(" "),
    "1A4D2B6E3C5F1B4A",
    "1 2 3 4 5 6 7 14 9 10 11 12 8 13 15 16 17 24 19 25 20 21 22 23 18 26 0 27 28 29 30 31 32 33 34 35 36",
  ],
  [
    { kind: "balto", side: 4 },
    [...Array(18).keys()].map((i) => i + 1).join(" ") + " 0 " + [...Array(18).keys()].map((i) => i + 19).join(" "),
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
  [{ kind: "cube", size: 2 }, "UUUURRRRFFFFDDDDLLLLBBBB", "R U2 F' R2 U F2 R' U", "ULRDRUFUDBDRLUDRFFLFBLBB"],
];

describe.each(known)("%o", (shape, solved, moves, after) => {
  const rules = rulesOf(shape);

  test(`${moves} leads where the engine says`, () => {
    const board = rules.read(solved)!;
    for (const move of rules.split(moves)) expect(rules.turn(board, move), move).toBe(true);
    expect(rules.write(board)).toBe(after);
  });

  test("moves taken back lead to the beginning", () => {
    const board = rules.read(after)!;
    for (const move of rules.split(moves).toReversed()) expect(rules.turn(board, rules.back(move))).toBe(true);
    expect(rules.write(board)).toBe(solved);
  });

  test("moves are spelled as they were read", () => {
    expect(rules.join(rules.split(moves))).toBe(moves);
  });
});

test("text that is no board is none", () => {
  const tiles = new TilesRules(2, 2);
  expect(tiles.read("1 2 3 0")).toEqual(Int16Array.of(1, 2, 3, 0));
  for (const text of ["", "1 2 3", "1 2 3 3", "1 2 3 4", "1 2 3 x", "1 2 3 -1"]) expect(tiles.read(text), text).toBeNull();
  expect(new CubeRules(2).read("UUUURRRRFFFFDDDDLLLLBBBX")).toBeNull();
  expect(new CubeRules(2).read("UUUURRRRFFFFDDDDLLLLBBB.")?.[23]).toBe(6);
});

test("a tile is not slid across the edge, nor where there is none", () => {
  const tiles = new TilesRules(2, 3);
  const board = tiles.read("1 2 0 3 4 5")!;
  expect(tiles.turn(board, "L"), "nothing right of the gap").toBe(false);
  expect(tiles.turn(board, "D"), "nothing above it").toBe(false);
  expect(tiles.write(board)).toBe("1 2 0 3 4 5");
  expect(tiles.towards(board, 0)).toEqual(["R", "R"]);
  expect(tiles.towards(board, 5)).toEqual(["U"]);
  expect(tiles.towards(board, 3), "neither in its row nor in its column").toEqual([]);
  expect(tiles.towards(board, 2), "the gap itself").toEqual([]);
});

test("every cell of a hexagon has six neighbours, and each of them has it", () => {
  for (const side of [2, 3, 5, 8]) {
    const balto = new BaltoRules(side);
    for (let cell = 0; cell < balto.cells; cell++) {
      const around = (["E", "SE", "SW", "W", "NW", "NE"] as const).map((way) => balto.neighbour(cell, way));
      expect(new Set([...around, cell]).size).toBe(7);
      expect(balto.neighbour(balto.neighbour(cell, "NE"), "SW")).toBe(cell);
    }
  }
});

test("pieces of a cube are found by name", () => {
  const cube = new CubeRules(3);
  const letters = cube.solved();
  for (const slot of ["UFR", "DLB", "UB", "FR"]) {
    expect(cube.piece(slot).map((sticker) => FACES[letters[sticker]!]).join("")).toBe(slot);
  }
  expect(cube.piece("UFR")).toEqual([8, 20, 9]);
  expect(new CubeRules(2).piece("UFR")).toEqual([3, 9, 4]);
});

describe("a hold", () => {
  const cube = new CubeRules(3);

  test("has 24 ways, and a plain one changes nothing", () => {
    const all = FACES.flatMap((top) => fronts(top).map((front) => ({ top, front })));
    expect(all.length).toBe(24);
    expect(new Set(all.map((hold) => Object.values(seen(hold)).join(""))).size).toBe(24);
    expect(Array.from(view(cube, PLAIN))).toEqual([...Array(54).keys()]);
    expect(readHold("DF")).toEqual({ top: "D", front: "F" });
    for (const text of [null, "", "UU", "UD", "XY", "U"]) expect(readHold(text)).toEqual(PLAIN);
  });

  test("shows the same whether the moves or the picture are turned", () => {
    const moves = cube.split("R U2 F' L D2 B R' U' B2 F D L2");
    for (const top of FACES) {
      for (const front of fronts(top)) {
        const hold = { top, front };
        const seenFrom = view(cube, hold);
        const outside = held(cube.solved(), seenFrom);
        const inside: Board = cube.solved();
        for (const move of moves) {
          cube.turn(inside, move);
          cube.turn(outside, spell(hold, move));
        }
        expect(outside, top + front).toEqual(held(inside, seenFrom));
      }
    }
  });
});

test("any step of a long answer is what replaying it gives", () => {
  const balto = new BaltoRules(5);
  const start = Int16Array.from({ length: balto.cells }, (_, cell) => cell);
  const moves: string[] = [];
  for (let i = 0; i < 1500; i++) moves.push(i % 2 === 0 ? "123456"[(i * 7) % 6]! : "ABCDEF"[(i * 5) % 6]!);
  const track = new Track(balto, start, moves);
  expect(track.length).toBe(1500);
  const board = start.slice();
  moves.forEach((move, step) => {
    if ([0, 1, 255, 256, 257, 511, 1024, 1499].includes(step)) expect(track.at(step), `step ${step}`).toEqual(board);
    balto.turn(board, move);
  });
  expect(track.at(1500)).toEqual(board);
  expect(track.at(9999), "beyond the end is the end").toEqual(board);
});

test("an answer that cannot be made ends where it cannot", () => {
  const tiles = new TilesRules(2, 2);
  expect(new Track(tiles, tiles.read("1 2 3 0")!, ["D", "D", "R"]).length).toBe(1);
});

test("what a person means is what is spelled for them", () => {
  for (const top of FACES) {
    for (const front of fronts(top)) {
      for (const move of ["U", "R'", "F2", "D", "L2", "B'"]) expect(meant({ top, front }, spell({ top, front }, move))).toBe(move);
    }
  }
});

test("the turn between two boards is found, where one leads there", () => {
  const rules = new CubeRules(3);
  for (const face of FACES) {
    for (const move of [face, `${face}2`, `${face}'`]) {
      const before = rules.solved();
      rules.turn(before, "R");
      rules.turn(before, "U");
      const after = before.slice();
      rules.turn(after, move);
      expect(rules.between(before, after)).toBe(move);
      rules.turn(after, move === "F" ? "L" : "F");
      if (!move.startsWith("F")) expect(rules.between(before, after)).toBe(null);
    }
  }
  expect(rules.between(rules.solved(), rules.solved())).toBe(null);
});
