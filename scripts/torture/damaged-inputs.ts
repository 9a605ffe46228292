import { readFileSync, writeFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { readCompareCsv, UsageError } from '@bench-cli/results';
import { readRecording } from '@bench-cli/results/recording';
import { compareFixed } from '@bench-cli/stats';
import { benchmark, temporarySuite } from '../../test/support/suite.ts';
import { command } from './command.ts';
import type { Random } from './random.ts';
import { Tally } from './tally.ts';

/** Damages CSV and results files, and reads them in this process. Each is read, or refused with a code. */
export async function damagedInputs(count: number, random: Random): Promise<Tally> {
  const tally = new Tally('damaged inputs');
  using suite = temporarySuite({ 'g/a.js': benchmark(`{ n: [1, 2], s: ['a', '"b", c'] }`) });
  const out = suite.path('results.jsonl');
  await command(tally, ['run', '--runs', '2', '--suite', suite.directory, '--out', out, 'g']);
  const recording = readFileSync(out);
  const csv = Buffer.from(
    `"binary","filename","configuration","rate","time"\n${Array.from({ length: 24 }, (_, at) => `"${at % 2 === 0 ? 'old' : 'new'}","g/a.js","n=${at % 3} s=""x""",${1000 + at * 1.5},0.${at + 1}\n`).join('')}`,
  );
  const damaged = suite.path('damaged.jsonl');
  while (tally.attempts < count) {
    const isCsv = tally.attempts++ % 10 !== 0;
    const bytes = damage(isCsv ? csv : recording, random);
    try {
      if (isCsv) await judge(bytes, tally);
      else {
        writeFileSync(damaged, bytes);
        readRecording(damaged);
      }
    } catch (error) {
      if (!(error instanceof UsageError)) {
        tally.add('stack traces', `${error instanceof Error ? error.stack : error}\n${bytes}`);
      }
    }
  }
  return tally;
}

async function judge(bytes: Buffer, tally: Tally): Promise<void> {
  const { pairs } = await readCompareCsv(Readable.from([bytes]));
  const rates = pairs.flatMap((pair) => [pair.old, pair.new].flatMap((sample) => Array.from(sample)));
  if (!rates.every((rate) => Number.isFinite(rate) && rate >= 0)) tally.add('wrong rates', bytes.toString());
  compareFixed(pairs);
}

/** Makes one to three changes: bytes replaced, inserted, deleted or repeated, or the end cut off. */
function damage(original: Buffer, random: Random): Buffer {
  let bytes = original;
  for (let changes = 1 + random.below(3); changes > 0; changes--) {
    const at = random.below(bytes.length);
    const end = Math.min(bytes.length, at + random.below(40));
    const [before, between, after] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)];
    const text = random.pick([
      '"',
      '\n',
      '\r',
      ',',
      '\0',
      '\uFEFF',
      '1e999',
      '-',
      'NaN',
      '{',
      '}',
      '"x":',
      '\u2028',
      'null',
      ' ',
    ]);
    bytes = random.pick([
      () => Buffer.concat([before, Buffer.from([random.below(256)]), bytes.subarray(at + 1)]),
      () => Buffer.concat([before, Buffer.from(text), between, after]),
      () => Buffer.concat([before, after]),
      () => Buffer.concat([before, between, between, after]),
      () => before,
    ])();
  }
  return bytes;
}
