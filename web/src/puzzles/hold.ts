// How a person holds a cube: which face is on top and which in front.
//
// Inside, a cube always lies as the engine sees it. A hold turns the picture and spells the moves as the person makes them.

import { type CubeRules, FACES, type Face, NORMALS, type Point } from "./cube";
import type { Board } from "./rules";

export interface Hold {
  top: Face;
  front: Face;
}

export const PLAIN: Hold = { top: "U", front: "F" };

const OPPOSITE: Record<Face, Face> = { U: "D", D: "U", R: "L", L: "R", F: "B", B: "F" };

/** The faces that can be in front when this one is on top. */
export function fronts(top: Face): Face[] {
  return FACES.filter((face) => face !== top && face !== OPPOSITE[top]);
}

/** The hold that a text such as `UF` names. */
export function readHold(text: string | null): Hold {
  const [top, front] = [...(text ?? "")] as Face[];
  if (top && front && FACES.includes(top) && fronts(top).includes(front)) return { top, front };
  return PLAIN;
}

function cross(a: Point, b: Point): Point {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** The face a person sees in each direction: `seen.U` is the one on top. */
export function seen(hold: Hold): Record<Face, Face> {
  const right = cross(NORMALS[hold.top], NORMALS[hold.front]);
  const R = FACES.find((face) => NORMALS[face].every((x, axis) => x === right[axis]))!;
  const { top: U, front: F } = hold;
  return { U, R, F, D: OPPOSITE[U], L: OPPOSITE[R], B: OPPOSITE[F] };
}

/** A move as the person makes it. */
export function spell(hold: Hold, move: string): string {
  const faces = seen(hold);
  const face = FACES.find((place) => faces[place] === move[0]);
  return face ? face + move.slice(1) : move;
}

/** The move that the person means, as the engine spells it. */
export function meant(hold: Hold, move: string): string {
  const face = seen(hold)[move[0] as Face];
  return face ? face + move.slice(1) : move;
}

/** For each sticker as the person sees it, the one it is for the engine. */
export function view(rules: CubeRules, hold: Hold): Int16Array {
  const faces = seen(hold);
  const [right, up, near] = [NORMALS[faces.R], NORMALS[faces.U], NORMALS[faces.F]];
  return rules.moved((p) => {
    const along = (axis: Point): number => p[0] * axis[0] + p[1] * axis[1] + p[2] * axis[2];
    return [along(right), along(up), along(near)];
  });
}

/** The board as the person sees it. */
export function held(board: Board, view: Int16Array): Board {
  return view.map((sticker) => board[sticker]!);
}
