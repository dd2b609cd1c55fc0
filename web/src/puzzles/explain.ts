// What the engine says of a cube, for somebody who has one in hand: places as it is held, colours by their names.

import { COLOURS } from "../draw/colours";
import { type CubeRules, FACES, type Face } from "./cube";
import { seen, view, type Hold } from "./hold";

const PLACES: Record<Face, string> = { U: "top", R: "right", F: "front", D: "bottom", L: "left", B: "back" };

/** Slots such as `UFR` that a sentence names as places. */
const SLOTS = /\b(at|and|with|to|pieces?|corners?|edges?) ([URFDLB]{2,3})\b/g;

/** Single stickers, such as `U9`. */
const STICKERS = /\b(?:sticker )?([URFDLB])(\d)\b/g;

const sticker = (rules: CubeRules, face: string, place: string): number =>
  FACES.indexOf(face as Face) * rules.size ** 2 + Number(place) - 1;

export function explain(text: string, rules: CubeRules, hold: Hold): string {
  const faces = seen(hold);
  const place = (face: string): string => PLACES[FACES.find((at) => faces[at] === face)!];
  const seenFrom = view(rules, hold);
  return text
    .replace(SLOTS, (_, word: string, slot: string) => `${word} ${[...slot].map(place).join("-")}`)
    .replace(STICKERS, (_, face: string, number: string) => {
      const at = seenFrom.indexOf(sticker(rules, face, number));
      const [side, inside] = [Math.floor(at / rules.size ** 2), at % rules.size ** 2];
      return `sticker ${inside + 1} of the ${PLACES[FACES[side]!]} face`;
    })
    .replace(/`?\b([URFDLB])\b`?(?=[\s,;:.)]|$)/g, (_, face: Face) => COLOURS[FACES.indexOf(face)]!.name);
}

/** The stickers of the pieces that a sentence names. */
export function named(text: string, rules: CubeRules): Set<number> {
  const stickers = [...text.matchAll(SLOTS)].flatMap(([, , slot]) => rules.piece(slot!));
  const single = [...text.matchAll(STICKERS)].map(([, face, place]) => sticker(rules, face!, place!));
  return new Set([...stickers, ...single]);
}
