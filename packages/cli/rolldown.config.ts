import { defineConfig } from 'rolldown';
import { licences } from '../../scripts/licences.ts';

/** The command, with what reads its arguments, in few files: small ones are slow to load. It lies where its modules do. */
export default defineConfig({
  cwd: import.meta.dirname,
  input: { bundle: 'dist/main.js' },
  logLevel: 'warn',
  external: ['zod', /^@bench-cli\//],
  platform: 'node',
  plugins: [licences()],
  output: { dir: 'dist', entryFileNames: '[name].js', chunkFileNames: 'bundle-[name].js' },
});
