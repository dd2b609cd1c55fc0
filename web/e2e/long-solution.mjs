// Rendering performance with a solution of 34,000 moves on the largest board of the Balto contest.

const INVERSE = {
  1: "C",
  2: "D",
  3: "E",
  4: "F",
  5: "A",
  6: "B",
  A: "5",
  B: "6",
  C: "1",
  D: "2",
  E: "3",
  F: "4",
};

/** A link with a pseudo-random scramble (linear congruential generator) and its inverse as the solution. */
export function longSolutionLink(length = 34_000) {
  let seed = 7;
  const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) >> 16;
  const scramble = Array.from({ length }, (_, i) => (i % 2 === 0 ? "123456" : "ABCDEF")[random() % 6]);
  const solution = scramble.toReversed().map((move) => INVERSE[move]);
  return `#/balto-27?position=${scramble.join("")}&moves=${solution.join("")}`;
}

/**
 * Measures first paint, step and jump in milliseconds: `wall` is wall-clock time, `cpu` time of the main
 * thread.
 */
export async function measureRendering(page, base, length = 34_000) {
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  const cpuTime = async () => {
    const { metrics } = await client.send("Performance.getMetrics");
    return 1000 * metrics.find(({ name }) => name === "TaskDuration").value;
  };
  await page.goto("about:blank");
  await page.goto(base + longSolutionLink(length));
  await page.getByText(`0 / ${new Intl.NumberFormat("en").format(length)}`).waitFor();
  const cpu = { first: await cpuTime() };
  // The page sets a performance mark at the first paint, relative to the start of the navigation.
  const wall = { first: await page.evaluate(() => performance.getEntriesByName("drawn").at(-1).startTime) };
  await page.waitForTimeout(1000);

  /** Repeats an action; the median time until its frame is rendered. */
  const medianTime = (action, count) =>
    page.evaluate(
      async ([action, count]) => {
        const timeline = document.querySelector(".timeline");
        const actions = {
          step: (i) => {
            const key = i % 3 === 2 ? "ArrowLeft" : "ArrowRight";
            document
              .querySelector("main")
              .dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
          },
          jump: (i) => {
            timeline.value = Math.floor((Number(timeline.max) * ((i * 37) % 100)) / 100);
            timeline.dispatchEvent(new Event("input", { bubbles: true }));
          },
        };
        const times = [];
        for (let i = 0; i < count; i++) {
          const time = await new Promise((resolve) => {
            requestAnimationFrame(() => {
              const start = performance.now();
              actions[action](i);
              const channel = new MessageChannel();
              channel.port1.onmessage = () => resolve(performance.now() - start);
              channel.port2.postMessage(0);
            });
          });
          times.push(time);
        }
        return times.toSorted((a, b) => a - b)[Math.floor(0.5 * count)];
      },
      [action, count],
    );
  for (const [action, count] of [
    ["step", 100],
    ["jump", 20],
  ]) {
    const before = await cpuTime();
    wall[action] = await medianTime(action, count);
    cpu[action] = ((await cpuTime()) - before) / count;
  }
  return { wall, cpu };
}
