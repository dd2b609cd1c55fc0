// The engine as a service over HTTP.

import { detailsOf, Problem, type Engine, type Job, type SolveEvent } from "./engine";

const ROOT = new URL("api/v1/", document.baseURI);
/** How often something that did not work is tried. */
const TRIES = 5;

/** An engine where a service answers beside this page; nothing where it is served by itself. */
export async function reach(): Promise<Engine | null> {
  try {
    const init = { method: "HEAD", headers: { accept: "application/json" } };
    const response = await fetch(new URL("puzzles", ROOT), init);
    const found = response.ok && (response.headers.get("content-type") ?? "").includes("json");
    return found ? remote : null;
  } catch {
    return null;
  }
}

async function problem(response: Response): Promise<Problem> {
  try {
    const problem = await response.json();
    const { title, detail, repairs } = problem;
    const details = detailsOf(problem);
    return new Problem(response.status, String(title ?? response.statusText), String(detail ?? ""), repairs ?? [], details);
  } catch {
    return new Problem(response.status, response.statusText, `The service answered ${response.status}.`);
  }
}

const pause = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));

async function ask(path: string, init?: RequestInit): Promise<Response> {
  for (let tries = 1; ; tries++) {
    let response: Response;
    try {
      response = await fetch(new URL(path, ROOT), init);
    } catch {
      throw new Problem(0, "No connection", "The service cannot be reached. Is it still running?");
    }
    if (response.ok) return response;
    // Too many at once: the service says when to come again.
    const wait = Number(response.headers.get("retry-after") ?? NaN);
    if (![429, 503].includes(response.status) || !(wait <= 5) || tries === TRIES) throw await problem(response);
    await pause(Math.max(wait, 0.2));
  }
}

const get = async <T>(path: string): Promise<T> => (await ask(path)).json();
const post = async <T>(path: string, body: unknown): Promise<T> =>
  (await ask(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })).json();

const of = (puzzle: string, what = ""): string => `puzzles/${encodeURIComponent(puzzle)}${what}`;

/** The events of a stream, with their ids. */
async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<{ id: string; event: SolveEvent }> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    rest += decoder.decode(value, { stream: true });
    const blocks = rest.split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const field = (name: string): string =>
        block
          .split(/\r?\n/)
          .filter((line) => line.startsWith(`${name}:`))
          .map((line) => line.slice(name.length + 1).replace(/^ /, ""))
          .join("\n");
      const data = field("data");
      if (data) yield { id: field("id"), event: { event: field("event"), data: JSON.parse(data) } as SolveEvent };
    }
  }
}

async function* solve(job: Job, signal?: AbortSignal): AsyncGenerator<SolveEvent> {
  const { id } = await post<{ id: string }>("jobs", job);
  const path = `jobs/${encodeURIComponent(id)}`;
  const cancel = (): void => void fetch(new URL(path, ROOT), { method: "DELETE", keepalive: true }).catch(() => {});
  if (signal?.aborted) cancel();
  signal?.addEventListener("abort", cancel);
  let finished = false;
  let last = "";
  try {
    for (let tries = 0; tries < TRIES; tries++) {
      if (tries > 0) await pause(0.2 * tries);
      try {
        const response = await ask(`${path}/events`, last ? { headers: { "last-event-id": last } } : {});
        if (!response.body) break;
        for await (const { id, event } of events(response.body)) {
          last = id || last;
          tries = 0;
          yield event;
          if (event.event === "done") {
            finished = true;
            return;
          }
        }
      } catch (error) {
        // What the service refuses is final; a broken connection is not.
        if (error instanceof Problem && error.status !== 0) throw error;
      }
    }
    throw new Problem(0, "No connection", "The connection to the service was lost while it solved.");
  } finally {
    signal?.removeEventListener("abort", cancel);
    if (!finished) cancel();
  }
}

const remote: Engine = {
  place: "service",
  puzzles: () => get("puzzles"),
  describe: (puzzle, choice = {}) => {
    const query = new URLSearchParams(Object.entries(choice).filter(([, value]) => value)).toString();
    return get(of(puzzle, query && `?${query}`));
  },
  check: (puzzle, position, choice = {}) => post(of(puzzle, "/check"), { position, ...choice }),
  scramble: async (puzzle, how = {}) =>
    (await post<{ positions: string[] }>(of(puzzle, "/scramble"), how)).positions,
  apply: (puzzle, position, moves, choice = {}) => post(of(puzzle, "/apply"), { position, moves, ...choice }),
  solve,
};

