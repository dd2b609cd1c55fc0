import { describe, expect, test } from "vitest";
import type { Description } from "./engine/engine";
import { methodLabel, methodName, portfolioName } from "./solver-names";
import { formatSolver, parseSolver } from "./solver-spec";

describe("solver specifications", () => {
  const algorithm = (name: string, heuristic: boolean, ...options: [string, string | null][]) => ({
    name,
    what: "",
    guarantee: "optimal",
    heuristic,
    options: options.map(([name, defaultValue]) => ({
      name,
      what: "",
      values: "",
      default: defaultValue,
      kind: { type: "integer" as const, min: 0, max: 9 },
    })),
  });
  const description = {
    algorithms: [
      algorithm("bfs", false),
      algorithm("astar", true, ["w", "1"]),
      algorithm("beam", true, ["width", "1000"], ["seed", "0"]),
    ],
  } as unknown as Description;

  test.each([
    "bfs",
    "auto",
    "astar+manhattan",
    "astar:w=1.5+max(walking,pdb:7-8)",
    "beam:width=50,seed=3+learned",
  ])("formatting restores %s", (text) => {
    expect(formatSolver(parseSolver(text), description)).toBe(text);
  });

  test("formatting drops unknown options, unused heuristics and default values", () => {
    expect(formatSolver(parseSolver("bfs:w=2+manhattan"), description)).toBe("bfs");
    expect(formatSolver(parseSolver("beam:width=1000,seed=1"), description)).toBe("beam:seed=1");
  });
});

describe("solver names", () => {
  test.each([
    ["parida+pdb:6-6-3", "parallel IDA* with a pattern database"],
    ["ida+pdb:7-8", "IDA* with a pattern database"],
    ["astar+manhattan", "A* with Manhattan distance"],
    ["astar:w=2+linear-conflict", "weighted A* with linear conflicts"],
    ["two-phase", "Kociemba's two-phase algorithm"],
    ["beam:width=1000+learned", "beam search with a trained heuristic"],
    ["ida+max(walking,pdb:7-8)", "IDA* with the maximum of walking distance and a pattern database"],
    ["new-algorithm+new-heuristic", "new-algorithm with new-heuristic"],
  ])("%s is %s", (solver, name) => {
    expect(methodName(solver)).toBe(name);
  });

  test("labels tell solvers apart that differ in their options", () => {
    expect(methodLabel("beam:width=1000")).toBe("Beam search (width 1000)");
    expect(methodLabel("astar:w=2+manhattan")).toBe("Weighted A* (weight 2) with Manhattan distance");
    expect(methodLabel("parida+pdb:6-6-3")).toBe("Parallel IDA* with a pattern database (6-6-3)");
  });

  test("a portfolio has one stage or several", () => {
    const stages = ["ida+max(walking,pdb:7-8)", "beam:width=100+learned"];
    expect(portfolioName(stages)).toBe("several methods in turn");
    expect(portfolioName(stages.slice(1))).toBe("beam search with a trained heuristic");
  });
});
