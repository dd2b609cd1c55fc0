// One search: progress while it runs, solutions as they are found, and the final answer.

import type { Answer, Engine, JobRequest, Progress } from "../engine/engine";
import { reportedFailure, toFailure, type Failure } from "./failure";

/** A point of the bounds chart. */
export interface Sample {
  seconds: number;
  lowerBound: number;
  /** Length of the best solution so far. */
  best: number | null;
}

/** Above this number every second sample is dropped; more points are not visible in the chart. */
const MAX_SAMPLES = 400;

export class Search {
  state = $state<"running" | "stopping" | "done" | "cancelled" | "failed">("running");
  progress = $state.raw<Progress | null>(null);
  samples = $state.raw<Sample[]>([]);
  answer = $state.raw<Answer | null>(null);
  failure = $state.raw<Failure | null>(null);
  private readonly controller = new AbortController();
  private readonly startTime = performance.now();

  constructor(
    readonly job: JobRequest,
    /** Receives every better solution; the final one comes with its answer. */
    private readonly onSolution: (moves: string, answer: Answer | null) => void,
  ) {}

  get running(): boolean {
    return this.state === "running" || this.state === "stopping";
  }

  cancel(): void {
    if (this.state !== "running") return;
    this.state = "stopping";
    this.controller.abort();
  }

  async run(engine: Engine): Promise<void> {
    try {
      for await (const { event, data } of engine.solve(this.job, this.controller.signal)) {
        if (event === "progress") {
          this.progress = data;
          this.addSample(data.seconds, data.bound, data.best);
        } else if (event === "best") {
          this.addSample(
            (performance.now() - this.startTime) / 1000,
            this.progress?.bound ?? 0,
            data.length,
          );
          this.onSolution(data.moves, null);
        } else if (event === "answer") {
          this.answer = data;
          this.addSample(data.seconds + data.table_seconds, data.lower_bound, data.length);
          this.failure = reportedFailure(data);
          if (data.moves !== null) this.onSolution(data.moves, data);
        } else if (event === "done") {
          this.state = data.state === "cancelled" || data.state === "failed" ? data.state : "done";
          this.failure = reportedFailure(data) ?? this.failure;
        }
      }
      if (this.running) this.state = "done";
    } catch (error) {
      this.state = "failed";
      this.failure = toFailure(error, "Something went wrong while solving.");
    }
  }

  private addSample(seconds: number, lowerBound: number, best: number | null): void {
    const last = this.samples.at(-1);
    const sample = {
      seconds: Math.max(seconds, last?.seconds ?? 0),
      lowerBound,
      best: best ?? last?.best ?? null,
    };
    const kept =
      this.samples.length < MAX_SAMPLES ? this.samples : this.samples.filter((_, i) => i % 2 === 0);
    this.samples = [...kept, sample];
  }
}
