import { readFileSync, writeFileSync } from 'node:fs';
import { rechained } from '../../test/support/recording.ts';
import { benchmark, type TemporarySuite, temporarySuite } from '../../test/support/suite.ts';
import { command } from './command.ts';
import type { Tally } from './tally.ts';

export const configurations = 6;

/** A suite whose benchmark reports 1 + n. */
export function quickSuite(): TemporarySuite {
  const values = Array.from({ length: configurations }, (_, n) => n);
  const parameters = `{ n: [${values}], text: ['${'x'.repeat(1000)}'] }`;
  return temporarySuite({ 'g/a.js': benchmark(parameters, 'bench.report(1 + conf.n, 1n);') });
}

/** Records a finished session, and makes the runs of so many rounds of those of one. @returns the file */
export async function finishedSession(
  tally: Tally,
  suite: TemporarySuite,
  name: string,
  { options = [], rounds = 1 }: { readonly options?: readonly string[]; readonly rounds?: number } = {},
): Promise<string> {
  const out = suite.path(name);
  const words = options.length === 0 ? ['run'] : options;
  await command(tally, [...words, '--runs', '1', '--suite', suite.directory, '--out', out, 'g/a.js']);
  if (rounds === 1) return out;
  const lines = readFileSync(out, 'utf8')
    .trimEnd()
    .replace(/"runs":1\b/, `"runs":${rounds}`)
    .split('\n')
    .flatMap((line) => {
      if (!line.startsWith('{"type":"run"')) return line;
      return Array.from({ length: rounds }, (_, round) => line.replace('"round":0', `"round":${round}`));
    });
  writeFileSync(out, rechained(lines.join('\n')));
  return out;
}

/** Writes a session again as another one, which began later. @returns its beginning */
export function laterSession(from: string, to: string, days: number): string {
  const text = readFileSync(from, 'utf8');
  const [, startedAt = ''] = /"startedAt":"([^"]+)"/.exec(text) ?? [];
  const later = new Date(Date.parse(startedAt) + days * 86_400_000).toISOString();
  writeFileSync(to, rechained(text.replace(startedAt, later)));
  return later;
}
