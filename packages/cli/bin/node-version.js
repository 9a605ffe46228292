/** Fails before an older Node.js meets what it does not have. */
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  throw new Error(
    `bench-cli requires Node.js 22.19 or later, and this is ${process.versions.node}: npx -y --package=node@26 bench-cli ...`,
  );
}
