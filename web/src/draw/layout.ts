// Geometry of tile boards: cell centres in a coordinate system of 100 units per cell.

import type { Shape } from "../engine/engine";
import { BaltoRules } from "../puzzles/balto";

export interface Layout {
  width: number;
  height: number;
  centres: readonly { x: number; y: number }[];
  outline: "square" | "hexagon";
  /** Row and column of a cell, for screen readers. */
  describeCell(cell: number): string;
}

/** Larger boards are painted on a canvas, because that many SVG elements do not animate smoothly. */
export const MAX_SVG_CELLS = 400;

/** Circumradius of a hexagonal cell; the centres of neighbours are 100 units apart. */
export const HEX_RADIUS = 100 / Math.sqrt(3);

/** The layout of a tile board; null for cubes. */
export function boardLayout(shape: Shape): Layout | null {
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
      describeCell: (cell) => `row ${Math.floor(cell / columns) + 1}, column ${(cell % columns) + 1}`,
    };
  }
  if (shape.kind === "balto") {
    const { coordinates } = new BaltoRules(shape.side);
    const diameter = 2 * shape.side - 1;
    const left = 50 * (shape.side - 1);
    return {
      width: 100 * diameter,
      height: 1.5 * HEX_RADIUS * (diameter - 1) + 2 * HEX_RADIUS,
      centres: coordinates.map(({ u, v }) => ({
        x: 100 * v - 50 * u + left + 50,
        y: 1.5 * HEX_RADIUS * u + HEX_RADIUS,
      })),
      outline: "hexagon",
      describeCell: (cell) => {
        const { u, v } = coordinates[cell]!;
        return `row ${u + 1}, cell ${v - Math.max(0, u - shape.side + 1) + 1}`;
      },
    };
  }
  return null;
}

/** SVG points of a hexagon with a vertical side, around the origin. */
export function hexagonPoints(radius: number): string {
  return [0, 1, 2, 3, 4, 5]
    .map((i) => ((60 * i - 30) * Math.PI) / 180)
    .map((a) => `${(radius * Math.cos(a)).toFixed(2)},${(radius * Math.sin(a)).toFixed(2)}`)
    .join(" ");
}

/** The font size at which the largest tile number fits its cell. */
export function tileFontSize(largest: number): number {
  return [40, 40, 36, 30, 24][String(largest).length - 1] ?? 22;
}
