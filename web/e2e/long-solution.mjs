// An answer of 34,000 moves on the largest board of the contest: the hardest thing the page has to show.

const BACK = { 1: "C", 2: "D", 3: "E", 4: "F", 5: "A", 6: "B", A: "5", B: "6", C: "1", D: "2", E: "3", F: "4" };

/** Moves from solved, drawn by a small generator, and the moves that take them back. */
export function long(length = 34_000) {
  let seed = 7;
  const draw = () => (seed = (seed * 1103515245 + 12345) % 2147483648) >> 16;
  const there = Array.from({ length }, (_, i) => (i % 2 === 0 ? "123456" : "ABCDEF")[draw() % 6]);
  const answer = there.toReversed().map((move) => BACK[move]);
  return `#/balto-27?position=${there.join("")}&moves=${answer.join("")}`;
}

/** Times in milliseconds: on the wall, and the processor's alone, of the thread that the page runs on. */
export async function measure(page, base, length = 34_000) {
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  const worked = async () => {
    const { metrics } = await client.send("Performance.getMetrics");
    return 1000 * metrics.find(({ name }) => name === "TaskDuration").value;
  };
  await page.goto("about:blank");
  await page.goto(base + long(length));
  await page.getByText(`0 / ${new Intl.NumberFormat("en").format(length)}`).waitFor();
  const work = { first: await worked() };
  // The page notes when it has drawn, counted from where the navigation began.
  const wall = { first: await page.evaluate(() => performance.getEntriesByName("drawn").at(-1).startTime) };
  await page.waitForTimeout(1000);

  /** Acts many times, and tells how long each took until the frame was done. */
  const run = (what, count) =>
    page.evaluate(
      async ([what, count]) => {
        const timeline = document.querySelector(".timeline");
        const acts = {
          step: (i) =>
            document.querySelector("main").dispatchEvent(new KeyboardEvent("keydown", { key: i % 3 === 2 ? "ArrowLeft" : "ArrowRight", bubbles: true })),
          jump: (i) => {
            timeline.value = Math.floor((Number(timeline.max) * ((i * 37) % 100)) / 100);
            timeline.dispatchEvent(new Event("input", { bubbles: true }));
          },
        };
        const times = [];
        for (let i = 0; i < count; i++) {
          const took = await new Promise((resolve) => {
            requestAnimationFrame(() => {
              const begun = performance.now();
              acts[what](i);
              const channel = new MessageChannel();
              channel.port1.onmessage = () => resolve(performance.now() - begun);
              channel.port2.postMessage(0);
            });
          });
          times.push(took);
        }
        return times.toSorted((a, b) => a - b)[Math.floor(0.5 * count)];
      },
      [what, count],
    );
  for (const [what, count] of [["step", 100], ["jump", 20]]) {
    const since = await worked();
    wall[what] = await run(what, count);
    work[what] = ((await worked()) - since) / count;
  }
  return { wall, work };
}
