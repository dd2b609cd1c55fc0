// Compares the browser engine (web/pkg) with the program: same answers, same messages.
//
//   UNTUMBLE=target/release/untumble node --test crates/wasm/tests/engine.mjs
//
// `scripts/build-wasm --restore` puts the engine into web/pkg. With UNTUMBLE_TIMING, which ./accept sets,
// times are checked as well.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

const pkg = new URL("../../../web/pkg/", import.meta.url);
const program = process.env.UNTUMBLE;
const timing = Boolean(process.env.UNTUMBLE_TIMING);
assert.ok(program, "set UNTUMBLE to the program to compare with");
const engine = await import(new URL("untumble.js", pkg));

const cache = mkdtempSync(join(tmpdir(), "untumble-"));
after(() => rmSync(cache, { recursive: true, force: true }));
before(() => engine.default({ module_or_path: readFileSync(new URL("untumble_bg.wasm", pkg)) }));

/** Runs the program with these arguments. */
function run(...args) {
  const options = { env: { ...process.env, UNTUMBLE_CACHE: cache }, maxBuffer: 1 << 26 };
  const outputs = (resolve) => (_, stdout, stderr) => resolve({ stdout, stderr });
  return new Promise((resolve) => execFile(program, args, options, outputs(resolve)));
}

/** The events of a search; `cancel` receives each event and cancels the search by returning true. */
function solve(request, cancel = () => false) {
  const events = [];
  engine.solve(JSON.stringify(request), (text) => {
    events.push(JSON.parse(text));
    return cancel(events.at(-1));
  });
  return events;
}

const answers = (events) => events.filter(({ event }) => event === "answer").map(({ data }) => data);

/** The problem that a call throws. */
function problem(call) {
  try {
    call();
  } catch (thrown) {
    assert.equal(typeof thrown, "string", `not a problem: ${thrown}`);
    return JSON.parse(thrown);
  }
  return { detail: "no problem was thrown" };
}

// The last column tells whether node counts agree: `auto` may choose by the tables that it finds, and the
// engine and the program may find different ones.
const positions = [
  ["8-puzzle", "8 6 7 2 5 4 3 0 1", "auto", true],
  ["8-puzzle", "6 4 7 8 5 0 3 2 1", "bfs", true],
  ["8-puzzle", "6 4 7 8 5 0 3 2 1", "table", true],
  ["8-puzzle", "6 4 7 8 5 0 3 2 1", "parbfs", true],
  ["8-puzzle", "6 4 7 8 5 0 3 2 1", "bibfs", true],
  ["tiles-3x4", "0 1 2 9 4 3 5 11 6 10 8 7", "auto", true],
  ["tiles-3x5", "6 10 14 5 1 2 8 3 9 11 4 0 12 7 13", "auto", true],
  ["15-puzzle", "0 3 6 8 2 12 9 4 5 1 11 15 14 7 13 10", "ida+manhattan", true],
  ["15-puzzle", "10 12 2 9 7 8 13 5 0 1 3 4 6 15 14 11", "parida+pdb:6-6-3", true],
  ["15-puzzle", "3 15 0 4 7 1 5 12 10 13 6 9 11 14 8 2", "ida+pdb:5-5-5", true],
  ["15-puzzle", "3 15 0 4 7 1 5 12 10 13 6 9 11 14 8 2", "ida+max(walking,linear-conflict)", true],
  ["15-puzzle", "15 7 10 14 0 12 2 9 8 11 1 13 3 6 5 4", "auto", false],
  ["24-puzzle", "12 2 5 15 16 0 3 19 11 7 17 8 13 6 20 21 14 24 22 10 1 4 9 23 18", "beam:width=300+learned", true],
  ["tiles-6x6", "27 13 0 14 33 10 8 6 29 22 23 11 3 4 16 24 20 19 34 1 2 9 18 26 28 17 5 35 25 32 30 7 15 12 21 31", "layers", true],
  ["cube2", "BFRBRUDFFURRBFDLUULDLLDB", "auto", true],
  ["cube2", "UUFDLRFBRFRUBLDLRDLDBFUB", "ida+tiny", true],
  ["cube2", "DLFRUDLFRBFULBDRRDLUFBUB", "parastar+full", true],
  ["cube3", "R U2 F' L D2 B R'", "auto", true],
  ["cube3", "LUBDUBLLDBLRURFLUBUFLRFBDDDFFFRDLRFUBBFLLBUDRDRUUBDRRF", "two-phase:tables=small", true],
  ["cube3", "UFBUULRBFLDRRRBULFFRUBFFLUBDRLFDBDDLBFULLURDBDLRDBUDRF", "two-phase", true],
  ["balto-2", "4 3 2 1 6 5 0", "auto", true],
  ["balto-3", "1A4D2B6E3C5F1B4A", "auto", true],
  ["balto-3", "1 2 7 8 0 12 9 4 18 10 16 17 13 5 15 14 11 3 6", "beam:width=300+learned", true],
  ["balto-6", "1A4D2B6E3C5F1B4A2C6A", "beam:width=50+closed", true],
];

