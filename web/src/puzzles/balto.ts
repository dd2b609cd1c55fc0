// Balto's puzzle: a hexagon whose opposite sides are joined.
//
// The cells of that torus are the numbers modulo their count k = 3n(n-1)+1: with z = v + (1-3n)u the six neighbours are
// fixed differences, wherever a cell lies. So a turn is three additions.

import { readNumbers, type Board, type Rules } from "./rules";

/** The six directions, clockwise from the east. */
const DIRECTIONS = ["E", "SE", "SW", "W", "NW", "NE"] as const;
type Direction = (typeof DIRECTIONS)[number];

/** Where the hole goes, and the other cell of the turn. */
const TURNS: Record<string, [Direction, Direction]> = {
  1: ["NE", "E"],
  2: ["E", "SE"],
  3: ["SE", "SW"],
  4: ["SW", "W"],
  5: ["W", "NW"],
  6: ["NW", "NE"],
  A: ["E", "NE"],
  B: ["SE", "E"],
  C: ["SW", "SE"],
  D: ["W", "SW"],
  E: ["NW", "W"],
  F: ["NE", "NW"],
};

const BACK: Record<string, string> = {
  1: "C", 2: "D", 3: "E", 4: "F", 5: "A", 6: "B",
  A: "5", B: "6", C: "1", D: "2", E: "3", F: "4",
}; // prettier-ignore

/** The turns around each corner of the hole, clockwise and anticlockwise, from the one in the north-east on. */
export const CORNERS: readonly { angle: number; clockwise: string; anticlockwise: string }[] = [
  { angle: -30, clockwise: "1", anticlockwise: "A" },
  { angle: 30, clockwise: "2", anticlockwise: "B" },
  { angle: 90, clockwise: "3", anticlockwise: "C" },
  { angle: 150, clockwise: "4", anticlockwise: "D" },
  { angle: 210, clockwise: "5", anticlockwise: "E" },
  { angle: 270, clockwise: "6", anticlockwise: "F" },
];

export class BaltoRules implements Rules {
  readonly cells: number;
  /** Row and column of each cell, in reading order. */
  readonly places: readonly { u: number; v: number }[];
  /** For each cell in reading order its number on the torus, and back. */
  private readonly torus: Int32Array;
  private readonly reading: Int32Array;
  private readonly steps: Record<Direction, number>;

  constructor(readonly side: number) {
    const n = side;
    const k = 3 * n * (n - 1) + 1;
    this.cells = k;
    const places = [];
    for (let u = 0; u <= 2 * n - 2; u++) {
      for (let v = Math.max(0, u - n + 1); v <= Math.min(2 * n - 2, u + n - 1); v++) places.push({ u, v });
    }
    this.places = places;
    const around = (z: number): number => ((z % k) + k) % k;
    this.torus = Int32Array.from(places, ({ u, v }) => around(v + (1 - 3 * n) * u));
    this.reading = new Int32Array(k);
    this.torus.forEach((z, cell) => (this.reading[z] = cell));
    this.steps = { E: 1, SE: 2 - 3 * n, SW: 1 - 3 * n, W: -1, NW: 3 * n - 2, NE: 3 * n - 1 };
  }

  read(text: string): Board | null {
    return readNumbers(text, this.cells);
  }

  write(board: Board): string {
    return board.join(" ");
  }

  split(moves: string): string[] {
    return moves.match(/[1-6A-F]/g) ?? [];
  }

  join(moves: readonly string[]): string {
    return moves.join("");
  }

  turn(board: Board, move: string): boolean {
    const hole = board.indexOf(0);
    const turn = TURNS[move];
    if (!turn || hole < 0) return false;
    const next = this.neighbour(hole, turn[0]);
    const other = this.neighbour(hole, turn[1]);
    // The hole goes to `next`, what was there to `other`, and what was there to where the hole was.
    board[hole] = board[other]!;
    board[other] = board[next]!;
    board[next] = 0;
    return true;
  }

  back(move: string): string {
    return BACK[move] ?? move;
  }

  neighbour(cell: number, direction: Direction): number {
    const k = this.cells;
    return this.reading[(((this.torus[cell]! + this.steps[direction]) % k) + k) % k]!;
  }
}
