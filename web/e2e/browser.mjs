// Chromium as the tests use it: no window, no profile, no calls to anybody.

import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const CANDIDATES = [process.env.UNTUMBLE_BROWSER, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** A browser that draws cubes in 3D without a graphics card, slowly; or, `flat`, one that cannot, and is quick. */
export async function launch({ flat = false } = {}) {
  const executablePath = CANDIDATES.find((path) => path && existsSync(path));
  if (!executablePath) throw new Error("no browser found: install Chromium, or name one in UNTUMBLE_BROWSER");
  return chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...(flat
        ? ["--disable-gpu", "--disable-3d-apis"]
        : ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"]),
    ],
  });
}

/** A page that notes what should not happen: errors, and requests to elsewhere. */
export async function open(browser, base, { dark = false, phone = false, motion = "no-preference" } = {}) {
  const context = await browser.newContext({
    viewport: phone ? { width: 390, height: 844 } : { width: 1280, height: 860 },
    deviceScaleFactor: phone ? 2 : 1,
    hasTouch: phone,
    colorScheme: dark ? "dark" : "light",
    reducedMotion: motion,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("console", (message) => {
    // The browser notes every answer above 399 by itself; that a position or a solver is none is an answer like any other, and that
    // no service answers is how a page by itself finds out.
    const expected = /Failed to load resource.*\b(400|404|422)\b/.test(message.text());
    if (["error", "warning"].includes(message.type()) && !expected) faults.push(`${message.type()}: ${message.text()}`);
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (!["data:", "blob:"].includes(url.protocol) && url.origin !== new URL(base).origin) faults.push(`request to ${url.origin}`);
  });
  return { page, faults, close: () => context.close() };
}
