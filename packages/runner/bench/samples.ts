import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { on, once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { RunRecord } from '@bench-cli/results/recording';
import { type CompareOptions, compare, readSubject } from '@bench-cli/runner';
import { packages } from './samples/_packages.ts';

/**
 * Compares two ways to measure: planned samples with declared ones, or processes in turns with processes one after the other. Measures
 * twelve operations of packages beside themselves and beside themselves with 20 % and 40 % more work, and ten of them in two versions.
 * Prints the verdicts with the change of the rate, the time to them, and the efficiency: the variance between runs times their duration,
 * which is the time to the same precision. The two ways are sessions in processes of their own, which take turns, a round each, so that
 * the noise of the machine affects them alike. Requires npm.
 *
 * `--turns` compares turns, `--max-runs` limits the runs (36, as by default), `--operation` selects one of them (repeatable), `--versions`
 * leaves out all but the two versions, and `--margin` is that of the comparisons (0.1).
 */
const { values } = parseArgs({
  options: {
    'max-runs': { type: 'string', default: '36' },
    margin: { type: 'string', default: '0.1' },
    operation: { type: 'string', multiple: true },
    turns: { type: 'boolean', default: false },
    versions: { type: 'boolean', default: false },
    /** Of the process of one session. */
    session: { type: 'string' },
  },
});

type Subjects = NonNullable<CompareOptions['subjects']>;

interface Session {
  readonly subjects: Subjects;
  readonly operation: string;
  readonly directory: string;
  readonly declaredTimes: boolean;
}

/** What the process of a session sends when it has ended. Before, it sends nothing but the ends of its rounds. */
interface Measured {
  readonly plan: string;
  readonly runs: number;
  readonly variance: number;
  readonly verdicts: readonly (readonly [subject: string, verdict: string])[];
}

const planted: Subjects = [
  { name: 'base', request: {} },
  { name: 'same', request: {} },
  { name: 'more', request: { env: { PLANTED: '1' } } },
  { name: 'most', request: { env: { PLANTED: '2' } } },
];

/** The two versions of a package. */
const versionsOf = (former: string): Subjects => [
  { name: 'former', request: readSubject(`npm:${former}`).request },
  { name: 'present', request: {} },
];

/** A comparison of one operation. */
class Outcome {
  runs = 0;
  /** Of the runs after the pilot. */
  plan = '';
  /** Each with the change of the rate, by subject. */
  readonly verdicts = new Map<string, string>();
  /** The logarithms of the rates, by subject and round. */
  readonly #rates = new Map<string, number[]>();

  take({ kind, subject, round, ...run }: RunRecord): void {
    this.runs++;
    if (run.status === 'failed') throw new Error(run.failure.message);
    if (kind !== 'rate') return;
    const rates = this.#rates.get(subject) ?? [];
    this.#rates.set(subject, rates);
    rates[round] = Math.log(run.values.rate);
    if (round > 0 && run.sampling !== undefined)
      this.plan = `${run.sampling.warmUpMs}+${run.sampling.measuredMs}`;
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
}

/** Measures a session in this process, each round when the parent says so. */
async function measure({ directory, subjects, operation, declaredTimes }: Session): Promise<void> {
  const outcome = new Outcome();
  let lastRound = -1;
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
      if (event.type === 'run') outcome.take(event.record);
      if (event.type !== 'start' || event.run.round === lastRound) return;
      lastRound = event.run.round;
      process.send?.('waits');
      await once(process, 'message');
    },
  });
  const verdicts = comparisons.map(({ subject, verdict, ratio }) => {
    const change = ratio === null ? '' : ` (${(100 * (ratio.ratio - 1)).toFixed(1)} %)`;
    return [subject, `${verdict}${change}`] as const;
  });
  const { plan, runs, variance } = outcome;
  process.send?.({ plan, runs, variance, verdicts } satisfies Measured);
  process.disconnect?.();
}

/** A session in a process of its own. */
class Way {
  seconds = 0;
  measured: Measured | undefined;
  readonly #process: ChildProcess;
  readonly #messages: ReturnType<typeof on>;

  /** @param inTurns otherwise, it does not find the program that turns need */
  constructor(session: Session, inTurns: boolean) {
    const env = inTurns ? process.env : { ...process.env, PATH: join(session.directory, 'bin') };
    const options = ['--max-runs', values['max-runs'], '--margin', values.margin];
    this.#process = fork(import.meta.filename, ['--session', JSON.stringify(session), ...options], { env });
    this.#messages = on(this.#process, 'message', { close: ['exit'] });
  }

