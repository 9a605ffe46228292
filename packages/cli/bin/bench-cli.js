#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(`bench-cli requires Node.js 22.19 or later, and this is ${process.versions.node}`);
  process.exit(2);
}
// With --jitless there is none, and benchmark files cannot be read.
if (typeof WebAssembly === 'undefined') {
  console.error(
    'bench-cli requires WebAssembly: leave --jitless out of NODE_OPTIONS, and give it to a subject: node@26,flags=--jitless',
  );
  process.exit(2);
}
if (process.permission !== undefined) {
  console.error(
    'bench-cli starts programs and writes files: leave --permission out of NODE_OPTIONS, and give it to a subject: node@26,flags=--permission',
  );
  process.exit(2);
}
await import('../lib/compile-cache.js');
await import('../lib/bin.js');
