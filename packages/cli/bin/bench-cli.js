#!/usr/bin/env node
// Keeps compiled code on disk, so that the next start is faster.
process.getBuiltinModule?.('node:module').enableCompileCache?.();
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(`bench-cli requires Node.js 22.19 or later, and this is ${process.versions.node}`);
  process.exit(2);
}
await import('../lib/main.js');
