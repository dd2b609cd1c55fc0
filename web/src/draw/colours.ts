// Face colours in the order U R F D L B, followed by the colour of an unknown sticker.

export const COLOURS = [
  { name: "white", letter: "W", key: "w", paint: "#f6f6f3" },
  { name: "red", letter: "R", key: "r", paint: "#c62f2c" },
  { name: "green", letter: "G", key: "g", paint: "#1e9a52" },
  { name: "yellow", letter: "Y", key: "y", paint: "#f6cd1f" },
  { name: "orange", letter: "O", key: "o", paint: "#f28a1d" },
  { name: "blue", letter: "B", key: "b", paint: "#2467c9" },
  { name: "unknown", letter: "?", key: "?", paint: "#3a404a" },
] as const;
