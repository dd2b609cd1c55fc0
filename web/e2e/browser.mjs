// Headless Chromium for the tests: fresh profile, no background network requests.

import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const CANDIDATES = [
  process.env.UNTUMBLE_BROWSER,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/** Starts Chromium with WebGL in software (slow), or with `no3D` without WebGL (fast); `args` are added. */
export async function launch({ no3D = false, args = [] } = {}) {
  const executablePath = CANDIDATES.find((path) => path && existsSync(path));
  if (!executablePath)
    throw new Error("no browser found: install Chromium, or set UNTUMBLE_BROWSER to its path");
  return chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...(no3D
        ? ["--disable-gpu", "--disable-3d-apis"]
        : ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"]),
      ...args,
    ],
  });
}

/** Opens a page and collects its faults: errors, warnings, and requests to other origins. */
export async function openPage(
  browser,
  base,
  { dark = false, phone = false, motion = "no-preference" } = {},
) {
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
    // Chromium logs every error response. Invalid positions and solvers (400, 422) are expected, and so is
    // the missing API (404) of a page on a plain file server.
    const expected = /Failed to load resource.*\b(400|404|422)\b/.test(message.text());
    if (["error", "warning"].includes(message.type()) && !expected) {
      faults.push(`${message.type()}: ${message.text()}`);
    }
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    const external = !["data:", "blob:"].includes(url.protocol) && url.origin !== new URL(base).origin;
    if (external) faults.push(`request to ${url.origin}`);
  });
  return { page, faults, close: () => context.close() };
}
