/** Loaded with --require into a process of a benchmark. Lists the loaded files when the process ends. */
import { hideFile, takeOrder } from '../taken-order.ts';

const { importedFiles: directory } = takeOrder();
hideFile(__filename);

// Modules are loaded only at the end, so that they do not affect what is measured.
process.once('exit', () => {
  if (directory === undefined) return;
  const { writeFileSync }: typeof import('node:fs') = require('node:fs');
  const { Session }: typeof import('node:inspector') = require('node:inspector');
  const { join }: typeof import('node:path') = require('node:path');
  const { pathToFileURL }: typeof import('node:url') = require('node:url');
  // The Node.js of a whole command can be anywhere. V8 forgets a CommonJS module without functions.
  const files = new Set([process.execPath]);
  for (const path of Object.keys(require.cache))
    if (!/\.(json|node)$/.test(path)) files.add(pathToFileURL(path).href);
  // The profiler knows modules of both kinds and earlier ones. The debugger would hash their sources.
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.getBestEffortCoverage', (_, coverage) => {
    for (const { url } of coverage?.result ?? []) if (url.startsWith('file:')) files.add(url);
  });
  // Disconnecting would end the coverage of NODE_V8_COVERAGE.
  const list = join(directory, `${process.pid}-${process.hrtime.bigint()}.json`);
  writeFileSync(list, JSON.stringify([...files]));
});
