// The engine in a Web Worker, so that the page stays responsive during a search.
//
// Requests are processed in order. A search blocks the worker until it ends; the only way to cancel it is
// to terminate the worker.

import init, * as engine from "../../pkg/untumble.js";
import wasmUrl from "../../pkg/untumble_bg.wasm?url";
import type { ErrorDetails, Repair, SolveEvent } from "./engine";

/** A request to the worker; `request` is the JSON body of the API. */
export type WorkerRequest = { id: number } & (
  | { call: "puzzles" }
  | { call: "describe" | "check" | "apply" | "scramble"; puzzle: string; request: object }
  | { call: "solve"; request: object }
);

/** A reply: any number of events, then the result, a problem of the API, or a crash of the engine. */
export type WorkerReply = { id: number } & (
  { event: SolveEvent } | { end: unknown } | { problem: ProblemDetails } | { failure: string }
);

/** `application/problem+json` (RFC 9457). */
export interface ProblemDetails extends ErrorDetails {
  status: number;
  title: string;
  detail: string;
  repairs?: Repair[];
}

const ready = init({ module_or_path: wasmUrl });
const reply = (message: WorkerReply): void => postMessage(message);

function call(request: WorkerRequest): unknown {
  switch (request.call) {
    case "puzzles":
      return JSON.parse(engine.puzzles());
    case "scramble": {
      const [seed = 0] = crypto.getRandomValues(new Uint32Array(1));
      return JSON.parse(engine.scramble(request.puzzle, JSON.stringify(request.request), seed));
    }
    case "solve":
      engine.solve(JSON.stringify(request.request), (event: string) =>
        reply({ id: request.id, event: JSON.parse(event) }),
      );
      return null;
    default:
      return JSON.parse(engine[request.call](request.puzzle, JSON.stringify(request.request)));
  }
}

onmessage = async ({ data: request }: MessageEvent<WorkerRequest>) => {
  try {
    await ready;
    reply({ id: request.id, end: call(request) });
  } catch (thrown) {
    // The engine throws problems as JSON text. Anything else is a bug, or a browser without WebAssembly.
    if (typeof thrown === "string") reply({ id: request.id, problem: JSON.parse(thrown) });
    else reply({ id: request.id, failure: String(thrown) });
  }
};
