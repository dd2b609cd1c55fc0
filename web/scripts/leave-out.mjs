// Leaves out what the page never asks for: puzzles of cubing.js that untumble does not have, each loaded by name alone.

const OTHERS = /\/puzzles-dynamic-(4x4x4|megaminx|unofficial)-\w+\.js$/;
const NOTHING = "\0left-out";

export function leaveOut() {
  return {
    name: "leave-out",
    apply: "build",
    enforce: "pre",
    resolveId: (source, importer) => (OTHERS.test(source) && importer?.includes("/cubing/") ? NOTHING : null),
    load: (id) => (id === NOTHING ? 'throw new Error("this puzzle is not part of the page");' : null),
  };
}
