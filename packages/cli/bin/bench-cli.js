#!/usr/bin/env node
if (process.permission !== undefined) {
  console.error(
    'bench-cli starts programs and writes files: leave --permission out of NODE_OPTIONS, and give it to a subject: node@26,flags=--permission',
  );
  process.exit(2);
}
try {
  await import('./node-version.js');
} catch (error) {
  console.error(error.message);
  process.exit(2);
}
// With --jitless there is none, and benchmark files cannot be read.
if (typeof WebAssembly === 'undefined') {
  console.error(
    'bench-cli requires WebAssembly: leave --jitless out of NODE_OPTIONS, and give it to a subject: node@26,flags=--jitless',
  );
  process.exit(2);
}
await import('../lib/compile-cache.js');
await import('../lib/bin.js');
