// Errors of a cube for a person who holds one: places as it is held, colours by their names.
//
// Sentences are made from the code and the pieces of an error, never from another sentence.

import { COLOURS } from "../draw/colours";
import type { ErrorDetails, ErrorPiece, Repair } from "../engine/engine";
import { type CubeRules, FACES, type Face } from "./cube";
import { seen, view, type Hold } from "./hold";

const PLACES: Record<Face, string> = { U: "top", R: "right", F: "front", D: "bottom", L: "left", B: "back" };

/** Names of places and colours for one cube, held in one way. */
class Namer {
  private readonly faces: Record<Face, Face>;
  private readonly seenFrom: Int16Array;

  constructor(
    private readonly rules: CubeRules,
    hold: Hold,
  ) {
    this.faces = seen(hold);
    this.seenFrom = view(rules, hold);
  }

  private face(face: string): string {
    const at = FACES.find((at) => this.faces[at] === face);
    return at ? PLACES[at] : face;
  }

  /** The place of a corner or an edge, such as top-front-right. */
  slot(piece: ErrorPiece): string {
    return [...piece.name].map((face) => this.face(face)).join("-");
  }

  centre(piece: ErrorPiece): string {
    return this.face(piece.name);
  }

  sticker(piece: ErrorPiece): string {
    const at = this.seenFrom.indexOf(piece.places[0]!);
    const [side, inside] = [Math.floor(at / this.rules.size ** 2), at % this.rules.size ** 2];
    return `sticker ${inside + 1} of the ${PLACES[FACES[side]!]} face`;
  }

  colour(letter: string): string {
    const face = FACES.indexOf(letter as Face);
    return face < 0 ? `“${letter}”` : COLOURS[face]!.name;
  }

  colours(letters: string): string {
    return [...letters].map((letter) => this.colour(letter)).join(", ");
  }
}

/** What is wrong with a cube; `why` where nothing better can be said. */
export function explain(why: string, details: ErrorDetails, rules: CubeRules, hold: Hold): string {
  const name = new Namer(rules, hold);
  const [one, two, three] = details.pieces ?? [];
  if (!one) return why;
  const found = one.found ?? "";
  switch (details.code) {
    case "no-such-corner":
    case "no-such-edge":
      return `the ${one.kind} at ${name.slot(one)} has colours ${name.colours(found)}, which no ${one.kind} has`;
    case "mirrored-corner": {
      const real = found[0]! + found[2]! + found[1]!;
      return `the corner at ${name.slot(one)} has colours ${name.colours(found)} clockwise, which no corner has: the real one has ${name.colours(real)}`;
    }
    case "duplicate-piece":
      if (!two || !three) return why;
      return `the ${one.kind} with colours ${name.colours(found)} is there twice, at ${name.slot(one)} and at ${name.slot(two)}; the one with ${name.colours(three.found ?? "")} is missing`;
    case "same-centres":
      if (!two) return why;
      return `the centres of the ${name.centre(one)} and the ${name.centre(two)} face are both ${name.colours(found)}; the six centres have six colours`;
    case "strange-colour":
      return `${name.sticker(one)} is ${name.colours(found)}, a colour that no centre has`;
    case "colour-count": {
      const counts = details.pieces!.map((colour) => `${colour.places.length} of ${name.colour(colour.name)}`);
      return `expected ${rules.size ** 2} stickers of each colour, found ${counts.join(", ")}`;
    }
    default:
      return why;
  }
}

/** What a repair changes. */
export function explainRepair(repair: Repair, rules: CubeRules, hold: Hold): string {
  const name = new Namer(rules, hold);
  const change = ({ kind, pieces }: Repair["changes"][number]): string | null => {
    const [one, two] = pieces;
    switch (kind) {
      case "paint":
        return `paint ${pieces.map((piece) => `${name.sticker(piece)} ${name.colours(piece.found ?? "")}`).join(", ")}`;
      case "turn-clockwise":
        return one ? `turn the corner at ${name.slot(one)} clockwise by a third` : null;
      case "turn-anticlockwise":
        return one ? `turn the corner at ${name.slot(one)} anticlockwise by a third` : null;
      case "flip":
        return one ? `flip the edge at ${name.slot(one)}` : null;
      case "exchange":
        return one && two ? `exchange the ${one.kind}s at ${name.slot(one)} and ${name.slot(two)}` : null;
      default:
        return null;
    }
  };
  const changes = repair.changes.map(change);
  return changes.length > 0 && changes.every((text) => text !== null) ? changes.join(", ") : repair.what;
}

/** The stickers of the pieces that are wrong. */
export function marked(details: ErrorDetails): Set<number> {
  const wrong = (details.pieces ?? []).filter(({ kind }) => kind !== "colour" && kind !== "move");
  return new Set(wrong.flatMap(({ places }) => places));
}

/** A text around the token that a span of UTF-8 bytes covers; nothing where it covers none. */
export function around(text: string, span: ErrorDetails["span"]): [string, string, string] | null {
  const [start, end] = span ?? [];
  if (start === undefined || end === undefined || end <= start) return null;
  const bytes = new TextEncoder().encode(text);
  if (end > bytes.length) return null;
  const part = (from: number, to?: number): string => new TextDecoder().decode(bytes.slice(from, to));
  return [part(0, start), part(start, end), part(end)];
}
