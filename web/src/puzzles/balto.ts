// Balto's puzzle: a hexagonal board whose opposite sides are identified, which makes it a torus.
//
// The k = 3n(n-1)+1 cells are numbered modulo k by z = v + (1-3n)u. Every neighbour is then a constant
// difference of z, so a move needs three additions and no case distinction at the border.

import { parsePermutation, type Board, type Rules } from "./rules";

/** The six neighbour directions, clockwise from east. */
const DIRECTIONS = ["E", "SE", "SW", "W", "NW", "NE"] as const;
type Direction = (typeof DIRECTIONS)[number];

/**
 * For each move the direction in which the empty cell moves, and the direction of the third cell of the
 * cycle.
 */
const MOVES: Record<string, [Direction, Direction]> = {
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

const INVERSE: Record<string, string> = {
  1: "C", 2: "D", 3: "E", 4: "F", 5: "A", 6: "B",
  A: "5", B: "6", C: "1", D: "2", E: "3", F: "4",
}; // prettier-ignore

/**
 * The two moves around each corner of the empty cell, clockwise from the north-east corner; angles in
 * degrees.
 */
export const CORNER_MOVES: readonly { angle: number; clockwise: string; anticlockwise: string }[] = [
  { angle: -30, clockwise: "1", anticlockwise: "A" },
  { angle: 30, clockwise: "2", anticlockwise: "B" },
  { angle: 90, clockwise: "3", anticlockwise: "C" },
  { angle: 150, clockwise: "4", anticlockwise: "D" },
  { angle: 210, clockwise: "5", anticlockwise: "E" },
  { angle: 270, clockwise: "6", anticlockwise: "F" },
];

export class BaltoRules implements Rules {
  readonly cells: number;
  /** Row u and column v of each cell, in reading order. */
  readonly coordinates: readonly { u: number; v: number }[];
  /** Torus number z of each cell in reading order, and the inverse map. */
  private readonly toTorus: Int32Array;
  private readonly fromTorus: Int32Array;
  private readonly offsets: Record<Direction, number>;

  constructor(readonly side: number) {
    const n = side;
    const k = 3 * n * (n - 1) + 1;
    this.cells = k;
    const coordinates = [];
    for (let u = 0; u <= 2 * n - 2; u++) {
      for (let v = Math.max(0, u - n + 1); v <= Math.min(2 * n - 2, u + n - 1); v++)
        coordinates.push({ u, v });
    }
    this.coordinates = coordinates;
    const modulo = (z: number): number => ((z % k) + k) % k;
    this.toTorus = Int32Array.from(coordinates, ({ u, v }) => modulo(v + (1 - 3 * n) * u));
    this.fromTorus = new Int32Array(k);
    this.toTorus.forEach((z, cell) => (this.fromTorus[z] = cell));
    this.offsets = { E: 1, SE: 2 - 3 * n, SW: 1 - 3 * n, W: -1, NW: 3 * n - 2, NE: 3 * n - 1 };
  }

  parse(text: string): Board | null {
    return parsePermutation(text, this.cells);
  }

  format(board: Board): string {
    return board.join(" ");
  }

  parseMoves(moves: string): string[] {
    return moves.match(/[1-6A-F]/g) ?? [];
  }

  formatMoves(moves: readonly string[]): string {
    return moves.join("");
  }

  applyMove(board: Board, move: string): boolean {
    const empty = board.indexOf(0);
    const directions = MOVES[move];
    if (!directions || empty < 0) return false;
    const next = this.neighbour(empty, directions[0]);
    const third = this.neighbour(empty, directions[1]);
    // A 3-cycle: the tile at `third` moves to `empty`, the tile at `next` to `third`, and `next` becomes
    // empty.
    board[empty] = board[third]!;
    board[third] = board[next]!;
    board[next] = 0;
    return true;
  }

  invertMove(move: string): string {
    return INVERSE[move] ?? move;
  }

  neighbour(cell: number, direction: Direction): number {
    const k = this.cells;
    return this.fromTorus[(((this.toTorus[cell]! + this.offsets[direction]) % k) + k) % k]!;
  }
}
