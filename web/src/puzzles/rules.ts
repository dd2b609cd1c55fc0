// Move rules for drawing: parse and format positions and moves, and apply a move to a board.
//
// The engine solves; the page applies moves itself because playback shows up to sixty steps per second of
// solutions with tens of thousands of moves.

import type { Shape } from "../engine/engine";
import { BaltoRules } from "./balto";
import { CubeRules } from "./cube";
import { TileRules } from "./tiles";

/**
 * Contents by cell: a tile number (0 for the blank or empty cell), or on cubes a colour index by facelet.
 */
export type Board = Int16Array;

export interface Rules {
  /** Number of cells or facelets of a board. */
  readonly cells: number;
  /** Parses a position in the engine's notation; null if the text is not a position. */
  parse(text: string): Board | null;
  /** The position in the engine's notation. */
  format(board: Board): string;
  /** Splits a move sequence in the engine's notation; unknown characters are skipped. */
  parseMoves(moves: string): string[];
  formatMoves(moves: readonly string[]): string;
  /** Applies a move in place. Returns false, and leaves the board unchanged, if the move is not legal. */
  applyMove(board: Board, move: string): boolean;
  invertMove(move: string): string;
}

export function rulesFor(shape: Shape): Rules {
  switch (shape.kind) {
    case "tiles":
      return new TileRules(shape.rows, shape.columns);
    case "cube":
      return new CubeRules(shape.size);
    case "balto":
      return new BaltoRules(shape.side);
  }
}

/** Parses a permutation of 0 … cells - 1, separated by blanks, commas or slashes. */
export function parsePermutation(text: string, cells: number): Board | null {
  const items = text.split(/[\s,/]+/).filter((item) => item !== "");
  if (items.length !== cells || !items.every((item) => /^\d{1,5}$/.test(item))) return null;
  const board = Int16Array.from(items, Number);
  const distinct = new Set(board);
  return distinct.size === cells && board.every((tile) => tile < cells) ? board : null;
}
