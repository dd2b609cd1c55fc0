// Sliding tiles: a move is the direction in which a tile slides.

import { readNumbers, type Board, type Rules } from "./rules";

const BACK: Record<string, string> = { U: "D", D: "U", L: "R", R: "L" };

export class TilesRules implements Rules {
  readonly cells: number;

  constructor(
    readonly rows: number,
    readonly columns: number,
  ) {
    this.cells = rows * columns;
  }

  read(text: string): Board | null {
    return readNumbers(text, this.cells);
  }

  write(board: Board): string {
    return board.join(" ");
  }

  split(moves: string): string[] {
    return moves.match(/[UDLR]/g) ?? [];
  }

  join(moves: readonly string[]): string {
    return moves.join(" ");
  }

  turn(board: Board, move: string): boolean {
    const gap = board.indexOf(0);
    const from = this.from(gap, move);
    if (from === null) return false;
    board[gap] = board[from]!;
    board[from] = 0;
    return true;
  }

  back(move: string): string {
    return BACK[move] ?? move;
  }

  /** The moves that bring the tile of `cell` towards the gap along its row or column, and those between with it. */
  towards(board: Board, cell: number): string[] {
    const gap = board.indexOf(0);
    const down = Math.floor(gap / this.columns) - Math.floor(cell / this.columns);
    const right = (gap % this.columns) - (cell % this.columns);
    if ((down === 0) === (right === 0)) return [];
    if (down !== 0) return Array<string>(Math.abs(down)).fill(down > 0 ? "D" : "U");
    return Array<string>(Math.abs(right)).fill(right > 0 ? "R" : "L");
  }

  /** The cell whose tile slides into the gap by this move. */
  private from(gap: number, move: string): number | null {
    const row = Math.floor(gap / this.columns);
    const column = gap % this.columns;
    switch (move) {
      case "U":
        return row + 1 < this.rows ? gap + this.columns : null;
      case "D":
        return row > 0 ? gap - this.columns : null;
      case "L":
        return column + 1 < this.columns ? gap + 1 : null;
      case "R":
        return column > 0 ? gap - 1 : null;
      default:
        return null;
    }
  }
}