  /** Waits until it has planned. */
  async begin(): Promise<void> {
    await this.#answer();
  }

  /** Measures a round. */
  async round(): Promise<void> {
    const startedMs = performance.now();
    this.#process.send('go');
    await this.#answer();
    this.seconds += (performance.now() - startedMs) / 1000;
  }

  async #answer(): Promise<void> {
    const { done, value } = await this.#messages.next();
    if (done) throw new Error('a session failed');
    const [message] = value;
    if (message !== 'waits') this.measured = message;
  }
}

/** @returns both ways, each with what it measured */
async function measureBoth(subjects: Subjects, operation: string, directory: string) {
  const wayOf = (isNew: boolean) => {
    const declaredTimes = !values.turns && !isNew;
    return new Way({ subjects, operation, directory, declaredTimes }, isNew || !values.turns);
  };
  const ways = [wayOf(false), wayOf(true)] as const;
  for (const way of ways) await way.begin();
  while (ways.some(({ measured }) => measured === undefined))
    for (const way of ways) if (way.measured === undefined) await way.round();
  return ways;
}

/** Seconds to a variance of 1 % of the rate. */
function priceOf({ seconds, measured }: Way): number {
  const rounds = (measured?.runs ?? 0) / 2;
  return ((measured?.variance ?? Number.NaN) / 0.01 ** 2) * (seconds / rounds);
}

async function compareWays(directory: string): Promise<void> {
  cpSync(join(import.meta.dirname, 'samples'), join(directory, 'suite/samples'), { recursive: true });
  writeFileSync(join(directory, 'package.json'), '{ "type": "module", "private": true }');
  const present = Object.values(packages).map(([name]) => name);
  execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', ...present], { cwd: directory });
  mkdirSync(join(directory, 'node_modules/@bench-cli'), { recursive: true });
  symlinkSync(join(import.meta.dirname, '../../core'), join(directory, 'node_modules/@bench-cli/core'));
  mkdirSync(join(directory, 'bin'));
  for (const program of ['node', 'npm', 'sh']) {
    const path = execFileSync('which', [program], { encoding: 'utf8' }).trim();
    symlinkSync(path, join(directory, 'bin', program));
  }
  const names = values.turns ? 'one after the other > in turns' : 'declared > planned samples';
  console.log(
    `operation: planned warm-up + measured part; verdicts with ${names}; time; noise of runs; price ratio`,
  );
  const ratios: { readonly time: number; readonly noise: number; readonly price: number }[] = [];
  for (const operation of values.operation ?? Object.keys(packages)) {
    const [, former] = packages[operation] ?? [];
    const versions = former === undefined ? [] : [versionsOf(former)];
    for (const subjects of values.versions ? versions : [planted, ...versions]) {
      const [before, now] = await measureBoth(subjects, operation, directory);
      if (before.measured === undefined || now.measured === undefined) continue;
      const time = now.seconds / before.seconds;
      const noise = Math.sqrt(now.measured.variance / before.measured.variance);
      const price = priceOf(now) / priceOf(before);
      ratios.push({ time, noise, price });
      const later = new Map(now.measured.verdicts);
      const verdicts = before.measured.verdicts.map(
        ([subject, verdict]) => `${subject} ${verdict} > ${later.get(subject)}`,
      );
      const noises = [before, now].map(
        ({ measured }) => `${(100 * Math.sqrt(measured?.variance ?? Number.NaN)).toFixed(1)} %`,
      );
      console.log(
        `${operation}: ${before.measured.plan} > ${now.measured.plan}; ${verdicts.join(', ')}; ${before.seconds.toFixed(1)} > ${now.seconds.toFixed(1)} s, ${before.measured.runs} > ${now.measured.runs} runs (${time.toFixed(2)}); ${noises.join(' > ')}; ${price.toFixed(2)}`,
      );
    }
  }
  const meanOf = (name: 'time' | 'noise' | 'price') =>
    Math.exp(ratios.reduce((sum, each) => sum + Math.log(each[name]), 0) / ratios.length).toFixed(2);
  console.log(
    `geometric mean of the time ${meanOf('time')}, largest ${Math.max(...ratios.map(({ time }) => time)).toFixed(2)}; of the noise ${meanOf('noise')}; of the price ${meanOf('price')}`,
  );
}

if (values.session === undefined) {
  const directory = mkdtempSync(join(tmpdir(), 'bench-cli-samples-'));
  try {
    await compareWays(directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
} else await measure(JSON.parse(values.session));
