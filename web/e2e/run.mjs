// Tries the page as a person does, with a service and without.
//
//   node e2e/run.mjs                         both; the program is $UNTUMBLE, else what cargo built
//   node e2e/run.mjs --at http://…/          a page that is served already
//   node e2e/run.mjs --alone                 from a plain file server, the engine in the browser
//   node e2e/run.mjs --only paint            tests whose name holds this word

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { launch, open } from "./browser.mjs";
import { folder, service } from "./servers.mjs";
import { tests } from "./tests.mjs";

const web = join(dirname(fileURLToPath(import.meta.url)), "..");
const given = process.argv.slice(2);
const value = (name) => (given.includes(name) ? given[given.indexOf(name) + 1] : undefined);

function program() {
  const built = process.env.CARGO_TARGET_DIR ?? join(web, "..", "target");
  const found = [process.env.UNTUMBLE, join(built, "release", "untumble"), join(built, "debug", "untumble")];
  const path = found.find((path) => path && existsSync(path));
  if (!path) throw new Error("no program found: build it with `cargo build --release`, or name it in UNTUMBLE");
  return path;
}

/** All tests at one address, each in a page of its own. */
async function run(browsers, name, base) {
  let failed = 0;
  for (const { title, test, alone = true, served = true, flat = false, options } of tests) {
    if (name === "alone" ? !alone : !served) continue;
    if (value("--only") && !title.includes(value("--only"))) continue;
    const begun = performance.now();
    const browser = flat ? browsers.flat : browsers.solid;
    const opened = await open(browser, base, options);
    opened.page.setDefaultTimeout(20_000);
    try {
      const said = await test({ ...opened, base, browser, place: name });
      if (opened.faults.length > 0) throw new Error(opened.faults.join("\n"));
      console.log(`ok      ${name}: ${title} (${Math.round(performance.now() - begun)} ms)${said ? `: ${said}` : ""}`);
    } catch (error) {
      failed += 1;
      console.log(`FAILED  ${name}: ${title}\n${error.stack}\n${opened.faults.join("\n")}`);
      if (value("--shots")) await opened.page.screenshot({ path: join(value("--shots"), `${title.replace(/\W+/g, "-")}.png`) });
    } finally {
      await opened.close();
    }
  }
  return failed;
}

const browsers = { solid: await launch(), flat: await launch({ flat: true }) };
let failed = 0;
try {
  if (value("--at")) {
    failed += await run(browsers, "service", value("--at"));
  } else {
    if (!given.includes("--alone")) {
      const served = await service(program());
      failed += await run(browsers, "service", served.base).finally(served.close);
    }
    const plain = await folder(join(web, "dist"));
    failed += await run(browsers, "alone", plain.base).finally(plain.close);
  }
} finally {
  await Promise.all(Object.values(browsers).map((browser) => browser.close()));
}
console.log(failed === 0 ? "all tests of the page passed" : `${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
