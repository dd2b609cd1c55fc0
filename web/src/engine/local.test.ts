import { beforeEach, expect, test } from "vitest";
import { Problem, type Job, type SolveEvent } from "./engine";
import { Local } from "./local";
import type { Ask, Reply } from "./worker";

/** A worker that does what the test says. */
class Fake {
  static all: Fake[] = [];
  onmessage: (event: { data: Reply }) => void = () => {};
  onerror: (event: { message: string }) => void = () => {};
  asked: Ask[] = [];
  ended = false;

  constructor() {
    Fake.all.push(this);
  }

  postMessage(ask: Ask): void {
    this.asked.push(ask);
  }

  terminate(): void {
    this.ended = true;
  }

  /** Answers the last request. */
  reply(reply: { event: SolveEvent } | { end: unknown } | { problem: object } | { failure: string }): void {
    this.onmessage({ data: { ...reply, id: this.asked.at(-1)?.id ?? 0 } as Reply });
  }
}

beforeEach(() => {
  Fake.all = [];
  Object.assign(globalThis, { Worker: Fake });
});

const job: Job = { puzzle: "24-puzzle", positions: ["a", "b"], solver: "auto" };
const progress = { position: 1, solver: "beam", bound: 70, nodes: 9, nodes_per_second: 9, seconds: 1, best: 90 };

function worker(place = 0): Fake {
  const fake = Fake.all[place];
  if (!fake) throw new Error("no worker was started");
  return fake;
}

test("what is wrong with a request is a problem", async () => {
  const described = new Local().describe("no-puzzle");
  worker().reply({ problem: { status: 404, title: "Not found", detail: "there is no puzzle" } });
  await expect(described).rejects.toEqual(new Problem(404, "Not found", "there is no puzzle"));
});

test("after a failure another worker answers", async () => {
  const local = new Local();
  const [first, second] = [local.puzzles(), local.puzzles()];
  worker().reply({ failure: "unreachable" });
  await expect(first).rejects.toThrow("unreachable");
  await expect(second).rejects.toThrow("unreachable");
  expect(worker().ended).toBe(true);
  const third = local.puzzles();
  worker(1).reply({ end: [] });
  await expect(third).resolves.toEqual([]);
});

test("a search that is cancelled ends at once, with what was told before", async () => {
  const control = new AbortController();
  const events = new Local().solve(job, control.signal);
  const first = events.next();
  worker().reply({ event: { event: "answer", data: { position: 0 } as never } });
  await first;
  worker().reply({ event: { event: "best", data: { position: 1, moves: "U L", length: 90 } } });
  worker().reply({ event: { event: "progress", data: progress } });
  control.abort();
  const rest = [];
  for await (const told of events) rest.push(told);
  expect(rest.map(({ event }) => event)).toEqual(["best", "progress", "answer", "done"]);
  expect(rest[2]?.data).toMatchObject({
    position: 1,
    start: "b",
    outcome: "stopped",
    moves: "U L",
    length: 90,
    lower_bound: 70,
    optimal: false,
    stop: "interrupted",
  });
  expect(rest[3]?.data).toMatchObject({ state: "cancelled" });
  expect(worker().ended).toBe(true);
});

test("searches beside each other have workers of their own, and one that is done is used again", async () => {
  const local = new Local();
  const end = async (events: AsyncGenerator<SolveEvent>, place: number) => {
    const last = events.next();
    worker(place).reply({ end: null });
    return (await last).done;
  };
  const [one, two] = [local.solve(job), local.solve(job)];
  const pending = [one.next(), two.next()];
  expect(Fake.all.length).toBe(2);
  worker(0).reply({ end: null });
  worker(1).reply({ end: null });
  expect((await Promise.all(pending)).map(({ done }) => done)).toEqual([true, true]);
  expect(await end(local.solve(job), 1)).toBe(true);
  expect(Fake.all.length).toBe(2);
  expect(Fake.all.some(({ ended }) => ended)).toBe(false);
});
