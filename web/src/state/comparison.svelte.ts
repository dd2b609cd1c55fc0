// Solvers side by side on the same positions.

import { Problem, type Answer } from "../engine/engine";
import type { Link } from "../link";
import { sentence } from "../words";
import type { Session } from "./session.svelte";

/** One search of a comparison. */
export interface Row {
  solver: string;
  /** Which position, from 0. */
  position: number;
  answer: Answer;
}

export const [LEAST, MOST] = [2, 6];

export class Comparison {
  solvers = $state<string[]>([]);
  /** How many random positions; none is the position on the table. */
  count = $state(10);
  random = $state(true);
  seed = $state(1);
  /** Seconds for each search. */
  time = $state(10);
  rows = $state.raw<Row[]>([]);
  /** What was compared: changes of the form do not touch what is shown. */
  compared = $state.raw<{ solvers: string[]; positions: number }>({ solvers: [], positions: 0 });
  /** What is running now. */
  at = $state.raw<{ solver: string } | null>(null);
  trouble = $state<string | null>(null);
  private control: AbortController | null = null;

  constructor(private readonly game: Session) {}

  get running(): boolean {
    return this.at !== null;
  }

  /** The solvers that are asked for, or the first that fit. */
  settle(): void {
    const presets = this.game.description?.presets.map(({ solver }) => solver) ?? [];
    const own = presets.filter((solver) => solver !== "auto");
    if (this.solvers.length < LEAST) this.solvers = (own.length >= LEAST ? own : presets).slice(0, 3);
  }

  read(link: Link): void {
    this.solvers = link.solvers.slice(0, MOST);
    this.random = link.count !== null || link.position === null;
    this.count = Math.min(100, link.count ?? this.count);
    this.seed = link.seed ?? this.seed;
  }

  get link(): Partial<Link> {
    const random = this.random ? { position: null, count: this.count, seed: this.seed } : {};
    return { solvers: this.solvers, ...random };
  }

  /** Another puzzle has other solvers. */
  forget(): void {
    this.cancel();
    this.solvers = [];
    this.rows = [];
    this.trouble = null;
  }

  cancel(): void {
    this.control?.abort();
  }

  async run(): Promise<void> {
    const { game } = this;
    if (this.running || !game.board || !game.rules) return;
    const control = new AbortController();
    this.control = control;
    this.trouble = null;
    this.rows = [];
    const solvers = [...new Set(this.solvers.map((solver) => solver.trim()).filter(Boolean))];
    this.at = { solver: "" };
    try {
      const positions = this.random
        ? await game.engine.scramble(game.puzzle, { ...game.choice, count: this.count, seed: this.seed })
        : [game.rules.write(game.board)];
      this.compared = { solvers, positions: positions.length };
      for (const solver of solvers) {
        if (control.signal.aborted) return;
        this.at = { solver };
        const job = { puzzle: game.puzzle, positions, ...game.choice, solver, limits: { time: this.time } };
        for await (const { event, data } of game.engine.solve(job, control.signal)) {
          // What was cut short is no measurement.
          if (event !== "answer" || control.signal.aborted) continue;
          this.rows = [...this.rows, { solver, position: data.position, answer: data }];
        }
      }
    } catch (error) {
      this.trouble = error instanceof Problem ? sentence(error.message) : "Something went wrong while comparing.";
      if (!(error instanceof Problem)) console.error(error);
    } finally {
      this.at = null;
    }
  }

  /** All that was measured, as a table for other programs. */
  csv(): string {
    const quoted = (value: unknown): string => {
      const text = String(value ?? "");
      return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    };
    const columns = ["position", "start", "solver", "ran", "outcome", "length", "optimal", "lower_bound", "generated", "seconds", "table_seconds", "peak_bytes", "stop", "moves"];
    const lines = this.rows.map(({ solver, position, answer }) =>
      [
        position + 1, answer.start, solver, answer.solver, answer.outcome, answer.length, answer.optimal, answer.lower_bound,
        answer.generated, answer.seconds, answer.table_seconds, answer.peak_bytes, answer.stop, answer.moves,
      ]
        .map(quoted)
        .join(","),
    );
    return [columns.join(","), ...lines, ""].join("\n");
  }
}
