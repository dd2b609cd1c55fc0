// Numbers, durations and sentences for display.

const wholeNumber = new Intl.NumberFormat("en");

/** 12,345 */
export const formatCount = (n: number): string => wholeNumber.format(Math.round(n));

/** `1 move`, `2 moves`; an irregular plural is passed in. */
export const pluralize = (n: number, noun: string, plural = `${noun}s`): string =>
  `${formatCount(n)} ${n === 1 ? noun : plural}`;

/** 1.2 k, 34 M */
export function formatCompact(n: number): string {
  const units = ["", " k", " M", " G", " T"];
  let unit = 0;
  let value = n;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value < 9.95 && unit > 0 ? value.toFixed(1) : Math.round(value)}${units[unit]}`;
}

/** 12 ms, 3.4 s, 2 min 5 s */
export function formatDuration(seconds: number): string {
  if (seconds < 0.0995) return `${Number((seconds * 1000).toPrecision(2))} ms`;
  if (seconds < 9.95) return `${seconds.toFixed(seconds < 0.995 ? 2 : 1)} s`;
  if (seconds < 59.5) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(Math.round(seconds) / 60);
  return `${minutes} min ${Math.round(seconds) % 60} s`;
}

/** 3.4 MB, in powers of 1024 */
export function formatBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB"];
  let unit = 0;
  let value = bytes;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value < 9.95 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** The text with a capital first letter. */
export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Capitalizes the first word and adds a full stop; code such as `x` keeps its case. */
export function toSentence(text: string): string {
  const trimmed = text.trim();
  if (!trimmed) return "";
  const isLower = (index: number): boolean => trimmed.charAt(index) >= "a" && trimmed.charAt(index) <= "z";
  const capitalized = isLower(0) && isLower(1) ? capitalize(trimmed) : trimmed;
  return [".", "!", "?", "…"].some((mark) => capitalized.endsWith(mark)) ? capitalized : `${capitalized}.`;
}
