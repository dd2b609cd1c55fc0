// Sliding-tile puzzles. A move is the direction in which a tile slides into the blank.

import { parsePermutation, type Board, type Rules } from "./rules";

const INVERSE: Record<string, string> = { U: "D", D: "U", L: "R", R: "L" };

export class TileRules implements Rules {
  readonly cells: number;

  constructor(
    readonly rows: number,
    readonly columns: number,
  ) {
    this.cells = rows * columns;
  }

  parse(text: string): Board | null {
    return parsePermutation(text, this.cells);
  }

  format(board: Board): string {
    return board.join(" ");
  }

  parseMoves(moves: string): string[] {
    return moves.match(/[UDLR]/g) ?? [];
  }

  formatMoves(moves: readonly string[]): string {
    return moves.join(" ");
  }

  applyMove(board: Board, move: string): boolean {
    const blank = board.indexOf(0);
    const source = this.sourceCell(blank, move);
    if (source === null) return false;
    board[blank] = board[source]!;
    board[source] = 0;
    return true;
  }

  invertMove(move: string): string {
    return INVERSE[move] ?? move;
  }

  /**
   * The moves that slide the tile at `cell`, and all tiles between it and the blank, one cell towards the
   * blank. Empty if the blank is neither in its row nor in its column.
   */
  slideMoves(board: Board, cell: number): string[] {
    const blank = board.indexOf(0);
    const down = Math.floor(blank / this.columns) - Math.floor(cell / this.columns);
    const right = (blank % this.columns) - (cell % this.columns);
    if ((down === 0) === (right === 0)) return [];
    if (down !== 0) return Array<string>(Math.abs(down)).fill(down > 0 ? "D" : "U");
    return Array<string>(Math.abs(right)).fill(right > 0 ? "R" : "L");
  }

  /** The cell whose tile slides into the blank; null if it would lie outside the board. */
  private sourceCell(blank: number, move: string): number | null {
    const row = Math.floor(blank / this.columns);
    const column = blank % this.columns;
    switch (move) {
      case "U":
        return row + 1 < this.rows ? blank + this.columns : null;
      case "D":
        return row > 0 ? blank - this.columns : null;
      case "L":
        return column + 1 < this.columns ? blank + 1 : null;
      case "R":
        return column > 0 ? blank - 1 : null;
      default:
        return null;
    }
  }
}
