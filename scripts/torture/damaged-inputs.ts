import { readFileSync, writeFileSync } from 'node:fs';
import { UsageError } from '@bench-cli/results';
import { benchmark, temporarySuite } from '../../test/support/suite.ts';
import { command } from './command.ts';
import { laterSession } from './finished-session.ts';
import { type Parser, parsers } from './parser.ts';
import type { Random } from './random.ts';
import { Tallies, type Tally } from './tally.ts';

/**
 * Damages the files that the project reads, and reads them in this process. Each is refused with a code, or gives only figures that a
 * reader of ours finds in it, as often and for the same benchmark; a results file only figures that it had before.
 */
export async function damagedInputs(count: number, random: Random): Promise<readonly Tally[]> {
  const tallies = new Tallies('damaged inputs');
  using suite = temporarySuite({ 'g/a.js': benchmark(`{ n: [1, 2], s: ['a', '"b", c'] }`) });
  const originals = await originalsIn(suite.directory, suite.path, tallies);
  const file = suite.path('damaged.jsonl');
  const drawn = parsers.flatMap((parser) => Array.from({ length: parser.share }, () => parser));
  for (let attempt = 0; attempt < count; attempt++) {
    const parser = drawn[random.below(drawn.length)] ?? parsers[0];
    const tally = tallies.of(parser.name);
    const original = originals[parser.name] ?? Buffer.of(0);
    const bytes = damage(original, random);
    tally.attempts++;
    await tally.guard(`${bytes.subarray(0, 200)}`, async () => {
      writeFileSync(file, bytes);
      const read = await refused(parser, file, bytes);
      if (read.length === 0) return;
      const truth = await parser.truth(file, (parser.hasDigests ? original : bytes).toString());
      tally.expectFigures(read, truth, bytes.toString());
    });
  }
  return tallies.all;
}

type Originals = Readonly<Record<string, Buffer>>;

/** A file for each parser, which must be read completely as it is. */
async function originalsIn(
  directory: string,
  path: (name: string) => string,
  tallies: Tallies,
): Promise<Originals> {
  const results = path('results.jsonl');
  const words = ['run', '--runs', '2', '--suite', directory, '--out', results, 'g'];
  await command(tallies.of('results file'), words);
  laterSession(results, path('later.jsonl'), 1);
  const recording = readFileSync(results);
  const rows = Array.from({ length: 24 }, (_, at) => ({ at, rate: 1000 + at * 1.5, time: `0.${at + 1}` }));
  const part = {
    part: 'f (a.js:1)',
    old: 1.5,
    new: 2.5,
    difference: 1,
    low: 0.5,
    high: 1.5,
    adjustedP: 0.01,
  };
  const explanation = {
    name: 'g/a.js n=1',
    old: 'old',
    new: 'new',
    profiles: 8,
    time: [part, { ...part, part: 'g', old: 7 }],
    notes: ['a note'],
  };
  const entry = (day: number) => ({
    ...{ format: 1, commit: `c${day}`, at: `2026-01-0${day}T00:00:00.000Z`, machine: 'm', measure: 'rate' },
    cases: [1, 2].map((n) => ({
      benchmark: 'g/a.js',
      configuration: { n, s: 'x' },
      value: n + day / 8,
      runs: 3,
    })),
  });
  const defaults = {
    runs: 12,
    maxRuns: '20',
    margin: '3%',
    timeoutMs: '90s',
    filter: ['a', 'b'],
    allowSame: true,
  };
  const originals: Originals = {
    'CSV of compare': Buffer.from(
      `"binary","filename","configuration","rate","time"\n${rows.map(({ at, rate, time }) => `"${at % 2 === 0 ? 'old' : 'new'}","g/a.js","n=${at % 3} s=""x""",${rate},${time}\n`).join('')}`,
    ),
    'CSV of scatter': Buffer.from(
      `"filename", "n", "s", "rate", "time"\n${rows.map(({ at, rate, time }) => `"g/a.js", ${at % 3}, "x ""y""", ${rate}, ${time}\n`).join('')}`,
    ),
    'results file': recording,
    'joined results file': Buffer.concat([recording, readFileSync(path('later.jsonl'))]),
    history: Buffer.from([1, 2, 3].map((day) => `${JSON.stringify(entry(day))}\n`).join('')),
    explanations: Buffer.from(JSON.stringify([explanation, { ...explanation, name: 'g/b.js' }])),
    'config file': Buffer.from(JSON.stringify({ defaults })),
  };
  for (const parser of parsers) {
    const bytes = originals[parser.name] ?? Buffer.of(0);
    await tallies.of(parser.name).guard('the original', async () => {
      writeFileSync(path('original.jsonl'), bytes);
      const truth = await parser.truth(path('original.jsonl'), bytes.toString());
      const read = await parser.read(path('original.jsonl'), bytes);
      tallies.of(parser.name).expectFigures(truth, read, `the original ${parser.name}`);
    });
  }
  return originals;
}

/** Nothing is read from what is refused with a code. */
async function refused(parser: Parser, file: string, bytes: Buffer): Promise<readonly string[]> {
  try {
    return await parser.read(file, bytes);
  } catch (error) {
    if (error instanceof UsageError) return [];
    throw error;
  }
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
