// Pages of other origins in a browser whose local-network protection is switched off.
//
// A page on a rebound host name and pages of foreign origins send every kind of request that a page can send
// without the permission of the service. The service must answer none and run nothing. The same requests to a
// service that allows host and origin must be answered: otherwise the test would prove nothing.

import assert from "node:assert/strict";
import { launch } from "./browser.mjs";
import { forwardName, serveForeignPage, startService } from "./servers.mjs";

const REBOUND = "rebound.example";
const FOREIGN = "foreign.example";
const SOLVE = "api/v1/solve/8-puzzle/8%206%207%202%205%204%203%200%201";
const JOB = { puzzle: "8-puzzle", position: "8 6 7 2 5 4 3 0 1" };
const EIGHT_PUZZLE_LENGTH = 31;

/** Chromium features that keep public pages from local addresses, and the upgrade of addresses to HTTPS. */
const PROTECTIONS = [
  "LocalNetworkAccessChecks",
  "LocalNetworkAccessForNavigations",
  "LocalNetworkAccessForWorkers",
  "PrivateNetworkAccessSendPreflights",
  "PrivateNetworkAccessRespectPreflightResults",
  "PrivateNetworkAccessForNavigations",
  "PrivateNetworkAccessForWorkers",
  "BlockInsecurePrivateNetworkRequests",
  "BlockInsecurePrivateNetworkRequestsForNavigations",
  "HttpsUpgrades",
];

/** The value of every metric, by name and labels. */
async function metrics(base) {
  const text = await (await fetch(`${base}metrics`)).text();
  const lines = text.split("\n").filter((line) => line && !line.startsWith("#"));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]));
}

/** The metrics that change when a search or a job runs. */
const work = (all) => [...all].filter(([name]) => /^untumble_(nodes|jobs)/.test(name)).toSorted();

/** Requests to the API by their status, without those of `before`. */
function statuses(before, after) {
  const counts = {};
  for (const [name, count] of after) {
    const [, route, status] =
      /^untumble_requests_total\{route="(\/[^"]*)",.*status="(\d+)"/.exec(name) ?? [];
    // The test itself reads the metrics.
    if (!route || (route === "/metrics" && status === "200")) continue;
    const difference = count - (before.get(name) ?? 0);
    if (difference > 0) counts[status] = (counts[status] ?? 0) + difference;
  }
  return counts;
}

/** Begins a job as a legitimate client and waits for its end; returns its path. */
async function finishedJob(base) {
  const created = await fetch(`${base}api/v1/jobs`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(JOB),
  });
  const path = created.headers.get("location").slice(1);
  // The stream ends with the job.
  await (await fetch(`${base}${path}/events`)).text();
  return path;
}

/**
 * Runs in the page: sends every kind of request to the service at `base`. Returns what the page received of
 * each: the status or text of an answer, or "nothing".
 */
async function sendRequests({ base, solve, job, finished }) {
  const body = JSON.stringify(job);
  const json = { "content-type": "application/json" };
  const text = { "content-type": "text/plain" };
  const received = {};
  const send = async (name, path, options) => {
    try {
      const response = await fetch(base + path, options);
      received[name] = `${response.status} ${await response.text()}`;
    } catch {
      received[name] = "nothing";
    }
  };
  for (const mode of ["cors", "no-cors"]) {
    await send(`fetch solve, ${mode}`, solve, { mode });
    await send(`fetch short solve, ${mode}`, solve.replace("api/v1/", ""), { mode });
    await send(`fetch puzzles, ${mode}`, "api/v1/puzzles", { mode });
    await send(`fetch metrics, ${mode}`, "metrics", { mode });
    await send(`fetch job, ${mode}`, finished, { mode });
    await send(`post job as JSON, ${mode}`, "api/v1/jobs", { method: "POST", mode, headers: json, body });
    await send(`post job as text, ${mode}`, "api/v1/jobs", { method: "POST", mode, headers: text, body });
  }
  await send("cancel job", finished, { method: "DELETE" });
  await send("fetch without referrer", solve, { mode: "no-cors", referrerPolicy: "no-referrer" });
  navigator.sendBeacon(`${base}api/v1/jobs`, new Blob([body], { type: "text/plain" }));

  const wait = (name, begin) =>
    new Promise((resolve) => {
      begin((result) => {
        received[name] = result;
        resolve();
      });
    });
  await wait("event stream", (done) => {
    const source = new EventSource(`${base}${finished}/events`);
    source.addEventListener("answer", (event) => done(event.data));
    source.addEventListener("error", () => done("nothing"));
    source.addEventListener("done", () => source.close());
  });
  const addElement = (name, properties) =>
    wait(name, (done) => {
      const element = Object.assign(document.createElement(name), properties);
      element.addEventListener("load", () => done("load"));
      element.addEventListener("error", () => done("nothing"));
      document.body.append(element);
    });
  await addElement("img", { src: base + solve });
  await addElement("script", { src: base + solve });
  await addElement("link", { rel: "stylesheet", href: base + solve });
  // Frames fire `load` for error pages as well; their content tells whether there was an answer.
  const frameText = (frame) => {
    try {
      return frame.contentDocument?.body?.innerText || "nothing";
    } catch {
      return "nothing";
    }
  };
  await wait("iframe", (done) => {
    const frame = Object.assign(document.createElement("iframe"), { src: base + solve });
    frame.addEventListener("load", () => done(frameText(frame)));
    document.body.append(frame);
  });
  for (const enctype of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
    await wait(`form, ${enctype}`, (done) => {
      const frame = Object.assign(document.createElement("iframe"), { name: enctype });
      document.body.append(frame);
      const form = Object.assign(document.createElement("form"), {
        action: `${base}api/v1/jobs`,
        method: "post",
        target: enctype,
        enctype,
      });
      // As text/plain, name and value are sent as `name=value`: here valid JSON with a string that has `=`.
      const name = `${body.slice(0, -1)},"note":"`;
      form.append(Object.assign(document.createElement("input"), { name, value: '"}' }));
      frame.addEventListener("load", () => done(frameText(frame)));
      document.body.append(form);
      form.submit();
    });
  }
  return received;
}

