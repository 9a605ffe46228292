import { defineConfig } from 'rolldown';

/**
 * The entry that benchmark scripts import, as one file: every process of a benchmark loads it, and each further module costs
 * about half a millisecond; minifying saves some tenths of one. What only some scripts need stays in files of its own.
 */
export default defineConfig({
  cwd: import.meta.dirname,
  input: { index: 'dist/index.js' },
  preserveEntrySignatures: 'allow-extension',
  logLevel: 'warn',
  external: ['tinybench'],
  platform: 'node',
  output: {
    dir: 'dist/script',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    minify: true,
    cleanDir: true,
  },
});
