// One search as it goes: where it stands, what it has found, how it ended.

import { Problem, type Answer, type Engine, type Job, type Progress } from "../engine/engine";
import { sentence } from "../words";

/** Where a search stood at a moment, for the chart. */
export interface Sample {
  seconds: number;
  bound: number;
  best: number | null;
}

/** More points than this tell the eye nothing. */
const SAMPLES = 400;

export class Search {
  state = $state<"running" | "stopping" | "done" | "cancelled" | "failed">("running");
  progress = $state.raw<Progress | null>(null);
  samples = $state.raw<Sample[]>([]);
  record = $state.raw<Answer | null>(null);
  error = $state<string | null>(null);
  private readonly control = new AbortController();
  private readonly begun = performance.now();

  constructor(
    readonly job: Job,
    /** Hears of every better answer, and of the last one. */
    private readonly found: (moves: string, record: Answer | null) => void,
  ) {}

  get running(): boolean {
    return this.state === "running" || this.state === "stopping";
  }

  cancel(): void {
    if (this.state !== "running") return;
    this.state = "stopping";
    this.control.abort();
  }

  async run(engine: Engine): Promise<void> {
    try {
      for await (const { event, data } of engine.solve(this.job, this.control.signal)) {
        if (event === "progress") {
          this.progress = data;
          this.note(data.seconds, data.bound, data.best);
        } else if (event === "best") {
          this.note((performance.now() - this.begun) / 1000, this.progress?.bound ?? 0, data.length);
          this.found(data.moves, null);
        } else if (event === "answer") {
          this.record = data;
          this.note(data.seconds + data.table_seconds, data.lower_bound, data.length);
          if (data.error) this.error = sentence(data.error);
          if (data.moves !== null) this.found(data.moves, data);
        } else if (event === "done") {
          this.state = data.state === "cancelled" || data.state === "failed" ? data.state : "done";
          if (data.error) this.error = sentence(data.error);
        }
      }
      if (this.running) this.state = "done";
    } catch (error) {
      this.state = "failed";
      this.error = error instanceof Problem ? sentence(error.message) : "Something went wrong while solving.";
      if (!(error instanceof Problem)) console.error(error);
    }
  }

  private note(seconds: number, bound: number, best: number | null): void {
    const last = this.samples.at(-1);
    const sample = { seconds: Math.max(seconds, last?.seconds ?? 0), bound, best: best ?? last?.best ?? null };
    const kept = this.samples.length < SAMPLES ? this.samples : this.samples.filter((_, i) => i % 2 === 0);
    this.samples = [...kept, sample];
  }
}
