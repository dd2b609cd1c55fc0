// Which piece is in which slot, read off the stickers: cubes as the 3D player knows them.

import { FACES, type CubeRules } from "./cube";
import type { Board } from "./rules";

/** The slots in the player's order, each beginning with the face that orientation counts from. */
const EDGES = "UF UR UB UL DF DR DB DL FR FL BR BL".split(" ");
const CORNERS = "UFR UBR UBL UFL DFR DFL DBL DBR".split(" ").map(clockwise);
const CENTRES = "U L F R B D".split(" ");

interface Orbit {
  permutation: number[];
  orientationDelta: number[];
}

/** The faces of a corner clockwise from the first. */
function clockwise(corner: string): string {
  const [a, b, c] = corner as unknown as [string, string, string];
  // Around UFR, clockwise is U, R, F; each further corner changes the sense by its opposite faces.
  const odd = [...corner].filter((face) => "DLB".includes(face)).length % 2 === 1;
  const [x, y] = "FB".includes(b) ? [c, b] : [b, c];
  return odd ? a + y + x : a + x + y;
}

function orbit(rules: CubeRules, board: Board, slots: readonly string[]): Orbit | null {
  const permutation: number[] = [];
  const orientationDelta: number[] = [];
  for (const slot of slots) {
    const colours = rules.piece(slot).map((sticker) => FACES[board[sticker]!] ?? "?").join("");
    // The piece as it would be at home, turned until its colours fit.
    let turned = 0;
    let found = -1;
    for (; turned < slot.length; turned++) {
      found = slots.indexOf(colours.slice(turned) + colours.slice(0, turned));
      if (found >= 0) break;
    }
    if (found < 0) return null;
    permutation.push(found);
    orientationDelta.push(turned);
  }
  return new Set(permutation).size === slots.length ? { permutation, orientationDelta } : null;
}

/** The transformation that leads from solved to this board; nothing where it is no whole cube. */
export function transformation(rules: CubeRules, board: Board): Record<string, Orbit> | null {
  const corners = orbit(rules, board, CORNERS);
  if (!corners) return null;
  if (rules.size === 2) return { CORNERS: corners };
  const edges = orbit(rules, board, EDGES);
  const centres = orbit(rules, board, CENTRES);
  return edges && centres && { EDGES: edges, CORNERS: corners, CENTERS: centres };
}
