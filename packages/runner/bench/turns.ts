import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { caseName } from '@bench-cli/results';
import { compare } from '@bench-cli/runner';
import { medianOf, SequentialFamily, varianceOf } from '@bench-cli/stats/internal';
import { between, type Random, randomStreams } from '../../stats/simulation/random.ts';

/**
 * Measures ten operations in pairs, in turns: of equal code, or with planted work, and prints for each operation the mean of the ratio
 * and the standard deviation of pairs. Then it draws sessions from the recorded pairs as blocks of consecutive rounds, which keep how
 * neighbours depend on each other, judges each as `compare` does, and prints how often it found a difference.
 *
 * `--rounds` (100) pairs of each operation, `--planted` percent of additional work (repeatable; 0), `--alone` measures one after the
 * other, `--ms` of the measured part (60), `--runtime` such as `bun@1` (this one), `--operation` selects one of them (repeatable),
 * `--sessions` is how many are drawn of each operation (200), `--margin` is theirs (0.02). `--suite` is the directory of other benchmarks,
 * such as those of Node core, whose groups or files are the arguments, of equal code. Requires Linux.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    suite: { type: 'string' },
    rounds: { type: 'string', default: '100' },
    planted: { type: 'string', multiple: true, default: ['0'] },
    alone: { type: 'boolean', default: false },
    ms: { type: 'string', default: '60' },
    runtime: { type: 'string', default: process.execPath },
    operation: { type: 'string', multiple: true, default: [] },
    sessions: { type: 'string', default: '200' },
    margin: { type: 'string', default: '0.02' },
  },
});
const MAX_RUNS = 36;
const rounds = Number(values.rounds);
const sessions = Number(values.sessions);

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
    const requestOf = (work: string) => ({
      runtime: values.runtime,
      env: { MEASURED_MS: values.ms, PLANTED: work },
    });
    await compare({
      subjects: [
        { name: 'old', request: requestOf('0') },
        { name: 'new', request: requestOf(planted) },
      ],
      items: values.suite === undefined ? ['turns'] : positionals,
      suite: values.suite ?? join(directory, 'suite'),
      cwd: directory,
      allowSame: true,
      set: values.operation.map((operation) => `operation=${operation}`),
      runs: rounds,
      onEvent: (event) => {
        if (event.type !== 'run') return;
        const { kind, inTurns, round, subject, ...run } = event.record;
        if (run.status === 'failed') throw new Error(run.failure.message);
        if (kind !== 'rate') return;
        const name = values.suite === undefined ? String(run.configuration['operation']) : caseName(run);
        if (!values.alone && inTurns !== true && values.suite === undefined)
          throw new Error(`${name} does not take turns here`);
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

interface Drawn {
  readonly verdicts: readonly string[];
  /** How many pairs all sessions had. */
  readonly pairs: number;
}

/** Draws sessions of consecutive rounds. */
function drawn(pairs: readonly Required<Pair>[], random: Random): Drawn {
  const verdicts: string[] = [];
  let used = 0;
  for (let session = 0; session < sessions; session++) {
    const family = new SequentialFamily({ maxRuns: MAX_RUNS, margin: Number(values.margin) }, 1);
    const first = Math.floor(between(random, 0, Math.max(1, pairs.length - MAX_RUNS + 1)));
    for (const pair of pairs.slice(first, first + MAX_RUNS)) {
      if (!family.isOpen('')) break;
      family.add('', pair.old, pair.new);
      family.judge();
      used++;
    }
    verdicts.push(family.judgement('').verdict);
  }
  return { verdicts, pairs: used };
}

function sessionsText(all: readonly Drawn[]): string {
  const verdicts = all.flatMap((each) => each.verdicts);
  const shares = ['higher', 'lower', 'same', 'undecided'].map(
    (verdict) =>
      `${verdict} ${percent(verdicts.filter((each) => each === verdict).length / verdicts.length)}`,
  );
  const pairs = medianOf(all.map((each) => each.pairs / sessions));
  return `sessions: ${shares.join(', ')}, ${pairs.toFixed(1)} pairs`;
}

function percent(share: number, digits = 1): string {
  return `${(100 * share).toFixed(digits)} %`;
}

function meanOf(list: readonly number[]): number {
  return list.reduce((sum, value) => sum + value, 0) / list.length;
}

for (const planted of values.planted) {
  const startedMs = performance.now();
  const measured = await measure(planted);
  const seconds = (performance.now() - startedMs) / 1000;
  console.log(
    `\n${planted} % more work, ${values.alone ? 'one after the other' : 'in turns'}, ${rounds} pairs of each operation in ${seconds.toFixed(0)} s`,
  );
  const truth = -Math.log1p(Number(planted) / 100);
  const random = randomStreams(1).next().value;
  const all: (Drawn & { readonly error: number; readonly deviation: number })[] = [];
  for (const [name, given] of measured) {
    const pairs = given.flatMap(({ old, new: new_ }) =>
      old === undefined || new_ === undefined ? [] : [{ old, new: new_ }],
    );
    const logs = pairs.map((pair) => Math.log(pair.new / pair.old));
    const [mean, deviation] = [meanOf(logs), Math.sqrt(varianceOf(logs))];
    const ofName = { ...drawn(pairs, random), error: mean - truth, deviation };
    all.push(ofName);
    const error = deviation / Math.sqrt(logs.length);
    console.log(
      `${name.padEnd(15)} mean ${percent(mean, 2)} ± ${percent(error, 2)} (planted ${percent(truth, 2)}), sd of pairs ${percent(deviation)}; ${sessionsText([ofName])}`,
    );
  }
  console.log(
    `all: sd of pairs ${percent(medianOf(all.map(({ deviation }) => deviation)))} (median), mean error ${percent(meanOf(all.map(({ error }) => error)), 2)}; ${sessionsText(all)}`,
  );
}
