// Screenshots of every screen, in light and dark theme, at desktop and phone size.
//
//   npm run shots -- FOLDER [--at http://…/] [--dist FOLDER] [--only text]
//   npm run shots -- ../docs/pictures --readme          the three pictures of the README

import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { launch, openPage } from "./browser.mjs";
import { longSolutionLink } from "./long-solution.mjs";
import { serveFolder } from "./servers.mjs";
import { screens } from "./tests.mjs";

const [out = "shots", ...args] = process.argv.slice(2);
const option = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
const web = join(dirname(fileURLToPath(import.meta.url)), "..");

const moreScreens = {
  start: async (page, base) => {
    await page.goto(base);
    await page.getByText("This position can be solved.").waitFor();
  },
  searching: async (page, base) => {
    await page.goto(
      `${base}#/24-puzzle?position=14,5,9,2,18,8,23,19,12,17,15,0,10,20,4,6,11,21,1,7,24,3,16,22,13`,
    );
    await page.getByRole("button", { name: "Solve", exact: true }).click();
    await page.getByRole("heading", { name: /so far/ }).waitFor();
    await page.waitForTimeout(3000);
  },
  "34,000 moves": async (page, base) => {
    await page.goto(base + longSolutionLink());
    await page.getByText("0 / 34,000").waitFor();
    await page.locator(".timeline").fill("24000");
  },
};

/** The pictures of the README, with their themes (`true` is dark). */
const readmeScreens = {
  "page-cube": [false, screens["a cube in 3D"]],
  "page-large": [true, moreScreens["34,000 moves"]],
  "page-compare": [
    false,
    async (page, base) => {
      await page.goto(
        `${base}#/compare/8-puzzle?with=astar%2Bmanhattan&with=ida%2Blinear-conflict&with=greedy&count=30`,
      );
      await page.getByRole("button", { name: "Compare now" }).click();
      await page.getByText("90 searches", { exact: true }).waitFor({ timeout: 60_000 });
      await page.mouse.click(5, 5);
    },
  ],
};

mkdirSync(out, { recursive: true });
const server = option("--at")
  ? { base: option("--at"), close: () => {} }
  : await serveFolder(option("--dist") ?? join(web, "dist"));
const browser = await launch();
try {
  for (const [name, [dark, open]] of args.includes("--readme") ? Object.entries(readmeScreens) : []) {
    const { page, close } = await openPage(browser, server.base, { dark, motion: "reduce" });
    await open(page, server.base);
    await page.waitForTimeout(2500);
    await page.screenshot({ path: join(out, `${name}.png`) });
    await close();
  }
  for (const [name, open] of args.includes("--readme")
    ? []
    : Object.entries({ ...moreScreens, ...screens })) {
    if (option("--only") && !name.includes(option("--only"))) continue;
    for (const dark of [false, true]) {
      for (const phone of [false, true]) {
        const { page, faults, close } = await openPage(browser, server.base, {
          dark,
          phone,
          motion: "reduce",
        });
        await open(page, server.base);
        await page.waitForTimeout(name.includes("3D") ? 1500 : 300);
        const suffix = `${phone ? "phone" : "desktop"}-${dark ? "dark" : "light"}`;
        const file = join(out, `${name.replace(/\W+/g, "-")}-${suffix}.png`);
        await page.screenshot({ path: file, fullPage: true });
        console.log(file, ...faults);
        await close();
      }
    }
  }
} finally {
  await browser.close();
  server.close();
}