/** The number of requests that `sendRequests` and one navigation send; two of them are preflight requests. */
const REQUESTS = 26;

/** Whether a page received an answer of the API, or anything but an error. */
function isAnswer(result) {
  return result !== "nothing" && !/^403 |"code":\s*"forbidden"/.test(result);
}

/** Sends all requests from `page`; fails unless the service refused each and did no work. */
async function expectRefusal(page, service, base, from) {
  const finished = await finishedJob(service.base);
  const before = await metrics(service.base);
  const received = await page.evaluate(sendRequests, { base, solve: SOLVE, job: JOB, finished });
  const answers = Object.entries(received).filter(([, result]) => isAnswer(result));
  assert.deepEqual(answers, [], `${from}: answers that the page received`);
  // A link or a redirect of the page opens the address in the window.
  await page.evaluate((address) => void location.assign(address), base + SOLVE);
  await page.waitForURL(base + SOLVE);
  assert.match(await page.content(), /forbidden/, `${from}: a navigation`);
  const after = await metrics(service.base);
  assert.deepEqual(work(after), work(before), `${from}: the service worked for the page`);
  const counts = statuses(before, after);
  assert.deepEqual(Object.keys(counts), ["403"], `${from}: statuses ${JSON.stringify(counts)}`);
  // Chromium itself must not have blocked the requests.
  assert.ok(counts["403"] >= REQUESTS, `${from}: only ${counts["403"]} requests arrived`);
  return `${counts["403"]} requests ${from}`;
}

/** Starts Chromium without local-network protection; both host names lead to this machine. */
function launchUnprotected(reboundPort) {
  return launch({
    no3D: true,
    args: [
      `--disable-features=${PROTECTIONS.join(",")}`,
      `--host-resolver-rules=MAP ${REBOUND} 127.0.0.1:${reboundPort}, MAP ${FOREIGN} 127.0.0.1`,
      "--no-proxy-server",
    ],
  });
}

/** Provides a service with these arguments, a foreign site and a browser to `test`, and ends them after it. */
async function withForeignSites(program, serviceArguments, test) {
  const site = await serveForeignPage();
  const name = await forwardName(site.port);
  const service = await startService(program, serviceArguments(site));
  const browser = await launchUnprotected(name.port);
  const open = async (address) => {
    const page = await (await browser.newContext()).newPage();
    page.setDefaultTimeout(20_000);
    await page.goto(address);
    return page;
  };
  try {
    return await test({ service, site, name, open, port: new URL(service.base).port });
  } finally {
    await browser.close();
    for (const server of [service, name, site]) server.close();
  }
}

/** Opens the foreign page by the name `REBOUND`, then makes the name lead to the service. */
async function openRebound({ open, name, port }) {
  const page = await open(`http://${REBOUND}:${port}/`);
  name.rebind(port);
  return page;
}

export const foreignPageTests = [
  {
    title: "foreign pages: a rebound host name gets no answer",
    test: (program) =>
      withForeignSites(program, () => [], async (setting) => {
        const page = await openRebound(setting);
        return expectRefusal(page, setting.service, `http://${REBOUND}:${setting.port}/`, "by a rebound name");
      }),
  },
  {
    title: "foreign pages: other origins get no answer",
    test: (program) =>
      withForeignSites(program, () => [], async ({ service, site, open }) => {
        const notes = [];
        for (const [host, from] of [
          [FOREIGN, "from another site"],
          ["127.0.0.1", "from another port"],
        ]) {
          const page = await open(`http://${host}:${site.port}/`);
          notes.push(await expectRefusal(page, service, service.base, from));
        }
        return notes.join(", ");
      }),
  },
  {
    title: "foreign pages: an allowed host and an allowed origin get answers",
    test: (program) => {
      const allowed = (site) => [
        ...["--allow-host", REBOUND],
        ...["--allow-origin", `http://${FOREIGN}:${site.port}`],
      ];
      return withForeignSites(program, allowed, async (setting) => {
        const { service, site, open, port } = setting;
        const pages = [
          [await openRebound(setting), `http://${REBOUND}:${port}/`],
          [await open(`http://${FOREIGN}:${site.port}/`), service.base],
        ];
        for (const [page, base] of pages) {
          const finished = await finishedJob(service.base);
          const before = await metrics(service.base);
          const received = await page.evaluate(sendRequests, { base, solve: SOLVE, job: JOB, finished });
          const length = JSON.parse(received["fetch solve, cors"].replace(/^200 /, "")).length;
          assert.equal(length, EIGHT_PUZZLE_LENGTH, "fetch");
          assert.match(received["post job as JSON, cors"], /^201 /);
          assert.match(received["event stream"], /"length":\s*31/);
          assert.notDeepEqual(work(await metrics(service.base)), work(before), "the service worked");
        }
        return "fetch, jobs and event streams";
      });
    },
  },
];
