import { defineConfig } from 'rolldown';
import { licences } from '../../scripts/licences.ts';

/**
 * The runner, and the load process, each with the libraries that it needs and in few files, since small files are slow to
 * load. They lie at the root of the modules, as `locations.ts` expects.
 */
export default defineConfig({
  cwd: import.meta.dirname,
  input: { bundle: 'dist/index.js', 'load-process': 'dist/http/load-process.js' },
  logLevel: 'warn',
  external: [/^@bench-cli\//],
  platform: 'node',
  plugins: [licences()],
  output: { dir: 'dist', entryFileNames: '[name].js', chunkFileNames: 'bundle-[name].js' },
});
