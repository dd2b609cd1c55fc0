// What solves for the page: a service that is asked over HTTP, or the same engine in this browser.
//
// Both speak the JSON of the API, so the page never knows which of the two it talks to.

import type { components } from "../api/types";

type Schemas = components["schemas"];

export type Family = Schemas["Family"];
export type Algorithm = Schemas["Algorithm"];
export type AlgorithmOption = Schemas["AlgorithmOption"];
export type Heuristic = Schemas["DescribedHeuristic"];
export type Preset = Schemas["Preset"];
export type Repair = Schemas["Repair"];
/** What a program needs to know of an error: its code, the place in the text, the pieces concerned. */
export type ErrorDetails = Schemas["ErrorDetails"];
export type ErrorPiece = Schemas["ErrorPiece"];
export type Check = Schemas["Checked"];
export type Applied = Schemas["Applied"];
export type Progress = Schemas["ProgressEvent"];

/** What a drawing needs to know of a puzzle: the kinds this page can draw. */
export type Shape =
  | { kind: "tiles"; rows: number; columns: number }
  | { kind: "cube"; size: number }
  | { kind: "balto"; side: number };

/** Everything there is to know about one puzzle. */
export type Description = Omit<Schemas["Description"], "shape"> & { shape: Shape };

/** How the rules are chosen, where a puzzle leaves a choice. */
export interface Choice {
  goal?: string;
  metric?: string;
}

/** What is to be solved, and how. */
export type Job = Pick<Schemas["JobRequest"], "puzzle" | "solver" | "limits" | "all" | "max_length"> &
  Choice & { positions: string[] };

/** What the page reads of an answer, the line of JSON that the command line prints, too. */
export type Answer = Omit<Schemas["Answer"], "device" | "goal" | "iterations" | "metric" | "peak_open" | "resumed" | "schema" | "solutions">;

/** What a job tells while it runs: any number of the first four, then `done`. */
export type SolveEvent =
  | { event: "state"; data: Pick<Schemas["StateEvent"], "state"> }
  | { event: "progress"; data: Progress }
  | { event: "best"; data: Schemas["BestEvent"] }
  | { event: "answer"; data: Answer & { position: number } }
  | { event: "done"; data: Pick<Schemas["DoneEvent"], "state" | "error"> };

/** The details among the keys of a problem. */
export function detailsOf({ code, span, pieces, alternatives }: ErrorDetails): ErrorDetails {
  return {
    ...(code ? { code } : {}),
    ...(span ? { span } : {}),
    ...(pieces ? { pieces } : {}),
    ...(alternatives ? { alternatives } : {}),
  };
}

/** What was wrong with a request (RFC 9457). */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly title: string,
    readonly detail: string,
    readonly repairs: Repair[] = [],
    readonly details: ErrorDetails = {},
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
