import { render } from "svelte/server";
import { expect, test } from "vitest";
import type { Answer, ErrorDetails, Progress } from "../engine/engine";
import { sessionContext } from "../state/context";
import type { Failure } from "../state/failure";
import type { Session } from "../state/session.svelte";
import { CubeRules } from "../puzzles/cube";
import { STANDARD_ORIENTATION } from "../puzzles/orientation";
import ErrorMessage from "./ErrorMessage.svelte";
import ResultPanel from "./ResultPanel.svelte";

/** The text of the markup, without tags, comments and repeated blanks. */
const textOf = (body: string): string =>
  body
    .replace(/<!--.*?-->/gs, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();

interface FakeSearch {
  running?: boolean;
  answer?: Partial<Answer>;
  progress?: Partial<Progress>;
  failure?: Failure;
}

function showResult({ running = false, answer, progress, failure }: FakeSearch): string {
  const search = {
    running,
    state: "done",
    samples: [],
    answer: answer
      ? { outcome: "solved", length: 31, optimal: true, lower_bound: 31, generated: 9, seconds: 1, stop: null,
          table_seconds: 0, peak_bytes: 0, threads: 1, ...answer }
      : null,
    progress: progress
      ? { bound: 20, nodes: 9, nodes_per_second: 9, seconds: 1, best: null, ...progress }
      : null,
    failure: failure ?? null,
  }; // prettier-ignore
  const session = { search, shorterSolution: null, rules: null } as unknown as Session;
  return textOf(render(ResultPanel, { context: sessionContext(session) }).body);
}

test("a running portfolio is named in words, with its solvers in the details", () => {
  const text = showResult({ running: true, progress: { stages: ["beam+learned", "ida+walking"] } });
  expect(text).toContain("Running several methods in turn beam+learned ida+walking");
  expect(showResult({ running: true, progress: { stages: ["ida+walking"] } })).toContain(
    "Running IDA* with walking distance ida+walking",
  );
});

test("an answer credits the stage that found it and the stage that proved it", () => {
  const stages = ["beam+learned", "ida+walking"];
  const [beam, ida] = stages as [string, string];
  expect(showResult({ answer: { stages, found_by: ida, solver: ida } })).toContain(
    "Found by IDA* with walking distance ida+walking",
  );
  expect(showResult({ answer: { stages, found_by: beam, solver: ida } })).toContain(
    "Found by beam search with a trained heuristic, proven optimal by IDA* with walking distance",
  );
  const unproven = { stages, found_by: beam, solver: ida, optimal: false, lower_bound: 20 };
  expect(showResult({ answer: unproven })).not.toContain("proven");
  const unsolved = { stages, found_by: null, solver: ida, length: null, optimal: false };
  expect(showResult({ answer: unsolved })).toContain("Searched with several methods in turn");
  expect(showResult({ answer: { stages, found_by: null, solver: null, length: null } })).not.toContain(
    "methods",
  );
});

test("the preparation of a table is shown with its share and the time left", () => {
  const progress = { stages: ["ida+pdb:7-8"], what: "building pattern database 7-8", share: 0.43 };
  expect(showResult({ running: true, progress })).toMatch(/Building pattern database 7-8: 43 %(?!,)/);
  expect(showResult({ running: true, progress: { ...progress, left: 11.2 } })).toContain(
    "Building pattern database 7-8: 43 %, 12 s left",
  );
});

test("a failed job shows its message and the accepted values", () => {
  const details: ErrorDetails = {
    code: "heuristic-too-large",
    alternatives: [
      { kind: "solver", value: "walking" },
      { kind: "solver", value: "manhattan" },
    ],
  };
  expect(showResult({ failure: { message: "The tables are too large.", details } })).toContain(
    "The tables are too large. Accepted instead: walking, manhattan",
  );
});

test("an error names pieces, goals and the faulty part of the text", () => {
  const show = (details: ErrorDetails, text: string | null = null): string => {
    const session = {
      rules: new CubeRules(3),
      orientation: STANDARD_ORIENTATION,
      solver: "ida+pbd",
    } as unknown as Session;
    const props = { message: "the message", details, text };
    return textOf(render(ErrorMessage, { props, context: sessionContext(session) }).body);
  };
  const pieces: ErrorDetails["pieces"] = [{ kind: "corner", name: "UFR", places: [8, 9, 20], found: "DRF" }];
  expect(show({ code: "no-such-corner", pieces })).toBe(
    "The corner at top-front-right has the colours yellow, red, green; no corner has these colours.",
  );
  const alternatives: ErrorDetails["alternatives"] = [{ kind: "goal", value: "blank-first" }];
  expect(show({ code: "wrong-parity", alternatives })).toBe(
    "The message. It can be solved with the goal “blank first”.",
  );
  expect(show({ span: [2, 3], span_in: "position" }, "1 x 3")).toBe("The message. 1 x 3");
  expect(show({ span: [4, 7], span_in: "solver" }, "1 x 3")).toBe("The message. ida+ pbd");
  expect(show({ span: [2, 3], span_in: "moves" }, "1 x 3")).toBe("The message.");
});
