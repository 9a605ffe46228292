/** Loaded with --require into a process of a benchmark: when it ends, it writes which files it has loaded. */
import { takeOrder } from '../order.ts';

const { importedFiles: directory } = takeOrder();
// The benchmark, its workers and its child processes must not see this file.
delete require.cache[__filename];
const at = process.execArgv.indexOf(__filename);
if (at > 0) process.execArgv.splice(at - 1, 2);

// Nothing else is loaded before, so that a measured process is as it would be without this file.
process.once('exit', () => {
  if (directory === undefined) return;
  const { writeFileSync }: typeof import('node:fs') = require('node:fs');
  const { Session }: typeof import('node:inspector') = require('node:inspector');
  const { join }: typeof import('node:path') = require('node:path');
  const { pathToFileURL }: typeof import('node:url') = require('node:url');
  // A whole command can find its Node.js anywhere. Of a CommonJS module without functions, V8 keeps nothing.
  const files = new Set([process.execPath]);
  for (const path of Object.keys(require.cache))
    if (!/\.(json|node)$/.test(path)) files.add(pathToFileURL(path).href);
  // The profiler names the modules of both kinds, also those that were loaded before it. The debugger would hash all sources of Node.js.
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.getBestEffortCoverage', (_, coverage) => {
    for (const { url } of coverage?.result ?? []) if (url.startsWith('file:')) files.add(url);
  });
  // To disconnect would end the coverage of NODE_V8_COVERAGE.
  writeFileSync(
    join(directory, `${process.pid}-${process.hrtime.bigint()}.json`),
    JSON.stringify([...files]),
  );
});
