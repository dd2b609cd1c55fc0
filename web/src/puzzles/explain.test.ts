import { expect, test } from "vitest";
import { CubeRules } from "./cube";
import { explain, named } from "./explain";
import { PLAIN } from "./hold";

const CORNER = "the corner at UFR has colours R, U, F clockwise, which no corner has: the real one has R, F, U";

test("pieces are told by place and colour", () => {
  expect(explain(CORNER, PLAIN)).toBe(
    "the corner at top-front-right has colours red, white, green clockwise, which no corner has: the real one has red, green, white",
  );
  expect(explain("expected 9 stickers of each colour, found 10 of `U`, 8 of `B`", PLAIN)).toBe(
    "expected 9 stickers of each colour, found 10 of white, 8 of blue",
  );
});

test("places are those of the cube as it is held", () => {
  expect(explain("the edge at UF is flipped", { top: "D", front: "F" })).toBe("the edge at bottom-front is flipped");
});

test("the stickers of a piece that is named are found", () => {
  expect(named(CORNER, new CubeRules(3))).toEqual(new Set([8, 20, 9]));
  expect(named("sticker U9 is not known", new CubeRules(3))).toEqual(new Set([8]));
  expect(named("no moves solve it", new CubeRules(3)).size).toBe(0);
});
