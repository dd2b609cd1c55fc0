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

/** The worst step, the worst jump and the time until all is there, in milliseconds. */
export async function measure(page, base, length = 34_000) {
  await page.goto("about:blank");
  await page.goto(base + long(length));
  const shown = new Intl.NumberFormat("en").format(length);
  await page.getByText(`0 / ${shown}`).waitFor({ timeout: 20_000 });
  // The page notes when it has drawn; the rest is counted from where the navigation began.
  const first = await page.evaluate(() => performance.getEntriesByName("drawn")[0]?.startTime ?? NaN);
  return page.evaluate(async (first) => {
    /** From an event to the end of the frame that shows what came of it. */
    const timed = (act) =>
      new Promise((resolve) => {
        requestAnimationFrame(() => {
          const begun = performance.now();
          act();
          const channel = new MessageChannel();
          channel.port1.onmessage = () => resolve(performance.now() - begun);
          // Svelte draws in a microtask; the message comes after the frame.
          queueMicrotask(() => queueMicrotask(() => channel.port2.postMessage(0)));
        });
      });
    const key = (name) => window.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
    const press = (name) => document.querySelector("main").dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
    const timeline = document.querySelector(".timeline");
    const jump = (step) => {
      timeline.value = step;
      timeline.dispatchEvent(new Event("input", { bubbles: true }));
    };
    const steps = [];
    const jumps = [];
    for (let i = 0; i < 5; i++) await timed(() => press("ArrowRight"));
    for (let i = 0; i < 300; i++) steps.push(await timed(() => press(i % 3 === 2 ? "ArrowLeft" : "ArrowRight")));
    for (const part of [0.5, 0.1, 0.9, 0, 1, 0.37, 0.74]) jumps.push(await timed(() => jump(Math.floor(Number(timeline.max) * part))));
    void key;
    const sorted = steps.toSorted((a, b) => a - b);
    return { first, step: sorted.at(-1), median: sorted[150], jump: Math.max(...jumps), jumps };
  }, first);
}
