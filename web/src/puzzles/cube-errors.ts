// Cube error messages in the user's orientation: sides by position, colours by name.
//
// Messages are built from the error code and the pieces that the engine reports; English text is never
// parsed.

import { COLOURS } from "../draw/colours";
import type { ErrorDetails, ErrorPiece, Repair } from "../engine/engine";
import { type CubeRules, FACES, type Face, SIDE_NAMES } from "./cube";
import { engineFaces, faceletMap, type Orientation } from "./orientation";

/** Names locations and colours of one cube in one orientation. */
class CubeNames {
  private readonly faces: Record<Face, Face>;
  private readonly facelets: Int16Array;

  constructor(
    private readonly rules: CubeRules,
    orientation: Orientation,
  ) {
    this.faces = engineFaces(orientation);
    this.facelets = faceletMap(rules, orientation);
  }

  private side(face: string): string {
    const side = FACES.find((side) => this.faces[side] === face);
    return side ? SIDE_NAMES[side] : face;
  }

  /** The location of a corner or edge, such as top-front-right. */
  location(piece: ErrorPiece): string {
    return [...piece.name].map((face) => this.side(face)).join("-");
  }

  centre(piece: ErrorPiece): string {
    return this.side(piece.name);
  }

  sticker(piece: ErrorPiece): string {
    const facelet = this.facelets.indexOf(piece.places[0]!);
    const [side, index] = [Math.floor(facelet / this.rules.size ** 2), facelet % this.rules.size ** 2];
    return `sticker ${index + 1} on the ${SIDE_NAMES[FACES[side]!]} face`;
  }

  colour(letter: string): string {
    const face = FACES.indexOf(letter as Face);
    return face < 0 ? `“${letter}”` : COLOURS[face]!.name;
  }

  colours(letters: string): string {
    return [...letters].map((letter) => this.colour(letter)).join(", ");
  }
}

/** Describes an error in the user's orientation; falls back to the engine's message. */
export function describeError(
  message: string,
  details: ErrorDetails,
  rules: CubeRules,
  orientation: Orientation,
): string {
  const names = new CubeNames(rules, orientation);
  const [first, second, missing] = details.pieces ?? [];
  if (!first) return message;
  const found = first.found ?? "";
  switch (details.code) {
    case "no-such-corner":
    case "no-such-edge":
      return (
        `the ${first.kind} at ${names.location(first)} has the colours ${names.colours(found)}; ` +
        `no ${first.kind} has these colours`
      );
    case "mirrored-corner": {
      const actual = found[0]! + found[2]! + found[1]!;
      return (
        `the corner at ${names.location(first)} is mirrored: clockwise it reads ${names.colours(found)}, ` +
        `but the real corner reads ${names.colours(actual)}`
      );
    }
    case "duplicate-piece":
      if (!second || !missing) return message;
      return (
        `the ${names.colours(found)} ${first.kind} appears twice, ` +
        `at ${names.location(first)} and at ${names.location(second)}; ` +
        `the ${names.colours(missing.found ?? "")} ${first.kind} is missing`
      );
    case "same-centres":
      if (!second) return message;
      return (
        `the centres of the ${names.centre(first)} and ${names.centre(second)} faces ` +
        `are both ${names.colours(found)}; ` +
        "the six centres must have six different colours"
      );
    case "strange-colour":
      return `${names.sticker(first)} is ${names.colours(found)}, a colour that no centre has`;
    case "colour-count": {
      const counts = details.pieces!.map((colour) => `${colour.places.length} ${names.colour(colour.name)}`);
      return `each colour needs ${rules.size ** 2} stickers, but there are ${counts.join(", ")}`;
    }
    default:
      return message;
  }
}

/** Describes a repair in the user's orientation; falls back to the engine's description. */
export function describeRepair(repair: Repair, rules: CubeRules, orientation: Orientation): string {
  const names = new CubeNames(rules, orientation);
  const paint = (piece: ErrorPiece): string => `${names.sticker(piece)} ${names.colours(piece.found ?? "")}`;
  const describeChange = ({ kind, pieces }: Repair["changes"][number]): string | null => {
    const [first, second] = pieces;
    switch (kind) {
      case "paint":
        return `paint ${pieces.map(paint).join(", ")}`;
      case "turn-clockwise":
        return first ? `twist the corner at ${names.location(first)} clockwise` : null;
      case "turn-anticlockwise":
        return first ? `twist the corner at ${names.location(first)} anticlockwise` : null;
      case "flip":
        return first ? `flip the edge at ${names.location(first)}` : null;
      case "exchange":
        return first && second
          ? `swap the ${first.kind}s at ${names.location(first)} and ${names.location(second)}`
          : null;
      default:
        return null;
    }
  };
  const changes = repair.changes.map(describeChange);
  return changes.length > 0 && changes.every((text) => text !== null) ? changes.join(", ") : repair.what;
}

/** The facelets of the pieces that an error names, in the engine's orientation. */
export function faultyFacelets(details: ErrorDetails): Set<number> {
  const pieces = (details.pieces ?? []).filter(({ kind }) => kind !== "colour" && kind !== "move");
  return new Set(pieces.flatMap(({ places }) => places));
}

/**
 * Splits a text before, inside and after a span of UTF-8 bytes; null if the span is empty or outside the
 * text.
 */
export function splitAtSpan(text: string, span: ErrorDetails["span"]): [string, string, string] | null {
  const [start, end] = span ?? [];
  if (start === undefined || end === undefined || end <= start) return null;
  const bytes = new TextEncoder().encode(text);
  if (end > bytes.length) return null;
  const part = (from: number, to?: number): string => new TextDecoder().decode(bytes.slice(from, to));
  return [part(0, start), part(start, end), part(end)];
}
