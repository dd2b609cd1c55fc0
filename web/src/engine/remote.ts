// The engine as a service over HTTP.

import { ApiError, pickDetails, type Engine, type JobRequest, type SolveEvent } from "./engine";

const API_ROOT = new URL("api/v1/", document.baseURI);
const MAX_ATTEMPTS = 5;
/** Longest wait, in seconds, that a rate-limited request is retried after. */
const MAX_RETRY_AFTER = 5;

/** The engine of the service that serves this page; null if the page comes from a plain file server. */
export async function connect(): Promise<Engine | null> {
  try {
    const init = { method: "HEAD", headers: { accept: "application/json" } };
    const response = await fetch(new URL("puzzles", API_ROOT), init);
    const isApi = response.ok && (response.headers.get("content-type") ?? "").includes("json");
    return isApi ? remoteEngine : null;
  } catch {
    return null;
  }
}

async function readError(response: Response): Promise<ApiError> {
  try {
    const problem = await response.json();
    const { title, detail, repairs } = problem;
    const details = pickDetails(problem);
    return new ApiError(
      response.status,
      String(title ?? response.statusText),
      String(detail ?? ""),
      repairs ?? [],
      details,
    );
  } catch {
    return new ApiError(
      response.status,
      response.statusText,
      `The server reported an error (${response.status}).`,
    );
  }
}

const sleep = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, 1000 * seconds));

async function request(path: string, init?: RequestInit): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    let response: Response;
    try {
      response = await fetch(new URL(path, API_ROOT), init);
    } catch {
      throw new ApiError(0, "No connection", "The server cannot be reached. Is it still running?");
    }
    if (response.ok) return response;
    // Rate limit or overload: the service names the time to wait.
    const retryAfter = Number(response.headers.get("retry-after") ?? NaN);
    const retry =
      [429, 503].includes(response.status) && retryAfter <= MAX_RETRY_AFTER && attempt < MAX_ATTEMPTS;
    if (!retry) throw await readError(response);
    await sleep(Math.max(retryAfter, 0.2));
  }
}

const get = async <T>(path: string): Promise<T> => (await request(path)).json();

async function post<T>(path: string, body: unknown): Promise<T> {
  const headers = { "content-type": "application/json" };
  return (await request(path, { method: "POST", headers, body: JSON.stringify(body) })).json();
}

const puzzlePath = (puzzle: string, suffix = ""): string => `puzzles/${encodeURIComponent(puzzle)}${suffix}`;

/** Parses a stream of server-sent events. */
async function* parseEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<{ id: string; event: SolveEvent }> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let buffer = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    buffer += decoder.decode(value, { stream: true });
    const blocks = buffer.split(/\r?\n\r?\n/);
    buffer = blocks.pop() ?? "";
    for (const block of blocks) {
      const field = (name: string): string =>
        block
          .split(/\r?\n/)
          .filter((line) => line.startsWith(`${name}:`))
          .map((line) => line.slice(name.length + 1).replace(/^ /, ""))
          .join("\n");
      const data = field("data");
      if (data)
        yield { id: field("id"), event: { event: field("event"), data: JSON.parse(data) } as SolveEvent };
    }
  }
}

async function* solve(job: JobRequest, signal?: AbortSignal): AsyncGenerator<SolveEvent> {
  const { id } = await post<{ id: string }>("jobs", job);
  const path = `jobs/${encodeURIComponent(id)}`;
  const cancel = (): void =>
    void fetch(new URL(path, API_ROOT), { method: "DELETE", keepalive: true }).catch(() => {});
  if (signal?.aborted) cancel();
  signal?.addEventListener("abort", cancel);
  let finished = false;
  let lastEventId = "";
  try {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (attempt > 0) await sleep(0.2 * attempt);
      try {
        const headers = lastEventId ? { headers: { "last-event-id": lastEventId } } : {};
        const response = await request(`${path}/events`, headers);
        if (!response.body) break;
        for await (const { id, event } of parseEvents(response.body)) {
          lastEventId = id || lastEventId;
          attempt = 0;
          yield event;
          if (event.event === "done") {
            finished = true;
            return;
          }
        }
      } catch (error) {
        // An error response is final; a broken connection is retried.
        if (error instanceof ApiError && error.status !== 0) throw error;
      }
    }
    throw new ApiError(0, "No connection", "The connection to the server was lost during the search.");
  } finally {
    signal?.removeEventListener("abort", cancel);
    if (!finished) cancel();
  }
}

const remoteEngine: Engine = {
  location: "service",
  puzzles: () => get("puzzles"),
  describe: (puzzle, variant = {}) => {
    const query = new URLSearchParams(Object.entries(variant).filter(([, value]) => value)).toString();
    return get(puzzlePath(puzzle, query && `?${query}`));
  },
  check: (puzzle, position, variant = {}) => post(puzzlePath(puzzle, "/check"), { position, ...variant }),
  scramble: async (puzzle, options = {}) =>
    (await post<{ positions: string[] }>(puzzlePath(puzzle, "/scramble"), options)).positions,
  apply: (puzzle, position, moves, variant = {}) =>
    post(puzzlePath(puzzle, "/apply"), { position, moves, ...variant }),
  solve,
};
