import { UsageError } from '@bench-cli/results';

/**
 * Makes sure that what a command rests on can run.
 * @throws UsageError under an older Node.js than `major.minor`
 */
export function requireNode(
  command: string,
  required: `${number}.${number}`,
  version: string = process.versions.node,
): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [requiredMajor = 0, requiredMinor = 0] = required.split('.').map(Number);
  if (major > requiredMajor || (major === requiredMajor && minor >= requiredMinor)) return;
  throw new UsageError(
    'ERR_BENCH_USAGE',
    `bench-cli ${command} needs Node.js ${required} or later; this is ${version}`,
  );
}