for (const [puzzle, position, solver, sameCounts] of positions) {
  test(`${puzzle} with ${solver}: ${position}`, async () => {
    const limits = { memory: 1 << 30, threads: 1 };
    const [actual] = answers(solve({ puzzle, position, solver, limits }));
    const flags = ["--with", solver, "--memory", "1G", "--threads", "1", "--json", "--progress", "none"];
    const expected = JSON.parse((await run("solve", puzzle, position, ...flags)).stdout);
    assert.equal(actual.outcome, "solved");
    const keys = ["puzzle", "start", "outcome", "length", "optimal", "lower_bound", "threads"];
    const counts = ["generated", "expanded", "visited", "peak_open", "iterations"];
    if (sameCounts) keys.push("solver", "moves", ...counts);
    const compared = (answer) => Object.fromEntries(keys.map((key) => [key, answer[key]]));
    assert.deepEqual(compared(actual), compared(expected));
  });
}

test("an answer has the keys of the program's JSON line, in the same order", async () => {
  const start = "8 6 7 2 5 4 3 0 1";
  // A job's answer also tells its place and the stages of the portfolio.
  const [{ position, stages, found_by, ...actual }] = answers(
    solve({ puzzle: "8-puzzle", position: start, all: true }),
  );
  const expected = JSON.parse((await run("solve", "8-puzzle", start, "--all", "--json")).stdout);
  assert.equal(position, 0);
  assert.ok(stages.includes(found_by), `${stages} and ${found_by}`);
  assert.deepEqual(Object.keys(actual), Object.keys(expected));
  assert.deepEqual(actual.solutions, expected.solutions);
});

test("problems have the program's messages", async () => {
  const solved = { position: "1 2 3 4 5 6 7 8 0" };
  const check = (puzzle, position) => engine.check(puzzle, JSON.stringify({ position }));
  const solveWith = (solver) => (puzzle) => solve({ puzzle, ...solved, solver });
  const cases = [
    [["8-puzzle", "1 2 3 4 5 6 8 7 7"], check],
    [["8-puzzle", "1 2 3 4 5 6 8 7"], check],
    [["cube3", "R U X"], check],
    [["cube2", "RRRRRRRRRRRRRRRRRRRRRRRR"], check],
    [["9-puzzle", "1"], (p) => engine.describe(p, "{}")],
    [["tile-4x4", "1"], (p) => engine.describe(p, "{}")],
    [["tiles-3x99", "1"], (p) => engine.describe(p, "{}")],
    [["8-puzzle", "", "--goal", "nowhere"], (p) => engine.describe(p, '{"goal":"nowhere"}')],
    [["cube2", "", "--metric", "miles"], (p) => engine.describe(p, '{"metric":"miles"}')],
    [["8-puzzle", "123456780", "--with", "bfx"], solveWith("bfx")],
    [["8-puzzle", "123456780", "--with", "ida+manhatan"], solveWith("ida+manhatan")],
  ];
  for (const [args, call] of cases) {
    const { stderr } = await run("solve", ...args);
    // The program appends the flag or the command that helps.
    const { detail, code } = problem(() => call(...args));
    assert.ok(stderr.trim().startsWith(`error: ${detail}`), `${args.join(" ")}: ${stderr} and ${detail}`);
    assert.match(code, /^[a-z-]+$/, args.join(" "));
  }
});

