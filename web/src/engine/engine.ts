// The solving engine as the page sees it: a service over HTTP, or the same engine as WebAssembly in this
// browser.
//
// Both exchange the JSON of the API, so the page does not depend on the kind of engine.

import type { components } from "../api/types";

type Schemas = components["schemas"];

export type Family = Schemas["Family"];
export type SizeParameter = Schemas["SizeParameter"];
export type Algorithm = Schemas["Algorithm"];
export type AlgorithmOption = Schemas["AlgorithmOption"];
export type Heuristic = Schemas["HeuristicDetails"];
export type Preset = Schemas["Preset"];
export type Repair = Schemas["Repair"];
/** Structured part of an error: code, span in the text, pieces concerned. */
export type ErrorDetails = Schemas["ErrorDetails"];
export type ErrorPiece = Schemas["ErrorPiece"];
export type Check = Schemas["Checked"];
export type Applied = Schemas["Applied"];
export type Progress = Schemas["ProgressEvent"];

/** Geometry of a puzzle, for each kind of puzzle that the page can draw. */
export type Shape =
  | { kind: "tiles"; rows: number; columns: number }
  | { kind: "cube"; size: number }
  | { kind: "balto"; side: number };

/** Rules, formats and solvers of one puzzle. */
export type Description = Omit<Schemas["Description"], "shape"> & { shape: Shape };

/** Goal and metric, for puzzles that offer several; the default is the first one offered. */
export interface Variant {
  goal?: string;
  metric?: string;
}

/** A request to solve positions. */
export type JobRequest = Pick<Schemas["JobRequest"], "puzzle" | "solver" | "limits" | "all" | "max_length"> &
  Variant & { positions: string[] };

/** The result of a search: the keys of the API's answer that the page reads. */
export type Answer = Omit<
  Schemas["AnswerEvent"],
  "device" | "goal" | "iterations" | "metric" | "peak_open" | "position" | "resumed" | "schema" | "solutions"
>;

/** Events of a job: any number of the first four, then `done`. */
export type SolveEvent =
  | { event: "state"; data: Pick<Schemas["StateEvent"], "state"> }
  | { event: "progress"; data: Progress }
  | { event: "best"; data: Schemas["BestEvent"] }
  | { event: "answer"; data: Answer & { position: number } }
  | { event: "done"; data: Pick<Schemas["DoneEvent"], "state" | "error"> & ErrorDetails };

/** Picks the error details from the keys of a problem. */
export function pickDetails({ code, span, span_in, pieces, alternatives }: ErrorDetails): ErrorDetails {
  return {
    ...(code ? { code } : {}),
    ...(span ? { span } : {}),
    ...(span_in ? { span_in } : {}),
    ...(pieces ? { pieces } : {}),
    ...(alternatives ? { alternatives } : {}),
  };
}

/** A failed request (problem details, RFC 9457); status 0 if the service cannot be reached. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly title: string,
    readonly detail: string,
    readonly repairs: Repair[] = [],
    readonly details: ErrorDetails = {},
  ) {
    super(detail || title);
    this.name = "ApiError";
  }
}

export interface Engine {
  readonly location: "service" | "browser";
  puzzles(): Promise<Family[]>;
  describe(puzzle: string, variant?: Variant): Promise<Description>;
  /** Rejects with an `ApiError` if the text is not a position. */
  check(puzzle: string, position: string, variant?: Variant): Promise<Check>;
  scramble(
    puzzle: string,
    options?: Variant & { depth?: number; count?: number; seed?: number },
  ): Promise<string[]>;
  apply(puzzle: string, position: string, moves: string, variant?: Variant): Promise<Applied>;
  /**
   * Solves and reports events. When `signal` aborts, the search ends promptly and still reports its last
   * events: the best solution so far, and `done`.
   */
  solve(job: JobRequest, signal?: AbortSignal): AsyncIterable<SolveEvent>;
}
