import { readFileSync } from 'node:fs';
import { register } from 'node:module';
import { manifestVariable } from './manifest.ts';

// Loaded with --import into runtimes without module.registerHooks: Node.js 18.19, and 20.6 and later.
register('./async-hooks.js', import.meta.url, {
  data: JSON.parse(readFileSync(process.env[manifestVariable] ?? '', 'utf8')),
});
