// What is on the table: a puzzle, a position, perhaps a search, perhaps an answer and how far it has been watched.

import { Problem, type Answer, type Choice, type Description, type Engine, type ErrorDetails, type Family, type Repair } from "../engine/engine";
import { NOWHERE, type Link } from "../link";
import { CubeRules, UNKNOWN } from "../puzzles/cube";
import { PLAIN, readHold, spell, type Hold } from "../puzzles/hold";
import { rulesOf, type Board } from "../puzzles/rules";
import { Track } from "../puzzles/track";
import { sentence } from "../words";
import { Search } from "./search.svelte";

/** What the engine says about the position. */
export type Verdict =
  | { kind: "checking" }
  | { kind: "solvable"; solved: boolean; completed: boolean }
  | { kind: "unsolvable" | "invalid"; why: string; details: ErrorDetails; repairs: Repair[] };

export interface Shown {
  moves: readonly string[];
  track: Track;
  /** Nothing while better answers are looked for, and where the answer came with a link. */
  record: Answer | null;
}

/** Typing pauses that long before the text is looked at. */
const PAUSE = 200;
/** Hands rest that long between two moves. */
const REST = 60;
/** Positions that can be brought back. */
const MEMORY = 200;

export class Session {
  families = $state.raw<Family[]>([]);
  puzzle = $state("");
  goal = $state<string | null>(null);
  metric = $state<string | null>(null);
  description = $state.raw<Description | null>(null);
  /** Why the puzzle could not be opened. */
  trouble = $state<string | null>(null);

  board = $state.raw<Board | null>(null);
  text = $state("");
  verdict = $state.raw<Verdict>({ kind: "checking" });
  /** Whether tiles are exchanged and stickers painted, rather than moved. */
  arranging = $state(false);
  hold = $state.raw<Hold>(PLAIN);
  /** What `undo` brings back, the last one last. */
  past = $state.raw<Board[]>([]);

  solver = $state("auto");
  limits = $state({ time: 30, memory: "", threads: "", nodes: "", length: "" });
  search = $state.raw<Search | null>(null);
  answer = $state.raw<Shown | null>(null);
  /** A shorter answer that came while the other one is being watched. */
  shorter = $state.raw<Shown | null>(null);
  step = $state(0);
  playing = $state(false);
  /** Moves a second. */
  speed = $state(2);

  readonly rules = $derived(this.description ? rulesOf(this.description.shape) : null);
  readonly solved = $derived(this.description && this.rules ? this.rules.read(this.description.solved) : null);
  readonly length = $derived(this.answer?.track.length ?? 0);
  /** The board to draw. */
  readonly shown = $derived(this.answer ? this.answer.track.at(this.step) : this.board);

