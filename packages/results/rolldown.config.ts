import { defineConfig } from 'rolldown';
import { licences } from '../../scripts/licences.ts';

/** Both entries in few files, since small files are slow to load, with the library that validates lines. */
export default defineConfig({
  cwd: import.meta.dirname,
  input: { index: 'dist/index.js', recording: 'dist/recording/index.js' },
  logLevel: 'warn',
  platform: 'node',
  plugins: [licences()],
  output: { dir: 'dist/bundle', chunkFileNames: '[name].js', cleanDir: true },
});
