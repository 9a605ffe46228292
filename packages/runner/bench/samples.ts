import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { RunRecord } from '@bench-cli/results/recording';
import { type CompareOptions, compare, readSubject } from '@bench-cli/runner';
import { packages } from './samples/_packages.ts';

/**
 * Compares planned samples with declared ones: twelve operations of packages beside themselves and beside themselves with 20 % and
 * 40 % more work, and ten of them in two versions. Prints the verdicts with the change of the rate, the time to them, which is the sum
 * of all runs of an operation, and the efficiency: the variance between runs times their duration, which is the time to the same
 * precision. The two take turns, a round each, so that the noise of the machine affects them alike. Requires npm and a quiet machine.
 *
 * `--max-runs` limits the runs (36, as by default), `--operation` selects one of them (repeatable), `--versions` leaves out all but the
 * two versions, and `--margin` is that of the comparisons (0.1).
 */
const { values } = parseArgs({
  options: {
    'max-runs': { type: 'string', default: '36' },
    margin: { type: 'string', default: '0.1' },
    operation: { type: 'string', multiple: true },
    versions: { type: 'boolean', default: false },
  },
});

const planted: NonNullable<CompareOptions['subjects']> = [
  { name: 'base', request: {} },
  { name: 'same', request: {} },
  { name: 'more', request: { env: { PLANTED: '1' } } },
  { name: 'most', request: { env: { PLANTED: '2' } } },
];

/** The two versions of a package. */
const versionsOf = (former: string): NonNullable<CompareOptions['subjects']> => [
  { name: 'former', request: readSubject(`npm:${former}`).request },
  { name: 'present', request: {} },
];

/** @returns a function that waits for a turn, in the order of the calls, and resolves with the function that ends it */
function turns(): () => Promise<() => void> {
  let last = Promise.resolve();
  return () => {
    const former = last;
    const turn = Promise.withResolvers<void>();
    last = turn.promise;
    return former.then(() => turn.resolve);
  };
}

/** A comparison of one operation. */
class Outcome {
  seconds = 0;
  runs = 0;
  /** Of the runs after the pilot. */
  plan = '';
  /** Each with the change of the rate, by subject. */
  readonly verdicts = new Map<string, string>();
  readonly #durationsMs: number[] = [];
  /** The logarithms of the rates, by subject and round. */
  readonly #rates = new Map<string, number[]>();

  take({ subject, round, durationMs, ...run }: RunRecord): void {
    this.seconds += durationMs / 1000;
    if (run.status === 'failed') throw new Error(run.failure.message);
    const rates = this.#rates.get(subject) ?? [];
    this.#rates.set(subject, rates);
    rates[round] = Math.log(run.values.rate);
    if (round === 0) return;
    this.#durationsMs.push(durationMs);
    if (run.sampling !== undefined) this.plan = `${run.sampling.warmUpMs}+${run.sampling.measuredMs}`;
  }

  /** The variance of a run, from the differences of each round. */
  get variance(): number {
    const [base = [], ...others] = this.#rates.values();
    let squares = 0;
    let freedom = 0;
    for (const rates of others) {
      // A subject that is decided has no further runs.
      const differences = rates
        .slice(1)
        .map((rate, at) => rate - (base[at + 1] ?? Number.NaN))
        .filter(Number.isFinite);
      const mean = differences.reduce((sum, value) => sum + value, 0) / differences.length;
      squares += differences.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 2;
      freedom += differences.length - 1;
    }
    return squares / freedom;
  }

  /** Seconds to a variance of 1 % of the rate. */
  get price(): number {
    const meanMs = this.#durationsMs.reduce((sum, value) => sum + value, 0) / this.#durationsMs.length;
    return (this.variance / 0.01 ** 2) * (meanMs / 1000);
  }
}

const directory = mkdtempSync(join(tmpdir(), 'bench-cli-samples-'));
try {
  cpSync(join(import.meta.dirname, 'samples'), join(directory, 'suite/samples'), { recursive: true });
  writeFileSync(join(directory, 'package.json'), '{ "type": "module", "private": true }');
  const present = Object.values(packages).map(([name]) => name);
  execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', ...present], { cwd: directory });
  mkdirSync(join(directory, 'node_modules/@bench-cli'), { recursive: true });
  symlinkSync(join(import.meta.dirname, '../../core'), join(directory, 'node_modules/@bench-cli/core'));
  const [times, prices]: [number[], number[]] = [[], []];
  console.log(
    'operation: planned warm-up + measured part; verdicts with declared > planned samples; time; noise of runs; price ratio',
  );
  for (const operation of values.operation ?? Object.keys(packages)) {
    const [, former] = packages[operation] ?? [];
    const versions = former === undefined ? [] : [versionsOf(former)];
    for (const subjects of values.versions ? versions : [planted, ...versions]) {
      const turn = turns();
      const [before, now] = await Promise.all([
        outcomeOf(subjects, operation, true, turn),
        outcomeOf(subjects, operation, false, turn),
      ]);
      const [time, price] = [now.seconds / before.seconds, now.price / before.price];
      times.push(time);
      prices.push(price);
      const verdicts = [...before.verdicts].map(
        ([subject, verdict]) => `${subject} ${verdict} > ${now.verdicts.get(subject)}`,
      );
      const noise = [before, now]
        .map(({ variance }) => `${(100 * Math.sqrt(variance)).toFixed(1)} %`)
        .join(' > ');
      console.log(
        `${operation}: ${now.plan}; ${verdicts.join(', ')}; ${before.seconds.toFixed(1)} > ${now.seconds.toFixed(1)} s, ${before.runs} > ${now.runs} runs (${time.toFixed(2)}); ${noise}; ${price.toFixed(2)}`,
      );
    }
  }
  const mean = (ratios: readonly number[]) =>
    Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length).toFixed(2);
  console.log(
    `geometric mean of the time ${mean(times)}, largest ${Math.max(...times).toFixed(2)}; of the price ${mean(prices)}`,
  );
} finally {
  rmSync(directory, { recursive: true });
}

async function outcomeOf(
  subjects: NonNullable<CompareOptions['subjects']>,
  operation: string,
  declaredTimes: boolean,
  turn: () => Promise<() => void>,
): Promise<Outcome> {
  const outcome = new Outcome();
  let endTurn = await turn();
  const { comparisons } = await compare({
    subjects,
    items: ['samples'],
    suite: join(directory, 'suite'),
    cwd: directory,
    allowSame: true,
    declaredTimes,
    set: [`operation=${operation}`],
    runs: { maxRuns: Number(values['max-runs']), margin: Number(values.margin) },
    onEvent: async (event) => {
      if (event.type !== 'run') return;
      outcome.take(event.record);
      if (++outcome.runs % subjects.length > 0) return;
      endTurn();
      endTurn = await turn();
    },
  }).finally(() => endTurn());
  for (const { subject, verdict, improvement } of comparisons) {
    const change = improvement === null ? '' : ` (${(100 * improvement).toFixed(1)} %)`;
    outcome.verdicts.set(subject, `${verdict}${change}`);
  }
  return outcome;
}
