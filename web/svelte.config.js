import { vitePreprocess } from "@sveltejs/vite-plugin-svelte";

export default {
  preprocess: vitePreprocess(),
  compilerOptions: {
    runes: true,
    // Names of styles follow from what they say, not from where the repository lies.
    cssHash: ({ hash, css }) => `u${hash(css)}`,
  },
};
