import { defineConfig } from 'rolldown';
import { licences } from '../../scripts/licences.ts';

/** The package as one file, and the distributions as another: small files are slow to load. */
export default defineConfig([
  {
    cwd: import.meta.dirname,
    input: { index: 'dist/index.js' },
    logLevel: 'warn',
    external: ['get-east-asian-width'],
    platform: 'node',
    output: { dir: 'dist/bundle', cleanDir: true },
  },
  {
    cwd: import.meta.dirname,
    input: { distributions: 'dist/distributions.js' },
    logLevel: 'warn',
    platform: 'node',
    // The notices of the authors are comments, which minifying keeps.
    plugins: [licences()],
    output: {
      dir: 'dist/library',
      entryFileNames: '[name].cjs',
      format: 'cjs',
      minify: true,
      cleanDir: true,
    },
  },
]);
