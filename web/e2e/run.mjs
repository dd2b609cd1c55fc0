// Runs the end-to-end tests, with the service and from a plain file server.
//
//   node e2e/run.mjs                         both; the program is $UNTUMBLE, or the one that cargo built
//   node e2e/run.mjs --at http://…/          only against a service that is already running
//   node e2e/run.mjs --alone                 only from a plain file server, with the engine in the browser
//   node e2e/run.mjs --alone --dist FOLDER   a build in another folder than dist/
//   node e2e/run.mjs --only paint            only tests whose title contains this text
//   node e2e/run.mjs --shots FOLDER          saves a screenshot of each failed test

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { launch, openPage } from "./browser.mjs";
import { foreignPageTests } from "./foreign-pages.mjs";
import { serveFolder, startService } from "./servers.mjs";
import { tests } from "./tests.mjs";

const web = join(dirname(fileURLToPath(import.meta.url)), "..");
const args = process.argv.slice(2);
const option = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);

function findProgram() {
  const target = process.env.CARGO_TARGET_DIR ?? join(web, "..", "target");
  const candidates = [
    process.env.UNTUMBLE,
    join(target, "release", "untumble"),
    join(target, "debug", "untumble"),
  ];
  const path = candidates.find((path) => path && existsSync(path));
  if (!path)
    throw new Error("no program found: build it with `cargo build --release`, or set UNTUMBLE to its path");
  return path;
}

/** Runs all tests at one address, each in a fresh page; returns the number of failures. */
async function runTests(browsers, server, base) {
  let failed = 0;
  for (const { title, test, alone = true, service = true, no3D = false, options } of tests) {
    if (server === "alone" ? !alone : !service) continue;
    if (option("--only") && !title.includes(option("--only"))) continue;
    const start = performance.now();
    const browser = no3D ? browsers.no3D : browsers.webgl;
    const opened = await openPage(browser, base, options);
    opened.page.setDefaultTimeout(20_000);
    try {
      const note = await test({ ...opened, base, browser, server });
      if (opened.faults.length > 0) throw new Error(opened.faults.join("\n"));
      const time = Math.round(performance.now() - start);
      console.log(`ok      ${server}: ${title} (${time} ms)${note ? `: ${note}` : ""}`);
    } catch (error) {
      failed += 1;
      console.log(`FAILED  ${server}: ${title}\n${error.stack}\n${opened.faults.join("\n")}`);
      const path = option("--shots") && join(option("--shots"), `${title.replace(/\W+/g, "-")}.png`);
      if (path) await opened.page.screenshot({ path });
    } finally {
      await opened.close();
    }
  }
  return failed;
}

/** Runs the tests of foreign pages; each starts its own service and browser. Returns the failures. */
async function runForeignPageTests(program) {
  let failed = 0;
  for (const { title, test } of foreignPageTests) {
    if (option("--only") && !title.includes(option("--only"))) continue;
    const start = performance.now();
    try {
      const note = await test(program);
      console.log(`ok      ${title} (${Math.round(performance.now() - start)} ms): ${note}`);
    } catch (error) {
      failed += 1;
      console.log(`FAILED  ${title}\n${error.stack}`);
    }
  }
  return failed;
}

const browsers = { webgl: await launch(), no3D: await launch({ no3D: true }) };
let failed = 0;
try {
  if (option("--at")) {
    failed += await runTests(browsers, "service", option("--at"));
  } else {
    const withService = async () => {
      const service = await startService(findProgram());
      return runTests(browsers, "service", service.base).finally(service.close);
    };
    const withoutService = async () => {
      const files = await serveFolder(option("--dist") ?? join(web, "dist"));
      return runTests(browsers, "alone", files.base).finally(files.close);
    };
    const foreignPages = () => runForeignPageTests(findProgram());
    const runs = args.includes("--alone") ? [withoutService] : [withService, withoutService, foreignPages];
    if (process.env.UNTUMBLE_TIMING) {
      // Response times are measured one run after the other.
      for (const run of runs) failed += await run();
    } else {
      for (const count of await Promise.all(runs.map((run) => run()))) failed += count;
    }
  }
} finally {
  await Promise.all(Object.values(browsers).map((browser) => browser.close()));
}
console.log(failed === 0 ? "all end-to-end tests passed" : `${failed} tests failed`);
process.exitCode = failed === 0 ? 0 : 1;
