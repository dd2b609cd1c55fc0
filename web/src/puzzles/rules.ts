// The rules as far as drawing needs them: what a move does to a picture.
//
// Solving is the engine's; the page turns pictures itself, because an answer of 34,000 moves is watched at sixty steps
// a second.

import type { Shape } from "../engine/engine";
import { BaltoRules } from "./balto";
import { CubeRules } from "./cube";
import { TilesRules } from "./tiles";

/** What is in each cell: a tile's number, 0 for none, or the colour of a sticker. */
export type Board = Int16Array;

export interface Rules {
  /** How many cells a board has. */
  readonly cells: number;
  /** The board of a position as the engine writes it; nothing where the text is none. */
  read(text: string): Board | null;
  /** The text the engine reads. */
  write(board: Board): string;
  /** Moves as the engine writes them, one by one. */
  split(moves: string): string[];
  /** Moves as the engine writes them. */
  join(moves: readonly string[]): string;
  /** Makes a move in place; false where there is no such move here, and then nothing has changed. */
  turn(board: Board, move: string): boolean;
  /** The move that takes a move back. */
  back(move: string): string;
}

/** The rules of a puzzle of this shape. */
export function rulesOf(shape: Shape): Rules {
  switch (shape.kind) {
    case "tiles":
      return new TilesRules(shape.rows, shape.columns);
    case "cube":
      return new CubeRules(shape.size);
    case "balto":
      return new BaltoRules(shape.side);
  }
}

/** Reads as many different numbers as there are cells. */
export function readNumbers(text: string, cells: number): Board | null {
  const words = text.split(/[\s,/]+/).filter((word) => word !== "");
  if (words.length !== cells || !words.every((word) => /^\d{1,5}$/.test(word))) return null;
  const board = Int16Array.from(words, Number);
  const seen = new Set(board);
  return seen.size === cells && board.every((tile) => tile < cells) ? board : null;
}
