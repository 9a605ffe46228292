import { writeFileSync } from 'node:fs';
import { UsageError } from '@bench-cli/results';

/**
 * Writes a file that was asked for.
 *
 * @throws UsageError when it cannot be written
 */
export function writeOutput(file: string, content: string | Uint8Array): void {
  try {
    writeFileSync(file, content);
  } catch (error) {
    throw new UsageError(
      'ERR_BENCH_WRITE',
      `cannot write ${file}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
