// What solves for the page: a service that is asked over HTTP, or the same engine in this browser.
//
// Both speak the JSON of the API, so the page never knows which of the two it talks to.

/** A family of puzzles, as `GET /puzzles` lists it. */
export interface Family {
  name: string;
  what: string;
  aliases: string[];
  moves: string;
  goals: string[];
  metrics: string[];
  example: string;
  position: string;
}

/** What a drawing needs to know of a puzzle. */
export type Shape =
  | { kind: "tiles"; rows: number; columns: number }
  | { kind: "cube"; size: number }
  | { kind: "balto"; side: number };

/** What an option of an algorithm takes. */
export type OptionKind =
  | { type: "choice"; values: string[] }
  | { type: "integer"; min: number; max: number }
  | { type: "number"; min: number; max: number; decimals: number };

export interface AlgorithmOption {
  name: string;
  what: string;
  values: string;
  default: string | null;
  kind: OptionKind;
}

export interface Algorithm {
  name: string;
  what: string;
  promise: string;
  /** Whether it takes a heuristic. */
  heuristic: boolean;
  options: AlgorithmOption[];
}

export interface Heuristic {
  name: string;
  what: string;
  argument: string | null;
  /** Bytes its tables take, where that is known. */
  memory: number | null;
}

/** A solver that fits a puzzle, and why. */
export interface Preset {
  solver: string;
  title: string;
  why: string;
}

/** Everything there is to know about one puzzle, as `GET /puzzles/{puzzle}` tells it. */
export interface Description {
  puzzle: string;
  family: string;
  shape: Shape;
  moves: string[];
  solved: string;
  goals: string[];
  metrics: string[];
  algorithms: Algorithm[];
  heuristics: Heuristic[];
  formats: { name: string; what: string }[];
  presets: Preset[];
}

/** A position near the one that was given, and what it differs in. */
export interface Repair {
  position: string;
  what: string;
}

/** What is said of a position. */
export interface Check {
  puzzle: string;
  start: string;
  outcome: "solvable" | "unsolvable";
  solved: boolean;
  reason?: string | null;
  repairs: Repair[];
}

/** What a position became. */
export interface Applied {
  start: string;
  end: string;
  solved: boolean;
  moves: string[];
}

/** How the rules are chosen, where a puzzle leaves a choice. */
export interface Choice {
  goal?: string;
  metric?: string;
}

/** What is to be solved, and how. */
export interface Job extends Choice {
  puzzle: string;
  positions: string[];
  solver?: string;
  limits?: { time?: number; nodes?: number; memory?: number; threads?: number };
  all?: boolean;
  max_length?: number;
}

/** One answer: the line of JSON that the command line prints, too. */
export interface Answer {
  puzzle: string;
  start: string;
  solver: string | null;
  outcome: "solved" | "unsolvable" | "stopped";
  moves: string | null;
  length: number | null;
  optimal: boolean;
  lower_bound: number;
  generated: number;
  expanded: number;
  visited: number;
  seconds: number;
  table_seconds: number;
  peak_bytes: number;
  threads: number;
  stop: string | null;
  error?: string;
}

/** Where a search stands. */
export interface Progress {
  position: number;
  solver: string | null;
  bound: number;
  nodes: number;
  nodes_per_second: number;
  seconds: number;
  best: number | null;
  what?: string | null;
}

/** What a job tells while it runs, in this order: any number of the first four, then `done`. */
export type SolveEvent =
  | { event: "state"; data: { state: "queued" | "running" | "done" | "cancelled" | "failed" } }
  | { event: "progress"; data: Progress }
  | { event: "best"; data: { position: number; moves: string; length: number } }
  | { event: "answer"; data: Answer & { position: number } }
  | { event: "done"; data: { state: "done" | "cancelled" | "failed" } };

/** What was wrong with a request, in the words of the command line (RFC 9457). */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly title: string,
    readonly detail: string,
    readonly repairs: Repair[] = [],
  ) {
    super(detail || title);
    this.name = "Problem";
  }
}

export interface Engine {
  /** Where it runs, for the sentence that says so. */
  readonly place: "service" | "browser";
  puzzles(): Promise<Family[]>;
  describe(puzzle: string, choice?: Choice): Promise<Description>;
  /** Rejects with a `Problem` where the text is no position. */
  check(puzzle: string, position: string, choice?: Choice): Promise<Check>;
  scramble(
    puzzle: string,
    how?: Choice & { depth?: number; count?: number; seed?: number },
  ): Promise<string[]>;
  apply(puzzle: string, position: string, moves: string, choice?: Choice): Promise<Applied>;
  /**
   * Solves, and tells what happens. When `signal` aborts, the search ends within a moment, and its last
   * events still come: the best answer so far, and `done`.
   */
  solve(job: Job, signal?: AbortSignal): AsyncIterable<SolveEvent>;
}
