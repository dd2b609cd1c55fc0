// The URL fragment: puzzle, position, solver, solution and step of the page.
//
// Everything is stored after the `#`, so any static file server can host the page and nothing is sent to a
// server. The parameter names are a contract: links that users have shared must keep working.

export interface Link {
  view: "solve" | "compare";
  puzzle: string | null;
  goal: string | null;
  metric: string | null;
  position: string | null;
  solvers: string[];
  moves: string | null;
  step: number;
  /** Cube orientation, such as `UF`: the faces on top and in front. */
  orientation: string | null;
  /** Comparison: number and seed of the random positions. */
  count: number | null;
  seed: number | null;
}

export const EMPTY_LINK: Link = {
  view: "solve",
  puzzle: null,
  goal: null,
  metric: null,
  position: null,
  solvers: [],
  moves: null,
  step: 0,
  orientation: null,
  count: null,
  seed: null,
};

const parseCount = (text: string | null): number | null =>
  text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;

export function parseLink(hash: string): Link {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const segments = path.split("/").filter(Boolean);
  const view = segments[0] === "compare" ? "compare" : "solve";
  if (view === "compare") segments.shift();
  const parameters = new URLSearchParams(query);
  let puzzle: string | null = null;
  try {
    puzzle = segments[0] ? decodeURIComponent(segments[0]) : null;
  } catch {
    // A malformed escape sequence: treat the puzzle as missing.
  }
  return {
    view,
    puzzle,
    goal: parameters.get("goal"),
    metric: parameters.get("metric"),
    position: parameters.get("position")?.replaceAll(",", " ") ?? null,
    solvers: parameters.getAll("with"),
    moves: parameters.get("moves"),
    step: parseCount(parameters.get("step")) ?? 0,
    orientation: parameters.get("hold"),
    count: parseCount(parameters.get("count")),
    seed: parseCount(parameters.get("seed")),
  };
}

export function formatLink(link: Link): string {
  const query: string[] = [];
  // Spaces and plus signs are escaped because both decode to a space; commas and colons stay readable.
  const encode = (text: string): string =>
    encodeURIComponent(text).replaceAll("%2C", ",").replaceAll("%3A", ":");
  const add = (name: string, value: string | number | null): void => {
    if (value !== null && value !== "") query.push(`${name}=${encode(String(value))}`);
  };
  add("goal", link.goal);
  add("metric", link.metric);
  add("position", link.position?.trim().replace(/\s+/g, ",") ?? null);
  for (const solver of link.solvers) add("with", solver);
  add("moves", link.moves?.replace(/\s+/g, "") ?? null);
  if (link.step > 0) add("step", link.step);
  add("hold", link.orientation);
  add("count", link.count);
  add("seed", link.seed);
  const view = link.view === "compare" ? "compare/" : "";
  return `#/${view}${encodeURIComponent(link.puzzle ?? "")}${query.length > 0 ? `?${query.join("&")}` : ""}`;
}
