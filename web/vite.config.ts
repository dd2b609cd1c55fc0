import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { excludePuzzles } from "./scripts/exclude-puzzles.mjs";
import { notices } from "./scripts/notices.mjs";

// All URLs are relative, so that the page works from any folder of any file server.
export default defineConfig({
  base: "./",
  plugins: [svelte(), excludePuzzles(), notices()],
  worker: { format: "es" },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8081", changeOrigin: false } } },
  build: {
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1200,
    reportCompressedSize: false,
  },
  test: { include: ["src/**/*.test.ts"], environment: "node" },
});
