// Pictures of every screen, light and dark, on a desk and on a phone.
//
//   npm run shots -- FOLDER [--at http://…/] [--only word]
//   npm run shots -- ../docs/pictures --readme          the three that the README shows

import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { launch, open } from "./browser.mjs";
import { long } from "./long.mjs";
import { folder } from "./servers.mjs";
import { screens } from "./tests.mjs";

const [out = "shots", ...given] = process.argv.slice(2);
const value = (name) => (given.includes(name) ? given[given.indexOf(name) + 1] : undefined);
const web = join(dirname(fileURLToPath(import.meta.url)), "..");

const more = {
  "start": async (page, base) => {
    await page.goto(base);
    await page.getByText("It can be solved.").waitFor();
  },
  "searching": async (page, base) => {
    await page.goto(`${base}#/24-puzzle?position=14,5,9,2,18,8,23,19,12,17,15,0,10,20,4,6,11,21,1,7,24,3,16,22,13`);
    await page.getByRole("button", { name: "Solve", exact: true }).click();
    await page.getByRole("heading", { name: /so far/ }).waitFor();
    await page.waitForTimeout(3000);
  },
  "34,000 moves": async (page, base) => {
    await page.goto(base + long());
    await page.getByText("0 / 34,000").waitFor();
    await page.locator(".timeline").fill("24000");
  },
};

/** What the README shows, as wide as its column and no higher than a screen. */
const readme = {
  "page-cube": [false, screens["a cube in 3D"]],
  "page-large": [true, more["34,000 moves"]],
  "page-compare": [
    false,
    async (page, base) => {
      await page.goto(`${base}#/compare/8-puzzle?with=astar%2Bmanhattan&with=ida%2Blinear-conflict&with=greedy&count=30`);
      await page.getByRole("button", { name: "Compare now" }).click();
      await page.getByText("90 searches", { exact: true }).waitFor({ timeout: 60_000 });
      await page.mouse.click(5, 5);
    },
  ],
};

mkdirSync(out, { recursive: true });
const plain = value("--at") ? { base: value("--at"), close: () => {} } : await folder(join(web, "dist"));
const browser = await launch();
try {
  for (const [name, [dark, show]] of given.includes("--readme") ? Object.entries(readme) : []) {
    const { page, close } = await open(browser, plain.base, { dark, motion: "reduce" });
    await show(page, plain.base);
    await page.waitForTimeout(2500);
    await page.screenshot({ path: join(out, `${name}.png`) });
    await close();
  }
  for (const [name, show] of given.includes("--readme") ? [] : Object.entries({ ...more, ...screens })) {
    if (value("--only") && !name.includes(value("--only"))) continue;
    for (const dark of [false, true]) {
      for (const phone of [false, true]) {
        const { page, faults, close } = await open(browser, plain.base, { dark, phone, motion: "reduce" });
        await show(page, plain.base);
        await page.waitForTimeout(name.includes("3D") ? 1500 : 300);
        const file = join(out, `${name.replace(/\W+/g, "-")}-${phone ? "phone" : "desk"}-${dark ? "dark" : "light"}.png`);
        await page.screenshot({ path: file, fullPage: true });
        console.log(file, ...faults);
        await close();
      }
    }
  }
} finally {
  await browser.close();
  plain.close();
}
