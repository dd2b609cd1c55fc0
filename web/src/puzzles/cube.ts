// Cubes as stickers in space: a turn rotates points, and what it does to a picture is read off them.
//
// x points to the right, y up, z towards the person. Stickers are in the order of the text: faces U R F D L B, each row by
// row as in the net.

import type { Board, Rules } from "./rules";

export const FACES = ["U", "R", "F", "D", "L", "B"] as const;
export type Face = (typeof FACES)[number];
/** A sticker whose colour is not known. */
export const UNKNOWN = 6;
const LETTERS = "URFDLB.";

export type Point = readonly [number, number, number];

export const NORMALS: Record<Face, Point> = {
  U: [0, 1, 0],
  R: [1, 0, 0],
  F: [0, 0, 1],
  D: [0, -1, 0],
  L: [-1, 0, 0],
  B: [0, 0, -1],
};

/** A quarter turn of all space, clockwise as seen from a face. */
const QUARTER: Record<Face, (p: Point) => Point> = {
  U: ([x, y, z]) => [-z, y, x],
  D: ([x, y, z]) => [z, y, -x],
  R: ([x, y, z]) => [x, z, -y],
  L: ([x, y, z]) => [x, -z, y],
  F: ([x, y, z]) => [y, -x, z],
  B: ([x, y, z]) => [-y, x, z],
};

/** The place of a sticker: `size` steps from the middle along its face's normal, its row and column across. */
function point(size: number, face: Face, row: number, column: number): Point {
  const c = 2 * column - (size - 1);
  const r = 2 * row - (size - 1);
  switch (face) {
    case "U":
      return [c, size, r];
    case "R":
      return [size, -r, -c];
    case "F":
      return [c, -r, size];
    case "D":
      return [c, -size, -r];
    case "L":
      return [-size, -r, c];
    case "B":
      return [-c, -r, -size];
  }
}

const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const key = (p: Point): string => p.join();

export class CubeRules implements Rules {
  readonly cells: number;
  readonly points: readonly Point[];
  private readonly at = new Map<string, number>();
  private readonly turns = new Map<string, Int16Array>();
  private readonly spare: Board;

  constructor(readonly size: number) {
    this.cells = 6 * size * size;
    this.spare = new Int16Array(this.cells);
    const points: Point[] = [];
    for (const face of FACES) {
      for (let row = 0; row < size; row++) {
        for (let column = 0; column < size; column++) points.push(point(size, face, row, column));
      }
    }
    this.points = points;
    points.forEach((p, sticker) => this.at.set(key(p), sticker));
    for (const face of FACES) {
      const outer = (p: Point): boolean => dot(p, NORMALS[face]) >= size - 1;
      const quarter = this.moved((p) => (outer(p) ? QUARTER[face](p) : p));
      const half = quarter.map((from) => quarter[from]!);
      this.turns.set(face, quarter);
      this.turns.set(`${face}2`, half);
      this.turns.set(
        `${face}'`,
        half.map((from) => quarter[from]!),
      );
    }
  }

  read(text: string): Board | null {
    const letters = text.replace(/\s/g, "");
    if (letters.length !== this.cells) return null;
    const board = Int16Array.from(letters, (letter) => LETTERS.indexOf(letter));
    return board.includes(-1) ? null : board;
  }

  write(board: Board): string {
    return Array.from(board, (colour) => LETTERS[colour]).join("");
  }

  split(moves: string): string[] {
    return moves.match(/[URFDLB][2']?/g) ?? [];
  }

  join(moves: readonly string[]): string {
    return moves.join(" ");
  }

  turn(board: Board, move: string): boolean {
    const from = this.turns.get(move);
    if (!from) return false;
    this.spare.set(board);
    for (let sticker = 0; sticker < from.length; sticker++) board[sticker] = this.spare[from[sticker]!]!;
    return true;
  }

  back(move: string): string {
    if (move.endsWith("2")) return move;
    return move.endsWith("'") ? move.slice(0, 1) : `${move}'`;
  }

  /** The single turn that makes one board the other, where there is one. */
  between(one: Board, other: Board): string | null {
    const leads = (from: Int16Array): boolean => from.every((sticker, place) => one[sticker] === other[place]);
    return [...this.turns].find(([, from]) => leads(from))?.[0] ?? null;
  }

  /** The solved cube. */
  solved(): Board {
    const face = this.size * this.size;
    return Int16Array.from({ length: this.cells }, (_, sticker) => Math.floor(sticker / face));
  }

  /** Whether a sticker is a centre, which no turn moves. */
  isCentre(sticker: number): boolean {
    const p = this.points[sticker]!;
    return this.size % 2 === 1 && p.filter((x) => x === 0).length === 2;
  }

  /** The sticker of the piece at `slot`, such as `UFR`, that lies on the slot's first face; then those of the others. */
  piece(slot: string): number[] {
    const faces = slot.split("") as Face[];
    const middle = [0, 1, 2].map((axis) =>
      faces.reduce((sum, face) => sum + (this.size - 1) * NORMALS[face][axis]!, 0),
    );
    return faces.flatMap((face) => {
      const p = middle.map((x, axis) => x + NORMALS[face][axis]!) as unknown as Point;
      const sticker = this.at.get(key(p));
      return sticker === undefined ? [] : [sticker];
    });
  }

  /** For every sticker the one that comes to its place when points are moved so. */
  moved(move: (p: Point) => Point): Int16Array {
    const from = new Int16Array(this.cells);
    this.points.forEach((p, sticker) => (from[this.at.get(key(move(p)))!] = sticker));
    return from;
  }
}
