// Face colours in the order U R F D L B, followed by the colour of an unknown sticker. On a dark colour,
// text is light.

export const COLOURS = [
  { name: "white", letter: "W", key: "w", paint: "#f6f6f3", dark: false },
  { name: "red", letter: "R", key: "r", paint: "#c62f2c", dark: true },
  { name: "green", letter: "G", key: "g", paint: "#1e9a52", dark: false },
  { name: "yellow", letter: "Y", key: "y", paint: "#f6cd1f", dark: false },
  { name: "orange", letter: "O", key: "o", paint: "#f28a1d", dark: false },
  { name: "blue", letter: "B", key: "b", paint: "#2467c9", dark: true },
  { name: "unknown", letter: "?", key: "?", paint: "#3a404a", dark: true },
] as const;
