// Vite plugin: excludes the puzzles of cubing.js that untumble does not have. cubing.js imports each of
// them lazily.

const EXCLUDED = /\/puzzles-dynamic-(4x4x4|megaminx|unofficial)-\w+\.js$/;
const STUB = "\0excluded-puzzle";

export function excludePuzzles() {
  return {
    name: "exclude-puzzles",
    apply: "build",
    enforce: "pre",
    resolveId: (source, importer) => (EXCLUDED.test(source) && importer?.includes("/cubing/") ? STUB : null),
    load: (id) => (id === STUB ? 'throw new Error("this puzzle is not part of the page");' : null),
  };
}
