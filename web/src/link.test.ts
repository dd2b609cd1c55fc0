import { describe, expect, test } from "vitest";
import type { Description } from "./engine/engine";
import { NOWHERE, readLink, writeLink } from "./link";
import { readSolver, writeSolver } from "./solver";
import { counted, lasting, sentence, several, short, sized } from "./words";

test.each([
  { ...NOWHERE, puzzle: "15-puzzle" },
  { ...NOWHERE, puzzle: "tiles-3x3", position: "8 6 7 2 5 4 3 0 1", solvers: ["astar:w=1.5+linear-conflict"] },
  { ...NOWHERE, puzzle: "cube3", position: "UUUU.", moves: "RU2F'", step: 3, hold: "DF", metric: "qtm" },
  { ...NOWHERE, view: "compare" as const, puzzle: "8-puzzle", solvers: ["bfs", "ida+manhattan"], count: 20, seed: 7 },
  { ...NOWHERE, puzzle: "tiles-3x3", goal: "1 2 3/4 0 5/6 7 8" },
])("a link says again what it was made from: $puzzle $position", (link) => {
  const address = writeLink(link);
  expect(address).not.toMatch(/[\s+]/);
  expect(readLink(address)).toEqual(link);
});

test("nonsense behind the # is no link", () => {
  for (const hash of ["", "#", "#/", "#/%E0%A4%A", "#///", "#?x=%zz"]) expect(readLink(hash).puzzle, hash).toBeNull();
  expect(readLink("#/15-puzzle?step=-4&count=x").step).toBe(0);
  expect(readLink("#/15-puzzle?step=-4&count=x").count).toBeNull();
});

describe("solvers", () => {
  const algorithm = (name: string, heuristic: boolean, ...options: [string, string | null][]) => ({
    name, what: "", promise: "shortest", heuristic,
    options: options.map(([name, usual]) => ({
      name, what: "", values: "", default: usual, kind: { type: "integer" as const, min: 0, max: 9 },
    })),
  });
  const description = {
    algorithms: [algorithm("bfs", false), algorithm("astar", true, ["w", "1"]), algorithm("beam", true, ["width", "1000"], ["seed", "0"])],
  } as unknown as Description;

  test.each(["bfs", "auto", "astar+manhattan", "astar:w=1.5+max(walking,pdb:7-8)", "beam:width=50,seed=3+learned"])("%s", (text) => {
    expect(writeSolver(readSolver(text), description)).toBe(text);
  });

  test("what an algorithm does not take is left out, and so are defaults", () => {
    expect(writeSolver(readSolver("bfs:w=2+manhattan"), description)).toBe("bfs");
    expect(writeSolver(readSolver("beam:width=1000,seed=1"), description)).toBe("beam:seed=1");
  });
});

test("figures are told as people read them", () => {
  expect([counted(1234567), several(1, "move"), several(1000, "node")]).toEqual(["1,234,567", "1 move", "1,000 nodes"]);
  expect([0, 999, 1000, 12345, 999999, 4.2e9].map(short)).toEqual(["0", "999", "1.0 k", "12 k", "1.0 M", "4.2 G"]);
  expect([0.00012, 0.0123, 0.25, 3.21, 42.4, 61, 3600].map(lasting)).toEqual(
    ["0.12 ms", "12 ms", "0.25 s", "3.2 s", "42 s", "1 min 1 s", "60 min 0 s"],
  );
  expect([100, 2048, 5 * 1024 * 1024].map(sized)).toEqual(["100 B", "2.0 kB", "5.0 MB"]);
  expect([sentence("item 7: wrong"), sentence("`x` is no move"), sentence("Done!"), sentence(" ")]).toEqual(
    ["Item 7: wrong.", "`x` is no move.", "Done!", ""],
  );
});
