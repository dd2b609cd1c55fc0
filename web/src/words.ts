// Figures and words as people read them.

const whole = new Intl.NumberFormat("en");

/** 12,345 */
export const counted = (n: number): string => whole.format(Math.round(n));

/** `1 move`, `2 moves` */
export const several = (n: number, what: string): string => `${counted(n)} ${what}${n === 1 ? "" : "s"}`;

/** 1.2 k, 34 M */
export function short(n: number): string {
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
export function lasting(seconds: number): string {
  if (seconds < 0.0995) return `${Number((seconds * 1000).toPrecision(2))} ms`;
  if (seconds < 9.95) return `${seconds.toFixed(seconds < 0.995 ? 2 : 1)} s`;
  if (seconds < 59.5) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(Math.round(seconds) / 60);
  return `${minutes} min ${Math.round(seconds) % 60} s`;
}

/** 3.4 MB */
export function sized(bytes: number): string {
  const units = ["B", "kB", "MB", "GB"];
  let unit = 0;
  let value = bytes;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value < 9.95 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** A sentence: a capital in front, a full stop behind. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  if (!trimmed) return "";
  const small = (at: number): boolean => trimmed.charAt(at) >= "a" && trimmed.charAt(at) <= "z";
  const first = small(0) && small(1) ? trimmed.charAt(0).toUpperCase() + trimmed.slice(1) : trimmed;
  return [".", "!", "?", "…"].some((end) => first.endsWith(end)) ? first : `${first}.`;
}
