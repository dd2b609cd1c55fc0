// The engine in a worker of its own: the page stays alive while it searches.
//
// Requests are answered one after the other. A search fills the worker until it ends; whoever cannot wait ends the worker.

import init, * as engine from "../../pkg/untumble.js";
import module from "../../pkg/untumble_bg.wasm?url";
import type { ErrorDetails, Repair, SolveEvent } from "./engine";

/** What the page asks for; `request` is the JSON of the API's body. */
export type Ask = { id: number } & (
  | { call: "puzzles" }
  | { call: "describe" | "check" | "apply" | "scramble"; puzzle: string; request: object }
  | { call: "solve"; request: object }
);

/** What comes back: any number of events, then the end, a problem of the API, or a failure of the engine itself. */
export type Reply = { id: number } & (
  | { event: SolveEvent }
  | { end: unknown }
  | { problem: ApiProblem }
  | { failure: string }
);

/** `application/problem+json`. */
export interface ApiProblem extends ErrorDetails {
  status: number;
  title: string;
  detail: string;
  repairs?: Repair[];
}

const ready = init({ module_or_path: module });
const reply = (message: Reply): void => postMessage(message);

function answer(ask: Ask): unknown {
  switch (ask.call) {
    case "puzzles":
      return JSON.parse(engine.puzzles());
    case "scramble": {
      const [seed = 0] = crypto.getRandomValues(new Uint32Array(1));
      return JSON.parse(engine.scramble(ask.puzzle, JSON.stringify(ask.request), seed));
    }
    case "solve":
      engine.solve(JSON.stringify(ask.request), (event: string) => reply({ id: ask.id, event: JSON.parse(event) }));
      return null;
    default:
      return JSON.parse(engine[ask.call](ask.puzzle, JSON.stringify(ask.request)));
  }
}

onmessage = async ({ data: ask }: MessageEvent<Ask>) => {
  try {
    await ready;
    reply({ id: ask.id, end: answer(ask) });
  } catch (thrown) {
    // The engine throws problems as text; anything else is a bug or a browser that cannot run it.
    if (typeof thrown === "string") reply({ id: ask.id, problem: JSON.parse(thrown) });
    else reply({ id: ask.id, failure: String(thrown) });
  }
};
