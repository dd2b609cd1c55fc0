import { expect, test } from "vitest";
import { CubeRules } from "./cube";
import { explain, named } from "./explain";
import { PLAIN } from "./hold";

const cube = new CubeRules(3);
const CORNER = "the corner at UFR has colours R, U, F clockwise, which no corner has: the real one has R, F, U";

test("pieces are told by place and colour", () => {
  expect(explain(CORNER, cube, PLAIN)).toBe(
    "the corner at top-front-right has colours red, white, green clockwise, which no corner has: the real one has red, green, white",
  );
  expect(explain("expected 9 stickers of each colour, found 10 of `U`, 8 of `B`", cube, PLAIN)).toBe(
    "expected 9 stickers of each colour, found 10 of white, 8 of blue",
  );
});

test("places are those of the cube as it is held", () => {
  expect(explain("the edge at UF is flipped", cube, { top: "D", front: "F" })).toBe("the edge at bottom-front is flipped");
});

test("single stickers are told by face and number, as they are seen", () => {
  expect(explain("paint U9 U, R1 R", cube, PLAIN)).toBe("paint sticker 9 of the top face white, sticker 1 of the right face red");
  expect(explain("sticker U9 is not known", cube, { top: "D", front: "F" })).toBe("sticker 1 of the bottom face is not known");
});

test("the stickers of a piece that is named are found", () => {
  expect(named(CORNER, new CubeRules(3))).toEqual(new Set([8, 20, 9]));
  expect(named("sticker U9 is not known", new CubeRules(3))).toEqual(new Set([8]));
  expect(named("no moves solve it", new CubeRules(3)).size).toBe(0);
});
