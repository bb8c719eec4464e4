import { defineConfig } from 'vite';

/** Static files for the server to serve at `/` under `default-src 'self'`: so nothing is inlined, as a data URI or otherwise. */
export default defineConfig({
  // `npx vite apps/console` beside a running server.
  server: { proxy: { '/api': 'http://127.0.0.1:3000' } },
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
