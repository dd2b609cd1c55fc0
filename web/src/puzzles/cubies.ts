// Permutation and orientation of the cubies, read off the facelets in the form that cubing.js uses (a
// KTransformation).

import { FACES, type CubeRules } from "./cube";
import type { Board } from "./rules";

/** Cubie locations in the order of cubing.js; the first face of each is the reference for orientation. */
const EDGES = "UF UR UB UL DF DR DB DL FR FL BR BL".split(" ");
const CORNERS = "UFR UBR UBL UFL DFR DFL DBL DBR".split(" ").map(clockwise);
const CENTRES = "U L F R B D".split(" ");

interface Orbit {
  permutation: number[];
  orientationDelta: number[];
}

/** The faces of a corner in clockwise order, beginning with the first. */
function clockwise(corner: string): string {
  const [a, b, c] = corner as unknown as [string, string, string];
  // URF is clockwise; replacing a face by the opposite one reverses the sense.
  const reversed = [...corner].filter((face) => "DLB".includes(face)).length % 2 === 1;
  const [x, y] = "FB".includes(b) ? [c, b] : [b, c];
  return reversed ? a + y + x : a + x + y;
}

function orbit(rules: CubeRules, board: Board, locations: readonly string[]): Orbit | null {
  const permutation: number[] = [];
  const orientationDelta: number[] = [];
  for (const location of locations) {
    const colours = rules
      .cubieFacelets(location)
      .map((facelet) => FACES[board[facelet]!] ?? "?")
      .join("");
    let twist = 0;
    let cubie = -1;
    for (; twist < location.length; twist++) {
      cubie = locations.indexOf(colours.slice(twist) + colours.slice(0, twist));
      if (cubie >= 0) break;
    }
    if (cubie < 0) return null;
    permutation.push(cubie);
    orientationDelta.push(twist);
  }
  return new Set(permutation).size === locations.length ? { permutation, orientationDelta } : null;
}

/**
 * The transformation from the solved cube to this board; null if the facelets do not form a complete set of
 * cubies.
 */
export function cubieTransformation(rules: CubeRules, board: Board): Record<string, Orbit> | null {
  const corners = orbit(rules, board, CORNERS);
  if (!corners) return null;
  if (rules.size === 2) return { CORNERS: corners };
  const edges = orbit(rules, board, EDGES);
  const centres = orbit(rules, board, CENTRES);
  return edges && centres && { EDGES: edges, CORNERS: corners, CENTERS: centres };
}