  private asked = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly engine: Engine) {}

  get choice(): Choice {
    return { ...(this.goal ? { goal: this.goal } : {}), ...(this.metric ? { metric: this.metric } : {}) };
  }

  /** A move as the person makes it. */
  say(move: string): string {
    return this.rules instanceof CubeRules ? spell(this.hold, move) : move;
  }

  async begin(link: Link): Promise<void> {
    try {
      this.families = await this.engine.puzzles();
    } catch (error) {
      this.trouble = told(error);
      return;
    }
    await this.open(link);
  }

  /** Opens a puzzle with all that a link says. */
  async open(link: Link): Promise<void> {
    this.leave();
    this.trouble = null;
    const puzzle = link.puzzle ?? this.families[0]?.example ?? "";
    this.goal = link.goal;
    this.metric = link.metric;
    this.hold = readHold(link.hold);
    this.arranging = false;
    this.past = [];
    const ticket = ++this.asked;
    try {
      const description = await this.engine.describe(puzzle, this.choice);
      if (ticket !== this.asked) return;
      this.puzzle = puzzle;
      this.description = description;
      this.solver = link.view === "solve" ? (link.solvers[0] ?? "auto") : "auto";
      this.board = this.solved;
      if (link.position !== null) await this.restore(link, ticket);
      else await this.scramble();
    } catch (error) {
      if (ticket === this.asked) this.trouble = told(error);
    }
  }

  private async restore(link: Link, ticket: number): Promise<void> {
    this.text = link.position ?? "";
    await this.check();
    if (ticket + 1 !== this.asked || !link.moves || !this.board || this.verdict.kind !== "solvable") return;
    this.show(link.moves, null);
    this.step = Math.min(link.step, this.length);
  }

  /** What a link to here says. */
  get link(): Link {
    const cube = this.rules instanceof CubeRules;
    return {
      ...NOWHERE,
      puzzle: this.puzzle,
      goal: this.goal,
      metric: this.metric,
      position: this.board && this.rules ? this.rules.write(this.board) : null,
      solvers: this.solver === "auto" ? [] : [this.solver],
      moves: this.answer && this.rules ? this.rules.join(this.answer.moves) : null,
      step: this.step,
      hold: cube && this.hold !== PLAIN ? this.hold.top + this.hold.front : null,
    };
  }

  // Setting

  /** Puts a board on the table; the one before can be brought back. */
  set(board: Board, remember = true): void {
    if (!this.rules) return;
    if (remember) this.remember();
    this.leave();
    this.board = board;
    this.text = this.rules.write(board);
    this.soon(REST);
  }

  /** Asks about the position once nothing has changed for so long. */
  private soon(pause: number): void {
    this.asked += 1;
    this.verdict = { kind: "checking" };
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.check(), pause);
  }

  /** Keeps the board as it is for `undo`. */
  remember(): void {
    if (this.board) this.past = [...this.past.slice(-MEMORY), this.board];
  }

  undo(): void {
    const before = this.past.at(-1);
    if (!before) return;
    this.past = this.past.slice(0, -1);
    this.set(before, false);
  }

  /** Reads what was typed, as soon as the typing pauses. */
  type(text: string): void {
    this.text = text;
    this.leave();
    this.soon(PAUSE);
  }

  take(repair: Repair): void {
    this.remember();
    this.leave();
    this.text = repair.position;
    void this.check();
  }

  async scramble(): Promise<void> {
    const [position] = await this.attempt(() => this.engine.scramble(this.puzzle, { ...this.choice, count: 1 })) ?? [];
    const board = position && this.rules?.read(position);
    if (board) this.set(board, this.text !== "");
  }

  reset(): void {
    if (this.solved) this.set(this.solved.slice());
  }

  /** A cube without colours but those of its centres, ready to be painted. */
  empty(): void {
    const { rules } = this;
    if (!(rules instanceof CubeRules)) return;
    this.arranging = true;
    this.set(rules.solved().map((colour, sticker) => (rules.isCentre(sticker) ? colour : UNKNOWN)));
  }

  /** Makes a move by hand: one that the answer makes next just follows it. */
  turn(move: string): void {
    if (!this.rules || !this.shown) return;
    if (this.answer && this.answer.moves[this.step] === move && this.step < this.length) {
      this.go(this.step + 1);
      return;
    }
    const board = this.shown.slice();
    if (this.rules.turn(board, move)) this.set(board);
  }

  /** Asks the engine about the text, and draws it where it can be drawn. */
  private async check(): Promise<void> {
    clearTimeout(this.timer);
    const { rules, text } = this;
    if (!rules) return;
    const ticket = ++this.asked;
    const drawn = rules.read(text);
    if (drawn) this.board = drawn;
    this.verdict = { kind: "checking" };
    try {
      const checked = await this.engine.check(this.puzzle, text, this.choice);
      if (ticket !== this.asked) return;
      // Stickers that are not known may follow from the others.
      const completed = rules instanceof CubeRules && drawn !== null && drawn.includes(UNKNOWN);
      if (!drawn || completed) this.board = rules.read(checked.start) ?? this.board;
      this.verdict =
        checked.outcome === "solvable"
          ? { kind: "solvable", solved: checked.solved, completed }
          : {
              kind: "unsolvable",
              why: sentence(checked.reason ?? "no moves solve it"),
              details: checked,
              repairs: checked.repairs,
            };
    } catch (error) {
      if (ticket !== this.asked) return;
      const { repairs, details } = error instanceof Problem ? error : { repairs: [], details: {} };
      this.verdict = { kind: "invalid", why: told(error), details, repairs };
    }
  }

  // Solving

  async solve(): Promise<void> {
    if (!this.board || !this.rules || this.search?.running) return;
    this.leave();
    const number = (text: string): number | undefined => (Number(text) > 0 ? Number(text) : undefined);
    const { time, memory, threads, nodes, length } = this.limits;
    const limits = {
      ...(time > 0 ? { time } : {}),
      ...(number(memory) ? { memory: number(memory)! * 1024 * 1024 } : {}),
      ...(number(threads) ? { threads: number(threads)! } : {}),
      ...(number(nodes) ? { nodes: number(nodes)! } : {}),
    };
    const job = {
      puzzle: this.puzzle,
      positions: [this.rules.write(this.board)],
      ...this.choice,
      solver: this.solver,
      limits,
      ...(number(length) ? { max_length: number(length)! } : {}),
    };
    const search = new Search(job, (moves, record) => this.show(moves, record));
    this.search = search;
    await search.run(this.engine);
  }

  async surprise(): Promise<void> {
    await this.scramble();
    await this.solve();
  }

  /** Puts an answer on the table; while another is being watched it waits to be asked for. */
  private show(moves: string, record: Answer | null): void {
    const { rules, board } = this;
    if (!rules || !board) return;
    const list = rules.split(moves);
    const same = this.answer && list.length === this.answer.moves.length && list.every((m, i) => m === this.answer!.moves[i]);
    if (same) {
      this.answer = { ...this.answer!, record };
      return;
    }
    const shown = { moves: list, track: new Track(rules, board, list), record };
    if (this.step > 0) {
      this.shorter = shown;
    } else {
      this.answer = shown;
      this.shorter = null;
    }
  }

  takeShorter(): void {
    if (!this.shorter) return;
    this.playing = false;
    this.step = 0;
    this.answer = this.shorter;
    this.shorter = null;
  }

  /** Ends what belongs to the position before. */
  private leave(): void {
    this.search?.cancel();
    this.search = null;
    this.answer = null;
    this.shorter = null;
    this.step = 0;
    this.playing = false;
  }

  // Watching

  go(step: number): void {
    this.step = Math.max(0, Math.min(step, this.length));
  }

  play(): void {
    if (!this.answer) return;
    if (this.step >= this.length) this.step = 0;
    this.playing = true;
  }

  private async attempt<T>(action: () => Promise<T>): Promise<T | null> {
    try {
      return await action();
    } catch (error) {
      this.trouble = told(error);
      return null;
    }
  }
}

/** What went wrong, in a sentence. */
export function told(error: unknown): string {
  if (error instanceof Problem) return sentence(error.message);
  console.error(error);
  return "Something went wrong.";
}
