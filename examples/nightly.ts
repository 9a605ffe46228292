/**
 * A job with a time limit per night, which continues the next night where it stopped:
 *
 *     node examples/nightly.ts results.jsonl
 */
import { existsSync } from 'node:fs';
import { createRequest, resumeSession, runSession, type SessionEvent } from '@bench-cli/cli';

const [file = 'nightly.jsonl', seconds = '3600'] = process.argv.slice(2);
const night = AbortSignal.timeout(Number(seconds) * 1000);

async function begin(): Promise<AsyncIterable<SessionEvent>> {
  const subjects = { old: { env: { SLUG: 'before' } }, new: { env: { SLUG: 'after' } } };
  const options = { items: ['slug'], cwd: import.meta.dirname, runs: 'auto' } as const;
  const { request } = await createRequest('compare', subjects, options);
  return runSession(request, { out: file, signal: night });
}

let runs = 0;
let decided = 0;
try {
  for await (const event of existsSync(file) ? resumeSession(file, { signal: night }) : await begin()) {
    if (event.type === 'run' && !event.resumed) runs++;
    if (event.type === 'decision') decided++;
    if (event.type === 'failure') console.error(event.record.failure.message);
  }
  console.log(`done: ${decided} cases decided, ${runs} runs tonight`);
} catch (error) {
  if (!night.aborted) throw error;
  console.log(`the night is over: ${decided} cases decided, ${runs} runs tonight; more tomorrow`);
}
