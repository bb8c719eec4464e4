import { defineConfig } from 'vite';

/** Static files for the server to serve at `/` under `default-src 'self'`: so nothing is inlined, as a data URI or otherwise. */
export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The first browsers with light-dark(); an older target would have the build rewrite every colour.
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
  },
});