test("invalid options are rejected before the search, with the program's messages", async () => {
  const cases = [
    ["balto-3", "1A1", "ida:raise=maybe+torus"],
    ["8-puzzle", "R", "astar:w=0.5"],
    ["8-puzzle", "R", "dfs:depth=deep"],
    ["24-puzzle", "R", "beam:width=0+learned"],
    ["cube3", "R U", "two-phase:tables=huge"],
  ];
  for (const [puzzle, position, solver] of cases) {
    const { status, detail } = problem(() => solve({ puzzle, position, solver }));
    const { stderr } = await run("solve", puzzle, position, "--with", solver);
    assert.deepEqual([status, `error: ${detail}`], [400, stderr.trim()], solver);
  }
});

test("errors of the preparation fail the job with the program's message", async () => {
  const events = solve({ puzzle: "cube3", position: "R U", solver: "ida+edges:9" });
  const { stderr } = await run("solve", "cube3", "R U", "--with", "ida+edges:9");
  const error = stderr.trim().replace("error: ", "");
  const { state, answers, error: actual, code } = events.at(-1).data;
  assert.deepEqual([state, answers, actual, code], ["failed", 0, error, "argument-invalid"]);
});

test("an unsolvable position is an answer with the program's reason", async () => {
  const position = "1 2 3 4 5 6 8 7 0";
  const [actual] = answers(solve({ puzzle: "8-puzzle", position }));
  const expected = JSON.parse((await run("solve", "8-puzzle", position, "--json")).stdout);
  const { outcome, code, alternatives, error } = actual;
  assert.deepEqual([outcome, code, alternatives], ["unsolvable", expected.code, expected.alternatives]);
  assert.ok(expected.error.startsWith(error), `${expected.error} and ${error}`);
  const checked = JSON.parse(engine.check("8-puzzle", JSON.stringify({ position })));
  assert.deepEqual([checked.outcome, checked.reason], ["unsolvable", error]);
});

test("the list of puzzles and seeded scrambles agree with the program", async () => {
  assert.deepEqual(JSON.parse(engine.puzzles()), JSON.parse((await run("list", "puzzles", "--json")).stdout));
  for (const puzzle of ["15-puzzle", "cube2", "cube3", "balto-5"]) {
    const { positions, seed } = JSON.parse(engine.scramble(puzzle, '{"count":3}', 7));
    const { stdout } = await run("scramble", puzzle, "--as", "position", "--count", "3", "--seed", "7");
    assert.deepEqual([positions, seed], [stdout.trim().split("\n"), 7], puzzle);
  }
});

test("the presets of every described puzzle solve", () => {
  const scrambles = {
    "8-puzzle": "D R",
    "15-puzzle": "D R",
    cube2: "R U",
    cube3: "R U",
    "balto-3": "1A",
  };
  for (const [puzzle, moves] of Object.entries(scrambles)) {
    const { puzzle: title, presets, solved } = JSON.parse(engine.describe(puzzle, "{}"));
    const { end: start } = JSON.parse(engine.apply(puzzle, JSON.stringify({ position: solved, moves })));
    assert.ok(presets.length > 0, title);
    for (const { solver } of presets.slice(0, 2)) {
      const [answer] = answers(solve({ puzzle, position: start, solver, limits: { time: 20 } }));
      assert.ok(answer.moves, `${title} with ${solver}`);
    }
  }
});

test("the hardest pocket cubes are solved in less than 10 ms once the table is built", () => {
  const hardest = ["BFRBRUDFFURRBFDLUULDLLDB", "DBUULUFLFBFDURDDRLLRRBFB"];
  solve({ puzzle: "cube2", position: hardest[0] });
  const times = Array.from({ length: 10 }, (_, turn) => {
    const start = performance.now();
    const [{ length, optimal }] = answers(solve({ puzzle: "cube2", position: hardest[turn % 2] }));
    assert.deepEqual([length, optimal], [11, true]);
    return performance.now() - start;
  }).sort((a, b) => a - b);
  console.log(`hardest pocket cubes: ${times.map((time) => time.toFixed(2)).join(" ")} ms`);
  // The median, because other load may delay single searches.
  assert.ok(!timing || times[5] < 10, `${times[5]} ms`);
});

