// The engine in this browser: one worker for short requests, and one worker for each running search.

import { ApiError, pickDetails } from "./engine";
import type { Answer, Engine, JobRequest, Progress, SolveEvent, Variant } from "./engine";
import type { WorkerReply, WorkerRequest } from "./worker";

type WithoutId<T> = T extends WorkerRequest ? Omit<T, "id"> : never;
type RequestBody = WithoutId<WorkerRequest>;
type ReplyHandler = (reply: WorkerReply) => void;

/** A worker that is started on demand, and replaced after a crash or a cancelled search. */
class WorkerClient {
  #worker: Worker | undefined;
  #handlers = new Map<number, ReplyHandler>();
  #lastId = 0;

  /** Sends a request; `onReply` receives every reply to it. */
  send(body: RequestBody, onReply: ReplyHandler): void {
    const id = ++this.#lastId;
    this.#handlers.set(id, onReply);
    this.#worker ??= this.#start();
    this.#worker.postMessage({ ...body, id });
  }

  /** Sends a request that has a single result. */
  request<T>(body: RequestBody): Promise<T> {
    return new Promise((resolve, reject) => {
      this.send(body, (reply) => {
        if ("end" in reply) resolve(reply.end as T);
        else reject(toError(reply));
      });
    });
  }

  /** Terminates the worker and drops all pending requests. The next request starts a new worker. */
  terminate(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#handlers.clear();
  }

  #start(): Worker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "untumble" });
    worker.onmessage = ({ data }: MessageEvent<WorkerReply>) => {
      const handler = this.#handlers.get(data.id);
      if (!("event" in data)) this.#handlers.delete(data.id);
      // A crash may have corrupted the memory of the engine.
      if ("failure" in data) this.#fail(data.failure);
      handler?.(data);
    };
    worker.onerror = (event) => this.#fail(event.message || "the solver could not be loaded");
    return worker;
  }

  #fail(failure: string): void {
    const pending = [...this.#handlers];
    this.terminate();
    for (const [id, handler] of pending) handler({ id, failure });
  }
}

function toError(reply: WorkerReply): ApiError {
  if ("problem" in reply) {
    const { status, title, detail, repairs } = reply.problem;
    return new ApiError(status, title, detail, repairs, pickDetails(reply.problem));
  }
  return new ApiError(500, "Internal error", "failure" in reply ? reply.failure : "");
}

/** Collects the events of a search, to report its state after the worker has been terminated. */
class EventLog {
  #progress: Progress | undefined;
  #best: { moves: string; length: number } | undefined;
  #position = 0;

  add(event: SolveEvent): void {
    if (event.event === "progress") this.#progress = event.data;
    if (event.event === "best") this.#best = event.data;
    if (event.event === "answer") {
      [this.#progress, this.#best] = [undefined, undefined];
      this.#position = event.data.position + 1;
    }
  }

  /** The last events of a cancelled search. */
  *finalEvents(job: JobRequest): Generator<SolveEvent> {
    const start = job.positions[this.#position];
    if (start !== undefined) yield { event: "answer", data: this.#answer(job, start) };
    yield { event: "done", data: { state: "cancelled" } };
  }

  #answer(job: JobRequest, start: string): Answer & { position: number } {
    const [progress, best] = [this.#progress, this.#best];
    const bound = progress?.bound ?? 0;
    const stages = progress?.stages ?? [];
    return {
      position: this.#position,
      puzzle: job.puzzle,
      start,
      solver: progress?.solver ?? job.solver ?? null,
      stages,
      // A portfolio does not report which of its stages is running.
      found_by: best && stages.length === 1 ? stages[0]! : null,
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

/** Idle workers keep their tables in memory for the next search; more than this many are terminated. */
const MAX_IDLE_WORKERS = 2;

export class LocalEngine implements Engine {
  readonly location = "browser";
  #queries = new WorkerClient();
  #idle: WorkerClient[] = [];

  puzzles: Engine["puzzles"] = () => this.#queries.request({ call: "puzzles" });

  describe: Engine["describe"] = (puzzle, variant = {}) =>
    this.#queries.request({ call: "describe", puzzle, request: variant });

  check: Engine["check"] = (puzzle, position, variant = {}) =>
    this.#queries.request({ call: "check", puzzle, request: { position, ...variant } });

  async scramble(puzzle: string, options: Variant & { depth?: number; count?: number; seed?: number } = {}) {
    const scrambled = await this.#queries.request<{ positions: string[] }>({
      call: "scramble",
      puzzle,
      request: options,
    });
    return scrambled.positions;
  }

  apply: Engine["apply"] = (puzzle, position, moves, variant = {}) =>
    this.#queries.request({ call: "apply", puzzle, request: { position, moves, ...variant } });

  /**
   * Cancelling terminates the worker, which cannot receive messages during a search; its tables are lost.
   */
  async *solve(job: JobRequest, signal?: AbortSignal): AsyncGenerator<SolveEvent> {
    const client = this.#idle.pop() ?? new WorkerClient();
    const log = new EventLog();
    const replies: WorkerReply[] = [];
    let wake = (): void => {};
    const onAbort = (): void => wake();
    signal?.addEventListener("abort", onAbort);
    client.send({ call: "solve", request: job }, (reply) => {
      replies.push(reply);
      wake();
    });
    let finished = false;
    try {
      while (!finished) {
        const reply = replies.shift();
        if (reply && "event" in reply) {
          log.add(reply.event);
          yield reply.event;
        } else if (reply) {
          finished = true;
          if (!("end" in reply)) throw toError(reply);
        } else if (signal?.aborted) {
          yield* log.finalEvents(job);
          return;
        } else {
          await new Promise<void>((resolve) => (wake = resolve));
        }
      }
    } finally {
      signal?.removeEventListener("abort", onAbort);
      if (finished && this.#idle.length < MAX_IDLE_WORKERS) this.#idle.push(client);
      else client.terminate();
    }
  }
}
