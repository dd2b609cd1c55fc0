// Random access to the boards along a move sequence.
//
// A board is stored every CHECKPOINT_INTERVAL moves; any step is reached from the checkpoint before it.

import type { Board, Rules } from "./rules";

/** Moves between two stored boards: the upper bound on the moves applied for a jump. */
const CHECKPOINT_INTERVAL = 256;

export class Replay {
  private readonly checkpoints: Board[] = [];
  /** Number of legal moves: a sequence from a link ends before its first illegal move. */
  readonly length: number;

  constructor(
    private readonly rules: Rules,
    start: Board,
    readonly moves: readonly string[],
  ) {
    const board = start.slice();
    let applied = 0;
    this.checkpoints.push(board.slice());
    for (const move of moves) {
      if (!rules.applyMove(board, move)) break;
      applied += 1;
      if (applied % CHECKPOINT_INTERVAL === 0) this.checkpoints.push(board.slice());
    }
    this.length = applied;
  }

  /** The board after `step` moves; `step` is clamped to 0 … length. */
  boardAt(step: number): Board {
    const target = Math.max(0, Math.min(step, this.length));
    const checkpoint = Math.floor(target / CHECKPOINT_INTERVAL);
    const board = this.checkpoints[checkpoint]!.slice();
    for (let i = checkpoint * CHECKPOINT_INTERVAL; i < target; i++)
      this.rules.applyMove(board, this.moves[i]!);
    return board;
  }
}
