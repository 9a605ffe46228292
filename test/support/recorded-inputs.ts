import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type TemporarySuite, temporarySuite } from './suite.ts';

const inputs = fileURLToPath(new URL('../../packages/cli/test/pinned/inputs/', import.meta.url));

/**
 * A suite with recorded results: `fixed.jsonl`, `sequential.jsonl`, `shard-1.jsonl` and `shard-2.jsonl` of one session, `http.jsonl`,
 * `scatter.jsonl`, and `edges.csv`, whose cases cannot all be judged.
 * @param files further files
 */
export function recordedInputs(files: Readonly<Record<string, string>> = {}): TemporarySuite {
  const suite = temporarySuite(files);
  cpSync(inputs, suite.directory, { recursive: true });
  return suite;
}
