import { readFileSync, writeFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { readCompareCsv, UsageError } from '@bench-cli/results';
import { readRecording } from '@bench-cli/results/recording';
import { compareFixed } from '@bench-cli/stats';
import { benchmark, temporarySuite } from '../../test/support/suite.ts';
import { command } from './command.ts';
import type { Random } from './random.ts';
import { Tally } from './tally.ts';

/**
 * Damages CSV and results files, and reads them in this process. Each is refused with a code, or gives only rates that a reader
 * of its own finds in it: whole numbers of a row with five cells, or of a line with a run.
 */
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
    await tally.guard(`${bytes.subarray(0, 200)}`, async () => {
      const read = await (isCsv ? ratesOfCsv(bytes) : ratesOfRecording(bytes, damaged));
      const own = isCsv ? numbersInCells(bytes.toString()) : ratesInLines(bytes.toString());
      for (const rate of read) {
        const at = own.indexOf(rate);
        if (at < 0) tally.add('wrong rates', `${rate} in\n${bytes}`);
        else own.splice(at, 1);
      }
    });
  }
  return tally;
}

async function ratesOfCsv(bytes: Buffer): Promise<readonly number[]> {
  return refused(async () => {
    const { pairs } = await readCompareCsv(Readable.from([bytes]));
    compareFixed(pairs);
    return pairs.flatMap((pair) => [pair.old, pair.new].flatMap((sample) => Array.from(sample)));
  });
}

function ratesOfRecording(bytes: Buffer, file: string): Promise<readonly number[]> {
  writeFileSync(file, bytes);
  return refused(() =>
    readRecording(file).runs.flatMap((run) => (run.status === 'ok' ? run.values.rate : [])),
  );
}

/** Nothing is read from what is refused with a code. */
async function refused(
  read: () => readonly number[] | Promise<readonly number[]>,
): Promise<readonly number[]> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof UsageError) return [];
    throw error;
  }
}

/** The cells that are decimal numbers, whatever column they are in. Quotes within cells are of the rows that are whole. */
function numbersInCells(text: string): number[] {
  const cells = text.matchAll(
    /(?:^|,|\n|\r|\uFEFF)\s*"?\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*"?\s*(?=,|\n|\r|$)/gi,
  );
  return Array.from(cells, ([, cell]) => Number(cell));
}

function ratesInLines(text: string): number[] {
  return text.split('\n').flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      const values: unknown = value instanceof Object && 'values' in value ? value.values : undefined;
      return values instanceof Object && 'rate' in values && typeof values.rate === 'number'
        ? values.rate
        : [];
    } catch {
      return [];
    }
  });
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
