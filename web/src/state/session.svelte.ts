// The state of the page: puzzle, position, search, and the solution with its current step.

import {
  ApiError,
  type Answer,
  type Description,
  type Engine,
  type ErrorDetails,
  type Family,
  type Repair,
  type Variant,
} from "../engine/engine";
import { toSentence } from "../format";
import { EMPTY_LINK, type Link } from "../link";
import { CubeRules, UNKNOWN_COLOUR } from "../puzzles/cube";
import {
  parseOrientation,
  STANDARD_ORIENTATION,
  toUserMove,
  type Orientation,
} from "../puzzles/orientation";
import { Replay } from "../puzzles/replay";
import { rulesFor, type Board } from "../puzzles/rules";
import { toFailure } from "./failure";
import { Search } from "./search.svelte";

/** The engine's check of the position. */
export type Validation =
  | { kind: "checking" }
  | { kind: "solvable"; solved: boolean; completed: boolean }
  | { kind: "unsolvable" | "invalid"; message: string; details: ErrorDetails; repairs: Repair[] };

export interface Solution {
  moves: readonly string[];
  replay: Replay;
  /** Null while the search goes on, and for a solution from a link. */
  answer: Answer | null;
}

/** Delays in milliseconds before the position is checked: after typing, and after a move. */
const TYPING_DELAY = 200;
const MOVE_DELAY = 60;
const MAX_UNDO = 200;

export class Session {
  families = $state.raw<Family[]>([]);
  puzzle = $state("");
  goal = $state<string | null>(null);
  metric = $state<string | null>(null);
  description = $state.raw<Description | null>(null);
  /** Why the puzzle could not be opened or scrambled. */
  error = $state<string | null>(null);

  board = $state.raw<Board | null>(null);
  text = $state("");
  validation = $state.raw<Validation>({ kind: "checking" });
  /** Edit mode: tiles are swapped and stickers painted, instead of moved. */
  editing = $state(false);
  orientation = $state.raw<Orientation>(STANDARD_ORIENTATION);
  /** Boards for `undo`, the latest last. */
  undoStack = $state.raw<Board[]>([]);

  solver = $state("auto");
  limits = $state({ time: 30, memory: "", threads: "", nodes: "", length: "" });
  search = $state.raw<Search | null>(null);
  solution = $state.raw<Solution | null>(null);
  /** A shorter solution that was found while the user steps through the current one. */
  shorterSolution = $state.raw<Solution | null>(null);
  step = $state(0);
  playing = $state(false);
  /** Playback speed in moves per second. */
  speed = $state(2);

  readonly rules = $derived(this.description ? rulesFor(this.description.shape) : null);
  readonly solved = $derived(
    this.description && this.rules ? this.rules.parse(this.description.solved) : null,
  );
  readonly length = $derived(this.solution?.replay.length ?? 0);
  readonly displayedBoard = $derived(this.solution ? this.solution.replay.boardAt(this.step) : this.board);