test("events arrive in order, and solutions improve", () => {
  const position = "12 2 5 15 16 0 3 19 11 7 17 8 13 6 20 21 14 24 22 10 1 4 9 23 18";
  const easy = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 0 24";
  const events = solve({ puzzle: "24-puzzle", positions: [position, easy], limits: { time: 1.5 } });
  const names = events.map(({ event }) => event);
  assert.equal(names[0], "state");
  assert.equal(names.at(-1), "done");
  assert.ok(names.includes("progress"));
  const isBest = ({ event, data }) => event === "best" && data.position === 0;
  const bests = events.filter(isBest).map(({ data }) => data);
  assert.ok(bests.length > 1 && bests.every(({ length }, i) => i === 0 || length < bests[i - 1].length));
  const [first, second] = answers(events);
  assert.deepEqual([first.moves, first.stop], [bests.at(-1).moves, "time"]);
  assert.deepEqual([second.position, second.moves], [1, "L"]);
  assert.deepEqual(events.at(-1).data, { state: "done", answers: 2 });
});

test("cancelling ends the search within 0.2 s and keeps the incumbent", () => {
  const position = "12 2 5 15 16 0 3 19 11 7 17 8 13 6 20 21 14 24 22 10 1 4 9 23 18";
  let cancelled;
  const events = solve({ puzzle: "24-puzzle", positions: [position, position] }, ({ event, data }) => {
    if (cancelled === undefined && event === "progress" && data.best) cancelled = performance.now();
    return cancelled !== undefined;
  });
  const elapsed = performance.now() - cancelled;
  assert.ok(!timing || elapsed < 200, `${elapsed} ms`);
  const [answer] = answers(events);
  assert.deepEqual([answer.outcome, answer.stop], ["stopped", "interrupted"]);
  assert.ok(answer.moves && answer.lower_bound > 0);
  assert.deepEqual(events.at(-1).data, { state: "cancelled", answers: 1 });
});

test("searches beyond the memory limit stop without breaking the engine", () => {
  const puzzle = "24-puzzle";
  const position = "12 2 5 15 16 0 3 19 11 7 17 8 13 6 20 21 14 24 22 10 1 4 9 23 18";
  for (const solver of ["ida+pdb:8-8-8", "beam:width=100000000+manhattan", "parbfs"]) {
    const [answer] = answers(solve({ puzzle, position, solver, limits: { memory: 64 << 20 } }));
    assert.deepEqual([answer.outcome, answer.stop], ["stopped", "memory"], solver);
  }
  const [answer] = answers(solve({ puzzle, position, solver: "ida+pdb:8-8-8", limits: { memory: 1e15 } }));
  assert.equal(answer.stop, "memory");
});

test("no request breaks the engine", () => {
  // Lehmer's generator (Park & Miller 1988) with a fixed seed, so that failures are reproducible.
  let state = 1;
  const below = (count) => (state = (state * 48271) % 2147483647) % count;
  const pick = (from) => from[below(from.length)];
  const texts = [
    ...["", "{}", "[]", "null", "1", '"', "8-puzzle", "cube3", "balto-3", "balto-41", "tiles-64x64", "auto"],
    ...["1 2 3 4 5 6 7 8 0", "R U R'", "1A", "\u0000", "💠", "9".repeat(400), "(".repeat(300), "max(".repeat(50)],
    ...["ida+max(manhattan,", "beam:width=1", "learned:x"],
  ];
  const values = [...texts, 0, -1, 1e308, 2 ** 53, null, true, [], {}, ["1 2 3 4 5 6 7 8 0", "x"]];
  const keys = [
    ...["puzzle", "position", "positions", "moves", "goal", "metric", "solver", "as", "depth", "count", "seed"],
    ...["all", "max_length", "limits"],
  ];
  for (let turn = 0; turn < 3000; turn++) {
    const fields = Object.fromEntries(Array.from({ length: below(5) }, () => [pick(keys), pick(values)]));
    const limits = { nodes: 1000, time: 0.1 };
    const request = below(4) ? JSON.stringify({ puzzle: pick(texts), ...fields, limits }) : pick(texts);
    const plain = below(4) ? JSON.stringify(fields) : pick(texts);
    const puzzle = below(2) ? pick(texts) : pick(["8-puzzle", "cube2", "cube3", "balto-3"]);
    for (const call of [
      () => engine.solve(request, () => false),
      () => engine[pick(["describe", "check", "apply"])](puzzle, plain),
      () => engine.scramble(puzzle, plain, 1),
    ]) {
      try {
        call();
      } catch (thrown) {
        assert.equal(typeof thrown, "string", `${thrown} after ${request} and ${puzzle} ${plain}`);
        assert.ok(JSON.parse(thrown).detail);
      }
    }
  }
});
