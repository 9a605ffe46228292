import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { compare } from '@bench-cli/runner';
import { medianOf, SequentialFamily, varianceOf } from '@bench-cli/stats/internal';

/**
 * Measures ten operations in pairs, in turns: of equal code, or with planted work, and prints for each operation the mean of the ratio
 * and the standard deviation of pairs. Then it draws sessions from the recorded pairs as blocks of consecutive rounds, which keep how
 * neighbours depend on each other, judges each as `compare` does, and prints how often it found a difference.
 *
 * `--rounds` (100) pairs of each operation, `--planted` percent of additional work (repeatable; 0), `--alone` measures one after the
 * other, `--ms` of the measured part (60), `--operation` selects one of them (repeatable), `--sessions` is how many are drawn of each
 * operation (200), `--margin` is theirs (0.02). Requires Linux.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    planted: { type: 'string', multiple: true, default: ['0'] },
    alone: { type: 'boolean', default: false },
    ms: { type: 'string', default: '60' },
    operation: { type: 'string', multiple: true, default: [] },
    sessions: { type: 'string', default: '200' },
    margin: { type: 'string', default: '0.02' },
  },
});
const MAX_RUNS = 36;
const rounds = Number(values.rounds);

// Without taskset, no processes take turns.
if (values.alone) process.env['PATH'] = dirname(process.execPath);

interface Pair {
  old?: number;
  new?: number;
}

/** The rates of each operation, by round. */
async function measure(planted: string): Promise<ReadonlyMap<string, readonly Pair[]>> {
  const pairs = new Map<string, Pair[]>();
  const directory = mkdtempSync(join(tmpdir(), 'bench-cli-turns-'));
  try {
    cpSync(join(import.meta.dirname, 'turns'), join(directory, 'suite/turns'), { recursive: true });
    writeFileSync(join(directory, 'package.json'), '{ "type": "module", "private": true }');
    mkdirSync(join(directory, 'node_modules/@bench-cli'), { recursive: true });
    symlinkSync(join(import.meta.dirname, '../../core'), join(directory, 'node_modules/@bench-cli/core'));
    const env = { MEASURED_MS: values.ms };
    await compare({
      subjects: [
        { name: 'old', request: { env: { ...env, PLANTED: '0' } } },
        { name: 'new', request: { env: { ...env, PLANTED: planted } } },
      ],
      items: ['turns'],
      suite: join(directory, 'suite'),
      cwd: directory,
      allowSame: true,
      set: values.operation.map((operation) => `operation=${operation}`),
      runs: rounds,
      onEvent: (event) => {
        if (event.type !== 'run') return;
        const { kind, inTurns, round, subject, configuration, ...run } = event.record;
        if (run.status === 'failed') throw new Error(run.failure.message);
        if (kind !== 'rate') return;
        const name = String(configuration['operation']);
        if (!values.alone && inTurns !== true) throw new Error(`${name} does not take turns here`);
        const ofName = pairs.get(name) ?? [];
        pairs.set(name, ofName);
        ofName[round] = { ...ofName[round], [subject]: run.values.rate };
      },
    });
  } finally {
    rmSync(directory, { recursive: true });
  }
  return pairs;
}

/** Draws sessions of consecutive rounds. */
function drawn(pairs: readonly Required<Pair>[], random: () => number) {
  const found = { faster: 0, slower: 0, same: 0, undecided: 0 };
  let runs = 0;
  for (let session = 0; session < Number(values.sessions); session++) {
    const family = new SequentialFamily({ maxRuns: MAX_RUNS, margin: Number(values.margin) }, 1);
    const first = Math.floor(random() * (pairs.length - MAX_RUNS + 1));
    for (const pair of pairs.slice(first, first + MAX_RUNS)) {
      if (!family.isOpen('')) break;
      family.add('', pair.old, pair.new);
      family.judge();
      runs++;
    }
    const { verdict } = family.judgement('');
    found[verdict === 'higher' ? 'faster' : verdict === 'lower' ? 'slower' : verdict]++;
  }
  return { found, runs };
}

/** Mulberry32, with a fixed seed. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const percent = (share: number, digits = 1) => `${(100 * share).toFixed(digits)} %`;
for (const planted of values.planted) {
  const startedMs = performance.now();
  const measured = await measure(planted);
  const seconds = (performance.now() - startedMs) / 1000;
  console.log(
    `\n${planted} % more work, ${values.alone ? 'one after the other' : 'in turns'}, ${rounds} pairs of each operation in ${seconds.toFixed(0)} s`,
  );
  const truth = -Math.log1p(Number(planted) / 100);
  const random = generator(1);
  const all: { readonly error: number; readonly deviation: number; readonly runs: number }[] = [];
  const total = { faster: 0, slower: 0, same: 0, undecided: 0 };
  for (const [name, given] of measured) {
    const pairs = given.flatMap(({ old, new: new_ }) =>
      old === undefined || new_ === undefined ? [] : [{ old, new: new_ }],
    );
    const logs = pairs.map((pair) => Math.log(pair.new / pair.old));
    const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
    const deviation = Math.sqrt(varianceOf(logs));
    const { found, runs } = drawn(pairs, random);
    for (const verdict of ['faster', 'slower', 'same', 'undecided'] as const)
      total[verdict] += found[verdict];
    all.push({ error: mean - truth, deviation, runs: runs / Number(values.sessions) });
    const error = deviation / Math.sqrt(logs.length);
    console.log(
      `${name.padEnd(15)} mean ${percent(mean, 2)} ± ${percent(error, 2)} (planted ${percent(truth, 2)}), sd of pairs ${percent(deviation)}; sessions: ${Object.entries(
        found,
      )
        .map(([verdict, count]) => `${verdict} ${percent(count / Number(values.sessions))}`)
        .join(', ')}; ${(runs / Number(values.sessions)).toFixed(1)} pairs`,
    );
  }
  const sessions = all.length * Number(values.sessions);
  console.log(
    `all: sd of pairs ${percent(medianOf(all.map(({ deviation }) => deviation)))} (median), mean error ${percent(all.reduce((sum, { error }) => sum + error, 0) / all.length, 2)}, ${Object.entries(
      total,
    )
      .map(([verdict, count]) => `${verdict} ${percent(count / sessions)}`)
      .join(', ')}, ${medianOf(all.map(({ runs }) => runs)).toFixed(1)} pairs`,
  );
}
