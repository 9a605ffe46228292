#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(`bench-cli requires Node.js 22.19 or later, and this is ${process.versions.node}`);
  process.exit(2);
}
await import('../lib/compile-cache.js');
await import('../lib/main.js');
