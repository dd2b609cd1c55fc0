// The boards along an answer: any step at once, however long the answer is.

import type { Board, Rules } from "./rules";

/** Steps between two boards that are kept: a jump makes at most so many moves. */
const STRIDE = 256;

export class Track {
  private readonly kept: Board[] = [];
  /** How many of the moves can be made; a link may hold others. */
  readonly length: number;

  constructor(
    private readonly rules: Rules,
    start: Board,
    readonly moves: readonly string[],
  ) {
    const board = start.slice();
    let made = 0;
    this.kept.push(board.slice());
    for (const move of moves) {
      if (!rules.turn(board, move)) break;
      made += 1;
      if (made % STRIDE === 0) this.kept.push(board.slice());
    }
    this.length = made;
  }

  /** The board after so many moves. */
  at(step: number): Board {
    const wanted = Math.max(0, Math.min(step, this.length));
    const nearest = Math.floor(wanted / STRIDE);
    const board = this.kept[nearest]!.slice();
    for (let made = nearest * STRIDE; made < wanted; made++) this.rules.turn(board, this.moves[made]!);
    return board;
  }
}
