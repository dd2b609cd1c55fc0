// Where the cells of a board lie, in units of a hundred to a cell.

import type { Shape } from "../engine/engine";
import { BaltoRules } from "../puzzles/balto";

export interface Layout {
  width: number;
  height: number;
  centres: readonly { x: number; y: number }[];
  outline: "square" | "hexagon";
  /** Where a cell is, in words. */
  place(cell: number): string;
}

/** Boards with more cells are painted on a canvas: elements would be too many to be moved smoothly. */
export const MANY = 400;

/** From the middle of a hexagon to its corners, a hundred being the distance of two neighbours. */
export const CORNER = 100 / Math.sqrt(3);

export function layoutOf(shape: Shape): Layout | null {
  if (shape.kind === "tiles") {
    const { rows, columns } = shape;
    const centres = Array.from({ length: rows * columns }, (_, cell) => ({
      x: 100 * (cell % columns) + 50,
      y: 100 * Math.floor(cell / columns) + 50,
    }));
    return {
      width: 100 * columns,
      height: 100 * rows,
      centres,
      outline: "square",
      place: (cell) => `row ${Math.floor(cell / columns) + 1}, column ${(cell % columns) + 1}`,
    };
  }
  if (shape.kind === "balto") {
    const { places } = new BaltoRules(shape.side);
    const wide = 2 * shape.side - 1;
    const left = 50 * (shape.side - 1);
    return {
      width: 100 * wide,
      height: 1.5 * CORNER * (wide - 1) + 2 * CORNER,
      centres: places.map(({ u, v }) => ({ x: 100 * v - 50 * u + left + 50, y: 1.5 * CORNER * u + CORNER })),
      outline: "hexagon",
      place: (cell) => {
        const { u, v } = places[cell]!;
        return `row ${u + 1}, place ${v - Math.max(0, u - shape.side + 1) + 1}`;
      },
    };
  }
  return null;
}

/** The corners of a hexagon around the origin that leaves a small gap to its neighbours. */
export function hexagon(size: number): string {
  return [0, 1, 2, 3, 4, 5]
    .map((i) => ((60 * i - 30) * Math.PI) / 180)
    .map((a) => `${(size * Math.cos(a)).toFixed(2)},${(size * Math.sin(a)).toFixed(2)}`)
    .join(" ");
}

/** The size of letters that lets a number fit its cell. */
export function lettering(largest: number): number {
  return [40, 40, 36, 30, 24][String(largest).length - 1] ?? 22;
}
