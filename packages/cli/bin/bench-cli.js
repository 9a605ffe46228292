#!/usr/bin/env node
// Compiled code is kept from one start to the next.
process.getBuiltinModule?.('node:module').enableCompileCache?.();
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(`bench-cli needs Node.js 22.19 or later; this is ${process.versions.node}`);
  process.exit(2);
}
await import('../lib/main.js');
