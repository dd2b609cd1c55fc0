import { expect, test, vi } from "vitest";
import { ApiError, type Engine, type ErrorDetails, type SolveEvent } from "../engine/engine";
import { reportedFailure, toFailure } from "./failure";
import { Search } from "./search.svelte";

const DETAILS: ErrorDetails = {
  code: "heuristic-too-large",
  pieces: [{ kind: "corner", name: "UFR", places: [8, 9, 20] }],
  alternatives: [{ kind: "solver", value: "walking" }],
};

const run = async (events: SolveEvent[]): Promise<Search> => {
  const search = new Search({ puzzle: "8-puzzle", positions: [""] }, () => {});
  const engine = {
    async *solve() {
      yield* events;
    },
  };
  await search.run(engine as unknown as Engine);
  return search;
};

test("an event with an error is a failure with its details, and other keys are left out", () => {
  const event = { state: "failed", error: "the table is too large", ...DETAILS };
  expect(reportedFailure(event)).toEqual({ message: "The table is too large.", details: DETAILS });
  expect(reportedFailure({})).toBeNull();
  expect(reportedFailure({ error: null })).toBeNull();
});

test("a failed request keeps its details, and an unexpected error is logged", () => {
  const problem = new ApiError(422, "Invalid", "no such solver", [], DETAILS);
  expect(toFailure(problem)).toEqual({ message: "No such solver.", details: DETAILS });
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  expect(toFailure(new TypeError("x"), "It failed.")).toEqual({ message: "It failed.", details: {} });
  expect(log).toHaveBeenCalledOnce();
  log.mockRestore();
});

test("a failed job ends the search with the error and its details", async () => {
  const search = await run([
    { event: "state", data: { state: "running" } },
    { event: "done", data: { state: "failed", error: "the table is too large", ...DETAILS } },
  ]);
  expect(search.state).toBe("failed");
  expect(search.failure).toEqual({ message: "The table is too large.", details: DETAILS });
});

test("the error of an unsolvable position stays after the job is done", async () => {
  const answer = { position: 0, moves: null, error: "no moves solve it", code: "wrong-parity" };
  const search = await run([
    { event: "answer", data: answer as unknown as Extract<SolveEvent, { event: "answer" }>["data"] },
    { event: "done", data: { state: "done" } },
  ]);
  expect(search.state).toBe("done");
  expect(search.failure).toEqual({ message: "No moves solve it.", details: { code: "wrong-parity" } });
});
