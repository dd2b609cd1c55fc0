// A comparison: several solvers on the same positions.

import type { Answer } from "../engine/engine";
import type { Link } from "../link";
import { reportedFailure, toFailure, type Failure } from "./failure";
import type { Session } from "./session.svelte";

/** The result of one solver on one position. */
export interface Run {
  solver: string;
  /** Index of the position, from 0. */
  position: number;
  answer: Answer;
}

export const MIN_SOLVERS = 2;
export const MAX_SOLVERS = 6;
const DEFAULT_SOLVERS = 3;
const MAX_POSITIONS = 100;

export class Comparison {
  solvers = $state<string[]>([]);
  /** Whether random positions are compared, or the position of the session. */
  random = $state(true);
  /** Number of random positions. */
  count = $state(10);
  seed = $state(1);
  /** Time limit of each search, in seconds. */
  time = $state(10);
  runs = $state.raw<Run[]>([]);
  /** Solvers and number of positions of `runs`, which later changes of the form do not affect. */
  compared = $state.raw<{ solvers: string[]; positions: number }>({ solvers: [], positions: 0 });
  /** The solver that is running; empty while the positions are generated. */
  current = $state.raw<{ solver: string } | null>(null);
  failure = $state.raw<Failure | null>(null);
  private controller: AbortController | null = null;

  constructor(private readonly session: Session) {}

  get running(): boolean {
    return this.current !== null;
  }

  /** Fills in default solvers unless enough are selected. */
  ensureSolvers(): void {
    const presets = this.session.description?.presets.map(({ solver }) => solver) ?? [];
    const single = presets.filter((solver) => solver !== "auto");
    if (this.solvers.length >= MIN_SOLVERS) return;
    this.solvers = (single.length >= MIN_SOLVERS ? single : presets).slice(0, DEFAULT_SOLVERS);
  }

  restore(link: Link): void {
    this.solvers = link.solvers.slice(0, MAX_SOLVERS);
    this.random = link.count !== null || link.position === null;
    this.count = Math.min(MAX_POSITIONS, link.count ?? this.count);
    this.seed = link.seed ?? this.seed;
  }

  get link(): Partial<Link> {
    const random = this.random ? { position: null, count: this.count, seed: this.seed } : {};
    return { solvers: this.solvers, ...random };
  }

  /** Clears solvers and results, for another puzzle. */
  reset(): void {
    this.cancel();
    this.solvers = [];
    this.runs = [];
    this.failure = null;
  }

  cancel(): void {
    this.controller?.abort();
  }

  async run(): Promise<void> {
    const { session } = this;
    if (this.running || !session.board || !session.rules) return;
    const controller = new AbortController();
    this.controller = controller;
    this.failure = null;
    this.runs = [];
    const solvers = [...new Set(this.solvers.map((solver) => solver.trim()).filter(Boolean))];
    this.current = { solver: "" };
    try {
      const positions = this.random
        ? await session.engine.scramble(session.puzzle, {
            ...session.variant,
            count: this.count,
            seed: this.seed,
          })
        : [session.rules.format(session.board)];
      this.compared = { solvers, positions: positions.length };
      for (const solver of solvers) {
        if (controller.signal.aborted) return;
        this.current = { solver };
        const job = {
          puzzle: session.puzzle,
          positions,
          ...session.variant,
          solver,
          limits: { time: this.time },
        };
        for await (const { event, data } of session.engine.solve(job, controller.signal)) {
          if (event === "done") this.failure ??= reportedFailure(data);
          // A cancelled search is not a measurement.
          if (event !== "answer" || controller.signal.aborted) continue;
          this.runs = [...this.runs, { solver, position: data.position, answer: data }];
        }
      }
    } catch (error) {
      this.failure = toFailure(error, "Something went wrong while comparing.");
    } finally {
      this.current = null;
    }
  }

  /** All runs as comma-separated values (RFC 4180 quoting, newline-terminated lines). */
  csv(): string {
    const quote = (value: unknown): string => {
      const text = String(value ?? "");
      return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    };
    const columns: [string, (run: Run) => unknown][] = [
      ["position", ({ position }) => position + 1],
      ["start", ({ answer }) => answer.start],
      ["solver", ({ solver }) => solver],
      ["ran", ({ answer }) => answer.solver],
      ["outcome", ({ answer }) => answer.outcome],
      ["length", ({ answer }) => answer.length],
      ["optimal", ({ answer }) => answer.optimal],
      ["lower_bound", ({ answer }) => answer.lower_bound],
      ["generated", ({ answer }) => answer.generated],
      ["seconds", ({ answer }) => answer.seconds],
      ["table_seconds", ({ answer }) => answer.table_seconds],
      ["peak_bytes", ({ answer }) => answer.peak_bytes],
      ["stop", ({ answer }) => answer.stop],
      ["moves", ({ answer }) => answer.moves],
    ];
    const header = columns.map(([name]) => name).join(",");
    const lines = this.runs.map((run) => columns.map(([, value]) => quote(value(run))).join(","));
    return [header, ...lines, ""].join("\n");
  }
}
