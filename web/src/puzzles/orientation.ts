// Whole-cube orientation: the faces that the user holds on top and in front.
//
// Positions and moves are stored in the engine's orientation, U on top and F in front. The page maps
// facelets and moves to the user's orientation for display, and back for input.

import { type CubeRules, FACES, type Face, NORMALS, type Point } from "./cube";
import type { Board } from "./rules";

export interface Orientation {
  top: Face;
  front: Face;
}

export const STANDARD_ORIENTATION: Orientation = { top: "U", front: "F" };

const OPPOSITE: Record<Face, Face> = { U: "D", D: "U", R: "L", L: "R", F: "B", B: "F" };

/** The four faces that can be in front while `top` is on top. */
export function frontFaces(top: Face): Face[] {
  return FACES.filter((face) => face !== top && face !== OPPOSITE[top]);
}

/** Parses `UF` or the like; anything else is the standard orientation. */
export function parseOrientation(text: string | null): Orientation {
  const [top, front] = [...(text ?? "")] as Face[];
  if (top && front && FACES.includes(top) && frontFaces(top).includes(front)) return { top, front };
  return STANDARD_ORIENTATION;
}

function cross(a: Point, b: Point): Point {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** For each side as the user sees it, the engine's face there: `engineFaces(o).U` is the face on top. */
export function engineFaces(orientation: Orientation): Record<Face, Face> {
  const right = cross(NORMALS[orientation.top], NORMALS[orientation.front]);
  const R = FACES.find((face) => NORMALS[face].every((x, axis) => x === right[axis]))!;
  const { top: U, front: F } = orientation;
  return { U, R, F, D: OPPOSITE[U], L: OPPOSITE[R], B: OPPOSITE[F] };
}

/** Translates a move from the engine's orientation to the user's. */
export function toUserMove(orientation: Orientation, move: string): string {
  const faces = engineFaces(orientation);
  const face = FACES.find((side) => faces[side] === move[0]);
  return face ? face + move.slice(1) : move;
}

/** Translates a move from the user's orientation to the engine's. */
export function toEngineMove(orientation: Orientation, move: string): string {
  const face = engineFaces(orientation)[move[0] as Face];
  return face ? face + move.slice(1) : move;
}

/** For each facelet as the user sees it, the engine's facelet there. */
export function faceletMap(rules: CubeRules, orientation: Orientation): Int16Array {
  const faces = engineFaces(orientation);
  const [right, up, near] = [NORMALS[faces.R], NORMALS[faces.U], NORMALS[faces.F]];
  return rules.permutationOf((p) => {
    const along = (axis: Point): number => p[0] * axis[0] + p[1] * axis[1] + p[2] * axis[2];
    return [along(right), along(up), along(near)];
  });
}

/** The board as the user sees it. */
export function reorient(board: Board, map: Int16Array): Board {
  return map.map((facelet) => board[facelet]!);
}