  /** Number of the latest request; replies to earlier ones are ignored. */
  private latestRequest = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly engine: Engine) {}

  get variant(): Variant {
    return { ...(this.goal ? { goal: this.goal } : {}), ...(this.metric ? { metric: this.metric } : {}) };
  }

  /** A move as the user makes it: cube moves are translated to the user's orientation. */
  userMove(move: string): string {
    return this.rules instanceof CubeRules ? toUserMove(this.orientation, move) : move;
  }

  async load(link: Link): Promise<void> {
    try {
      this.families = await this.engine.puzzles();
    } catch (error) {
      this.error = toFailure(error).message;
      return;
    }
    await this.open(link);
  }

  /** Opens the puzzle of a link, with its position and solution; scrambles if the link has no position. */
  async open(link: Link): Promise<void> {
    this.clearSearch();
    this.error = null;
    const puzzle = link.puzzle ?? this.families[0]?.example ?? "";
    this.goal = link.goal;
    this.metric = link.metric;
    this.orientation = parseOrientation(link.orientation);
    this.editing = false;
    this.undoStack = [];
    const request = ++this.latestRequest;
    try {
      const description = await this.engine.describe(puzzle, this.variant);
      if (request !== this.latestRequest) return;
      this.puzzle = puzzle;
      this.description = description;
      this.solver = link.view === "solve" ? (link.solvers[0] ?? "auto") : "auto";
      this.board = this.solved;
      if (link.position !== null) await this.restore(link, request);
      else await this.scramble();
    } catch (error) {
      if (request === this.latestRequest) this.error = toFailure(error).message;
    }
  }

  private async restore(link: Link, request: number): Promise<void> {
    this.text = link.position ?? "";
    await this.check();
    const superseded = request + 1 !== this.latestRequest;
    if (superseded || !link.moves || !this.board || this.validation.kind !== "solvable") return;
    this.showSolution(link.moves, null);
    this.step = Math.min(link.step, this.length);
  }

  /** A link to the current state. */
  get link(): Link {
    const rotated = this.rules instanceof CubeRules && this.orientation !== STANDARD_ORIENTATION;
    return {
      ...EMPTY_LINK,
      puzzle: this.puzzle,
      goal: this.goal,
      metric: this.metric,
      position: this.board && this.rules ? this.rules.format(this.board) : null,
      solvers: this.solver === "auto" ? [] : [this.solver],
      moves: this.solution && this.rules ? this.rules.formatMoves(this.solution.moves) : null,
      step: this.step,
      orientation: rotated ? this.orientation.top + this.orientation.front : null,
    };
  }

  // Position

  /** Replaces the board, and checks it after a short delay. */
  setBoard(board: Board, undoable = true): void {
    if (!this.rules) return;
    if (undoable) this.pushUndo();
    this.clearSearch();
    this.board = board;
    this.text = this.rules.format(board);
    this.scheduleCheck(MOVE_DELAY);
  }

  /** Checks the position unless it changes again within `delay` milliseconds. */
  private scheduleCheck(delay: number): void {
    this.latestRequest += 1;
    this.validation = { kind: "checking" };
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.check(), delay);
  }

  pushUndo(): void {
    if (this.board) this.undoStack = [...this.undoStack.slice(-MAX_UNDO), this.board];
  }

  undo(): void {
    const previous = this.undoStack.at(-1);
    if (!previous) return;
    this.undoStack = this.undoStack.slice(0, -1);
    this.setBoard(previous, false);
  }

  setText(text: string): void {
    this.text = text;
    this.clearSearch();
    this.scheduleCheck(TYPING_DELAY);
  }

  applyRepair(repair: Repair): void {
    this.pushUndo();
    this.clearSearch();
    this.text = repair.position;
    void this.check();
  }

  async scramble(): Promise<void> {
    let positions: string[];
    try {
      positions = await this.engine.scramble(this.puzzle, { ...this.variant, count: 1 });
    } catch (error) {
      this.error = toFailure(error).message;
      return;
    }
    const board = positions[0] && this.rules?.parse(positions[0]);
    if (board) this.setBoard(board, this.text !== "");
  }

  reset(): void {
    if (this.solved) this.setBoard(this.solved.slice());
  }

  /** Clears all stickers of a cube except the centres, and starts painting. */
  clearStickers(): void {
    const { rules } = this;
    if (!(rules instanceof CubeRules)) return;
    this.editing = true;
    this.setBoard(
      rules.solvedBoard().map((colour, facelet) => (rules.isCentre(facelet) ? colour : UNKNOWN_COLOUR)),
    );
  }

  /**
   * Makes a move by hand. The next move of the solution steps forward; any other move starts a new
   * position.
   */
  makeMove(move: string): void {
    if (!this.rules || !this.displayedBoard) return;
    if (this.solution && this.solution.moves[this.step] === move && this.step < this.length) {
      this.goToStep(this.step + 1);
      return;
    }
    const board = this.displayedBoard.slice();
    if (this.rules.applyMove(board, move)) this.setBoard(board);
  }

  /** Checks the text with the engine, and shows its board if it can be drawn. */
  private async check(): Promise<void> {
    clearTimeout(this.timer);
    const { rules, text } = this;
    if (!rules) return;
    const request = ++this.latestRequest;
    const parsed = rules.parse(text);
    if (parsed) this.board = parsed;
    this.validation = { kind: "checking" };
    try {
      const check = await this.engine.check(this.puzzle, text, this.variant);
      if (request !== this.latestRequest) return;
      // The engine completes unknown stickers that follow from the known ones.
      const completed = rules instanceof CubeRules && parsed !== null && parsed.includes(UNKNOWN_COLOUR);
      if (!parsed || completed) this.board = rules.parse(check.start) ?? this.board;
      this.validation =
        check.outcome === "solvable"
          ? { kind: "solvable", solved: check.solved, completed }
          : {
              kind: "unsolvable",
              message: toSentence(check.reason ?? "this position cannot be solved"),
              details: check,
              repairs: check.repairs,
            };
    } catch (error) {
      if (request !== this.latestRequest) return;
      const repairs = error instanceof ApiError ? error.repairs : [];
      this.validation = { kind: "invalid", ...toFailure(error), repairs };
    }
  }

  // Search

  async solve(): Promise<void> {
    if (!this.board || !this.rules || this.search?.running) return;
    this.clearSearch();
    const positive = (text: string): number | undefined => (Number(text) > 0 ? Number(text) : undefined);
    const { time, memory, threads, nodes, length } = this.limits;
    const limits = {
      ...(time > 0 ? { time } : {}),
      ...(positive(memory) ? { memory: positive(memory)! * 1024 * 1024 } : {}),
      ...(positive(threads) ? { threads: positive(threads)! } : {}),
      ...(positive(nodes) ? { nodes: positive(nodes)! } : {}),
    };
    const job = {
      puzzle: this.puzzle,
      positions: [this.rules.format(this.board)],
      ...this.variant,
      solver: this.solver,
      limits,
      ...(positive(length) ? { max_length: positive(length)! } : {}),
    };
    const search = new Search(job, (moves, answer) => this.showSolution(moves, answer));
    this.search = search;
    await search.run(this.engine);
  }

  async scrambleAndSolve(): Promise<void> {
    await this.scramble();
    await this.solve();
  }

  /** Shows a solution; one that arrives while the user steps through another waits in `shorterSolution`. */
  private showSolution(text: string, answer: Answer | null): void {
    const { rules, board } = this;
    if (!rules || !board) return;
    const moves = rules.parseMoves(text);
    const current = this.solution;
    if (
      current &&
      moves.length === current.moves.length &&
      moves.every((move, i) => move === current.moves[i])
    ) {
      this.solution = { ...current, answer };
      return;
    }
    const solution = { moves, replay: new Replay(rules, board, moves), answer };
    if (this.step > 0) {
      this.shorterSolution = solution;
    } else {
      this.solution = solution;
      this.shorterSolution = null;
    }
  }

  showShorterSolution(): void {
    if (!this.shorterSolution) return;
    this.playing = false;
    this.step = 0;
    this.solution = this.shorterSolution;
    this.shorterSolution = null;
  }

  /** Cancels the search and removes the solution of the previous position. */
  private clearSearch(): void {
    this.search?.cancel();
    this.search = null;
    this.solution = null;
    this.shorterSolution = null;
    this.step = 0;
    this.playing = false;
  }

  // Playback

  goToStep(step: number): void {
    this.step = Math.max(0, Math.min(step, this.length));
  }

  play(): void {
    if (!this.solution) return;
    if (this.step >= this.length) this.step = 0;
    this.playing = true;
  }
}
