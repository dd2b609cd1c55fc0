// The address of the page holds everything: puzzle, position, solver, answer and step.
//
// It is written behind the `#`, so any file server will do, and nothing of it is sent anywhere.

export interface Link {
  view: "solve" | "compare";
  puzzle: string | null;
  goal: string | null;
  metric: string | null;
  position: string | null;
  solvers: string[];
  moves: string | null;
  step: number;
  hold: string | null;
  /** Of a comparison: how many random positions, and which. */
  count: number | null;
  seed: number | null;
}

export const NOWHERE: Link = {
  view: "solve",
  puzzle: null,
  goal: null,
  metric: null,
  position: null,
  solvers: [],
  moves: null,
  step: 0,
  hold: null,
  count: null,
  seed: null,
};

const number = (text: string | null): number | null => (text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null);

export function readLink(hash: string): Link {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const parts = path.split("/").filter(Boolean);
  const view = parts[0] === "compare" ? "compare" : "solve";
  if (view === "compare") parts.shift();
  const values = new URLSearchParams(query);
  let puzzle: string | null = null;
  try {
    puzzle = parts[0] ? decodeURIComponent(parts[0]) : null;
  } catch {
    // A broken escape names no puzzle.
  }
  return {
    view,
    puzzle,
    goal: values.get("goal"),
    metric: values.get("metric"),
    position: values.get("position")?.replaceAll(",", " ") ?? null,
    solvers: values.getAll("with"),
    moves: values.get("moves"),
    step: number(values.get("step")) ?? 0,
    hold: values.get("hold"),
    count: number(values.get("count")),
    seed: number(values.get("seed")),
  };
}

export function writeLink(link: Link): string {
  const query: string[] = [];
  // Blanks and plus signs would be read as blanks; commas and colons keep the address readable.
  const word = (text: string): string => encodeURIComponent(text).replaceAll("%2C", ",").replaceAll("%3A", ":");
  const add = (name: string, value: string | number | null): void => {
    if (value !== null && value !== "") query.push(`${name}=${word(String(value))}`);
  };
  add("goal", link.goal);
  add("metric", link.metric);
  add("position", link.position?.trim().replace(/\s+/g, ",") ?? null);
  for (const solver of link.solvers) add("with", solver);
  add("moves", link.moves?.replace(/\s+/g, "") ?? null);
  if (link.step > 0) add("step", link.step);
  add("hold", link.hold);
  add("count", link.count);
  add("seed", link.seed);
  const view = link.view === "compare" ? "compare/" : "";
  return `#/${view}${encodeURIComponent(link.puzzle ?? "")}${query.length > 0 ? `?${query.join("&")}` : ""}`;
}
