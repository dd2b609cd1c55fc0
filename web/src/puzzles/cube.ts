// The 2x2x2 and 3x3x3 cubes as facelets in space.
//
// A face turn rotates the points of the outer layer, and its facelet permutation is read off the rotated
// points. Axes: x right, y up, z towards the viewer. Facelet order: faces U R F D L B, each row by row as
// in the net.

import type { Board, Rules } from "./rules";

export const FACES = ["U", "R", "F", "D", "L", "B"] as const;
export type Face = (typeof FACES)[number];
export const SIDE_NAMES: Record<Face, string> = {
  U: "top",
  R: "right",
  F: "front",
  D: "bottom",
  L: "left",
  B: "back",
};

/** Colour index of a facelet whose colour is not known; 0 … 5 are the colours of FACES. */
export const UNKNOWN_COLOUR = 6;
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

/** Rotation of space by a quarter turn, clockwise as seen from the face. */
const QUARTER_TURNS: Record<Face, (p: Point) => Point> = {
  U: ([x, y, z]) => [-z, y, x],
  D: ([x, y, z]) => [z, y, -x],
  R: ([x, y, z]) => [x, z, -y],
  L: ([x, y, z]) => [x, -z, y],
  F: ([x, y, z]) => [y, -x, z],
  B: ([x, y, z]) => [-y, x, z],
};

/**
 * A facelet in space: distance `size` from the middle along the face normal, two units per row and column.
 */
function faceletPoint(size: number, face: Face, row: number, column: number): Point {
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
  private readonly faceletAt = new Map<string, number>();
  /** For each move, the facelet that each facelet's colour comes from. */
  private readonly permutations = new Map<string, Int16Array>();
  private readonly scratch: Board;

  constructor(readonly size: number) {
    this.cells = 6 * size * size;
    this.scratch = new Int16Array(this.cells);
    const points: Point[] = [];
    for (const face of FACES) {
      for (let row = 0; row < size; row++) {
        for (let column = 0; column < size; column++) points.push(faceletPoint(size, face, row, column));
      }
    }
    this.points = points;
    points.forEach((p, facelet) => this.faceletAt.set(key(p), facelet));
    for (const face of FACES) {
      const inLayer = (p: Point): boolean => dot(p, NORMALS[face]) >= size - 1;
      const quarter = this.permutationOf((p) => (inLayer(p) ? QUARTER_TURNS[face](p) : p));
      const half = quarter.map((from) => quarter[from]!);
      this.permutations.set(face, quarter);
      this.permutations.set(`${face}2`, half);
      this.permutations.set(
        `${face}'`,
        half.map((from) => quarter[from]!),
      );
    }
  }

  parse(text: string): Board | null {
    const letters = text.replace(/\s/g, "");
    if (letters.length !== this.cells) return null;
    const board = Int16Array.from(letters, (letter) => LETTERS.indexOf(letter));
    return board.includes(-1) ? null : board;
  }

  format(board: Board): string {
    return Array.from(board, (colour) => LETTERS[colour]).join("");
  }

  parseMoves(moves: string): string[] {
    return moves.match(/[URFDLB][2']?/g) ?? [];
  }

  formatMoves(moves: readonly string[]): string {
    return moves.join(" ");
  }

  applyMove(board: Board, move: string): boolean {
    const permutation = this.permutations.get(move);
    if (!permutation) return false;
    this.scratch.set(board);
    for (let facelet = 0; facelet < permutation.length; facelet++)
      board[facelet] = this.scratch[permutation[facelet]!]!;
    return true;
  }

  invertMove(move: string): string {
    if (move.endsWith("2")) return move;
    return move.endsWith("'") ? move.slice(0, 1) : `${move}'`;
  }

  /** The single face turn that leads from one board to another; null if there is none. */
  moveBetween(from: Board, to: Board): string | null {
    const matches = (permutation: Int16Array): boolean =>
      permutation.every((source, facelet) => from[source] === to[facelet]);
    return [...this.permutations].find(([, permutation]) => matches(permutation))?.[0] ?? null;
  }

  solvedBoard(): Board {
    const perFace = this.size * this.size;
    return Int16Array.from({ length: this.cells }, (_, facelet) => Math.floor(facelet / perFace));
  }

  /** Whether a facelet is a centre, which no face turn moves. */
  isCentre(facelet: number): boolean {
    const p = this.points[facelet]!;
    return this.size % 2 === 1 && p.filter((x) => x === 0).length === 2;
  }

  /** The facelets of the cubie at a location such as `UFR`, in the order of the faces named. */
  cubieFacelets(location: string): number[] {
    const faces = location.split("") as Face[];
    const middle = [0, 1, 2].map((axis) =>
      faces.reduce((sum, face) => sum + (this.size - 1) * NORMALS[face][axis]!, 0),
    );
    return faces.flatMap((face) => {
      const p = middle.map((x, axis) => x + NORMALS[face][axis]!) as unknown as Point;
      const facelet = this.faceletAt.get(key(p));
      return facelet === undefined ? [] : [facelet];
    });
  }

  /** The facelet permutation of a map of space: for each facelet, the facelet that is moved to it. */
  permutationOf(map: (p: Point) => Point): Int16Array {
    const from = new Int16Array(this.cells);
    this.points.forEach((p, facelet) => (from[this.faceletAt.get(key(map(p)))!] = facelet));
    return from;
  }
}
