import { vitePreprocess } from "@sveltejs/vite-plugin-svelte";

export default {
  preprocess: vitePreprocess(),
  compilerOptions: {
    runes: true,
    // Class names depend on the style alone, not on the path of the checkout: builds are reproducible.
    cssHash: ({ hash, css }) => `u${hash(css)}`,
  },
};
