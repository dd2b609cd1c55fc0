import { beforeEach, expect, test } from "vitest";
import { ApiError, type JobRequest, type SolveEvent } from "./engine";
import { LocalEngine } from "./local";
import type { WorkerReply, WorkerRequest } from "./worker";

/** A worker whose replies the test sends. */
class FakeWorker {
  static instances: FakeWorker[] = [];
  onmessage: (event: { data: WorkerReply }) => void = () => {};
  onerror: (event: { message: string }) => void = () => {};
  requests: WorkerRequest[] = [];
  terminated = false;

  constructor() {
    FakeWorker.instances.push(this);
  }

  postMessage(request: WorkerRequest): void {
    this.requests.push(request);
  }

  terminate(): void {
    this.terminated = true;
  }

  /** Replies to the last request. */
  reply(reply: { event: SolveEvent } | { end: unknown } | { problem: object } | { failure: string }): void {
    this.onmessage({ data: { ...reply, id: this.requests.at(-1)?.id ?? 0 } as WorkerReply });
  }
}

beforeEach(() => {
  FakeWorker.instances = [];
  Object.assign(globalThis, { Worker: FakeWorker });
});

const job: JobRequest = { puzzle: "24-puzzle", positions: ["a", "b"], solver: "auto" };
const progress = {
  position: 1,
  solver: "beam",
  stages: ["beam"],
  bound: 70,
  nodes: 9,
  nodes_per_second: 9,
  seconds: 1,
  best: 90,
};

function worker(index = 0): FakeWorker {
  const started = FakeWorker.instances[index];
  if (!started) throw new Error("no worker was started");
  return started;
}

test("a problem reply rejects with an ApiError", async () => {
  const described = new LocalEngine().describe("no-puzzle");
  worker().reply({ problem: { status: 404, title: "Not found", detail: "there is no puzzle" } });
  await expect(described).rejects.toEqual(new ApiError(404, "Not found", "there is no puzzle"));
});

test("a crash rejects all pending requests, and the next request starts a new worker", async () => {
  const engine = new LocalEngine();
  const [first, second] = [engine.puzzles(), engine.puzzles()];
  worker().reply({ failure: "unreachable" });
  await expect(first).rejects.toThrow("unreachable");
  await expect(second).rejects.toThrow("unreachable");
  expect(worker().terminated).toBe(true);
  const third = engine.puzzles();
  worker(1).reply({ end: [] });
  await expect(third).resolves.toEqual([]);
});

test("a cancelled search ends with the best solution and the bound reported so far", async () => {
  const controller = new AbortController();
  const events = new LocalEngine().solve(job, controller.signal);
  const first = events.next();
  worker().reply({ event: { event: "answer", data: { position: 0 } as never } });
  await first;
  worker().reply({ event: { event: "best", data: { position: 1, moves: "U L", length: 90 } } });
  worker().reply({ event: { event: "progress", data: progress } });
  controller.abort();
  const remaining = [];
  for await (const event of events) remaining.push(event);
  expect(remaining.map(({ event }) => event)).toEqual(["best", "progress", "answer", "done"]);
  expect(remaining[2]?.data).toMatchObject({
    position: 1,
    start: "b",
    outcome: "stopped",
    moves: "U L",
    length: 90,
    lower_bound: 70,
    optimal: false,
    stop: "interrupted",
    stages: ["beam"],
    found_by: "beam",
  });
  expect(remaining[3]?.data).toMatchObject({ state: "cancelled" });
  expect(worker().terminated).toBe(true);
});

test("concurrent searches have separate workers, and idle workers are reused", async () => {
  const engine = new LocalEngine();
  const end = async (events: AsyncGenerator<SolveEvent>, index: number) => {
    const last = events.next();
    worker(index).reply({ end: null });
    return (await last).done;
  };
  const [one, two] = [engine.solve(job), engine.solve(job)];
  const pending = [one.next(), two.next()];
  expect(FakeWorker.instances.length).toBe(2);
  worker(0).reply({ end: null });
  worker(1).reply({ end: null });
  expect((await Promise.all(pending)).map(({ done }) => done)).toEqual([true, true]);
  expect(await end(engine.solve(job), 1)).toBe(true);
  expect(FakeWorker.instances.length).toBe(2);
  expect(FakeWorker.instances.some(({ terminated }) => terminated)).toBe(false);
});
