import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { defineConfig } from 'rolldown';

const library = createRequire(import.meta.url).resolve('@stdlib/stats-base-dists-t-cdf/package.json');

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
    output: {
      dir: 'dist/library',
      entryFileNames: '[name].cjs',
      format: 'cjs',
      minify: true,
      cleanDir: true,
    },
    plugins: [
      {
        name: 'licence of the library',
        // The notices of its authors are comments, which minifying keeps.
        generateBundle() {
          const source = readFileSync(join(dirname(library), 'LICENSE'), 'utf8');
          this.emitFile({ type: 'asset', fileName: 'stdlib-licence.txt', source });
        },
      },
    ],
  },
]);
