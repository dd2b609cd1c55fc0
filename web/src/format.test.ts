import { expect, test } from "vitest";
import { formatBytes, formatCompact, formatCount, formatDuration, pluralize, toSentence } from "./format";

test("counts have thousands separators, and nouns agree with their number", () => {
  expect(formatCount(1234567)).toBe("1,234,567");
  expect([pluralize(1, "move"), pluralize(1000, "node"), pluralize(2, "search", "searches")]).toEqual([
    "1 move",
    "1,000 nodes",
    "2 searches",
  ]);
});

test("large numbers, durations and sizes have units", () => {
  expect([0, 999, 1000, 12345, 999999, 4.2e9].map(formatCompact)).toEqual([
    "0",
    "999",
    "1.0 k",
    "12 k",
    "1.0 M",
    "4.2 G",
  ]);
  expect([0.00012, 0.0123, 0.25, 3.21, 42.4, 61, 3600].map(formatDuration)).toEqual([
    "0.12 ms",
    "12 ms",
    "0.25 s",
    "3.2 s",
    "42 s",
    "1 min 1 s",
    "60 min 0 s",
  ]);
  expect([100, 2048, 5 * 1024 * 1024].map(formatBytes)).toEqual(["100 B", "2.0 kB", "5.0 MB"]);
});

test("a sentence begins with a capital letter and ends with a stop", () => {
  expect(["item 7: wrong", "`x` is no move", "Done!", " "].map(toSentence)).toEqual([
    "Item 7: wrong.",
    "`x` is no move.",
    "Done!",
    "",
  ]);
});
