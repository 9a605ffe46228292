import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts'],
    env: {
      // Releases of Node.js that the tests fetch, and what commands record, stay inside the clone.
      BENCH_CLI_CACHE: fileURLToPath(new URL('node_modules/.cache/bench-cli', import.meta.url)),
    },
    testTimeout: 60_000,
    hookTimeout: 300_000,
  },
});
