import { defineConfig } from 'rolldown';
import { licences } from '../../scripts/licences.ts';

export default defineConfig([
  /**
   * The entry that benchmark scripts import, as one file: every process of a benchmark loads it, and each further module
   * costs about half a millisecond. Minified it takes some tenths of one less. What only some scripts need stays in files
   * of its own.
   */
  {
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
  },
  /**
   * The runner, with the libraries that every session needs, for the same reason. It lies beside its modules, whose URLs
   * lead to the preloads and to the reaper.
   */
  {
    cwd: import.meta.dirname,
    input: { bundle: 'dist/runner/index.js' },
    logLevel: 'warn',
    external: ['amaro', 'execa', 'tar', /^@bench-cli\//],
    platform: 'node',
    plugins: [licences()],
    output: {
      dir: 'dist/runner',
      entryFileNames: '[name].js',
      chunkFileNames: 'bundle-[name].js',
    },
  },
]);
