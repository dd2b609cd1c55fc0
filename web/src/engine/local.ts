// The engine in this browser, in workers: one that answers at once, and one for each search that runs.

import { detailsOf, Problem } from "./engine";
import type { Answer, Choice, Engine, Job, Progress, SolveEvent } from "./engine";
import type { Ask, Reply } from "./worker";

type Asked = Ask extends infer One ? (One extends Ask ? Omit<One, "id"> : never) : never;

/** A worker that answers, and is replaced after a failure or when its search is given up. */
class Assistant {
  #worker: Worker | undefined;
  #waiting = new Map<number, (reply: Reply) => void>();
  #count = 0;

  /** Asks, and passes on what comes back. */
  ask(asked: Asked, hear: (reply: Reply) => void): void {
    const id = ++this.#count;
    this.#waiting.set(id, hear);
    this.#worker ??= this.#start();
    this.#worker.postMessage({ ...asked, id });
  }

  /** Asks for one value. */
  get<T>(asked: Asked): Promise<T> {
    return new Promise((resolve, reject) => {
      this.ask(asked, (reply) => {
        if ("end" in reply) resolve(reply.end as T);
        else reject(trouble(reply));
      });
    });
  }

  /** Ends the worker, whatever it does; nobody hears of it again. The next question starts another one. */
  end(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#waiting.clear();
  }

  #start(): Worker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "untumble" });
    worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      const hear = this.#waiting.get(data.id);
      if (!("event" in data)) this.#waiting.delete(data.id);
      // After a failure nothing in its memory can be trusted.
      if ("failure" in data) this.#fail(data.failure);
      hear?.(data);
    };
    worker.onerror = (event) => this.#fail(event.message || "the engine could not be loaded");
    return worker;
  }

  #fail(failure: string): void {
    const waiting = [...this.#waiting];
    this.end();
    for (const [id, hear] of waiting) hear({ id, failure });
  }
}

function trouble(reply: Reply): Problem {
  if ("problem" in reply) {
    const { status, title, detail, repairs } = reply.problem;
    return new Problem(status, title, detail, repairs, detailsOf(reply.problem));
  }
  return new Problem(500, "Internal failure", "failure" in reply ? reply.failure : "");
}

/** What is known of a search that is given up: the page has been told all of it. */
class Known {
  #progress: Progress | undefined;
  #best: { moves: string; length: number } | undefined;
  #place = 0;

  hear(told: SolveEvent): void {
    if (told.event === "progress") this.#progress = told.data;
    if (told.event === "best") this.#best = told.data;
    if (told.event === "answer") {
      [this.#progress, this.#best] = [undefined, undefined];
      this.#place = told.data.position + 1;
    }
  }

  /** The last events of a search that was cancelled. */
  *rest(job: Job): Generator<SolveEvent> {
    const start = job.positions[this.#place];
    if (start !== undefined) yield { event: "answer", data: this.#answer(job, start) };
    yield { event: "done", data: { state: "cancelled" } };
  }

  #answer(job: Job, start: string): Answer & { position: number } {
    const [progress, best] = [this.#progress, this.#best];
    const bound = progress?.bound ?? 0;
    return {
      position: this.#place,
      puzzle: job.puzzle,
      start,
      solver: progress?.solver ?? job.solver ?? null,
      outcome: "stopped",
      moves: best?.moves ?? null,
      length: best?.length ?? null,
      optimal: best !== undefined && best.length <= bound,
      lower_bound: bound,
      generated: progress?.nodes ?? 0,
      expanded: 0,
      visited: 0,
      seconds: progress?.seconds ?? 0,
      table_seconds: 0,
      peak_bytes: 0,
      threads: 1,
      stop: "interrupted",
    };
  }
}

/** Workers with nothing to do keep their tables, but only so many of them. */
const MOST_IDLE = 2;

export class Local implements Engine {
  readonly place = "browser";
  #desk = new Assistant();
  #idle: Assistant[] = [];

  puzzles: Engine["puzzles"] = () => this.#desk.get({ call: "puzzles" });

  describe: Engine["describe"] = (puzzle, choice = {}) =>
    this.#desk.get({ call: "describe", puzzle, request: choice });

  check: Engine["check"] = (puzzle, position, choice = {}) =>
    this.#desk.get({ call: "check", puzzle, request: { position, ...choice } });

  async scramble(puzzle: string, how: Choice & { depth?: number; count?: number; seed?: number } = {}) {
    const drawn = await this.#desk.get<{ positions: string[] }>({ call: "scramble", puzzle, request: how });
    return drawn.positions;
  }

  apply: Engine["apply"] = (puzzle, position, moves, choice = {}) =>
    this.#desk.get({ call: "apply", puzzle, request: { position, moves, ...choice } });

  /** Cancelling ends the worker, since nothing else reaches it while it searches; its tables are built again when needed. */
  async *solve(job: Job, signal?: AbortSignal): AsyncGenerator<SolveEvent> {
    const assistant = this.#idle.pop() ?? new Assistant();
    const known = new Known();
    const replies: Reply[] = [];
    let wake = (): void => {};
    const abort = (): void => wake();
    signal?.addEventListener("abort", abort);
    assistant.ask({ call: "solve", request: job }, (reply) => {
      replies.push(reply);
      wake();
    });
    let over = false;
    try {
      while (!over) {
        const reply = replies.shift();
        if (reply && "event" in reply) {
          known.hear(reply.event);
          yield reply.event;
        } else if (reply) {
          over = true;
          if (!("end" in reply)) throw trouble(reply);
        } else if (signal?.aborted) {
          yield* known.rest(job);
          return;
        } else {
          await new Promise<void>((resolve) => (wake = resolve));
        }
      }
    } finally {
      signal?.removeEventListener("abort", abort);
      if (over && this.#idle.length < MOST_IDLE) this.#idle.push(assistant);
      else assistant.end();
    }
  }
}
