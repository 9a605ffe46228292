import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ScriptedExecutor } from '@bench-cli/runner';
import { scriptedRates } from './scripted-rates.ts';
import { benchmark, type TemporarySuite, temporarySuite } from './suite.ts';

/** The rates of a configuration of `noisySuite`. */
export interface NoisyRates {
  /** How many times as fast the new subject is as the old one, or the rate of each subject. */
  readonly ratio: number | Readonly<Record<string, number>>;
  /** The standard deviation of a run, a fraction. */
  readonly noise: number;
}

export interface NoisySuite extends TemporarySuite {
  /** Gives the runs their rates, in place of processes. */
  readonly scripted: ScriptedExecutor;
}

/**
 * A suite whose rates look like measured ones and are the same every time. The rate of a run depends on its configuration,
 * its subject and the number of their runs in the recording, so that a resumed session gets the rates of an uninterrupted
 * one.
 *
 * Subjects must have the variables SUBJECT (their names) and RECORDING (the results file, from the directory of the suite).
 */
export function noisySuite(configurations: Readonly<Record<string, NoisyRates>>, files = 1): NoisySuite {
  const script = benchmark(
    `{ kind: ${JSON.stringify(Object.keys(configurations))}, n: [1] }`,
    "throw new Error('only the executor of the suite knows its rates');",
  );
  const suite = temporarySuite(
    Object.fromEntries(Array.from({ length: files }, (_, index) => [`g/${index}.js`, script])),
  );
  const scripted = scriptedRates(({ benchmark: name, configuration: { kind }, env }) => {
    const { SUBJECT: subject = '', RECORDING: recording = '' } = env;
    const rates = configurations[String(kind)];
    if (rates === undefined) return undefined;
    const { ratio, noise } = rates;
    const factor = typeof ratio === 'object' ? (ratio[subject] ?? 1) : subject === 'new' ? ratio : 1;
    // Runs whose subject has the name that `run` gives it count too.
    const earlier = ratesIn(resolve(suite.directory, recording)).filter(
      (run) =>
        run.benchmark === name && run.configuration.kind === kind && [subject, 'node'].includes(run.subject),
    );
    return 1e6 * factor * Math.exp(noise * normal([name, kind, subject, earlier.length].join()));
  });
  return { ...suite, scripted };
}

interface RateRun {
  readonly benchmark: string;
  readonly configuration: { readonly kind?: unknown };
  readonly subject: string;
}

function ratesIn(path: string): readonly RateRun[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines
    .filter((line) => line.startsWith('{"type":"run","kind":"rate"'))
    .map((line) => JSON.parse(line));
}

/** A standard normal deviate that depends only on the text. */
function normal(text: string): number {
  const digest = hash('sha256', text, 'buffer');
  const uniform = (at: number) => (digest.readUInt32LE(at) + 0.5) / 2 ** 32;
  return Math.sqrt(-2 * Math.log(uniform(0))) * Math.cos(2 * Math.PI * uniform(4));
}

/** The options of `bench-cli compare` for the subjects of a `noisySuite`. */
export function noisySubjectWords(recording: string): string[] {
  return Object.entries(noisySubjects(recording)).flatMap(([role, { runtime, env }]) => [
    `--${role}`,
    [runtime, ...Object.entries(env).map(([name, value]) => `env=${name}=${value}`)].join(','),
  ]);
}

/** The options of `bench-cli run` for the old subject of a `noisySuite`. */
export function noisyRunWords(recording: string): string[] {
  return ['--subject', `${process.execPath},env=SUBJECT=old,env=RECORDING=${recording}`];
}

/** The options of `bench-cli compare` for any subjects of a `noisySuite`, the baseline first. */
export function namedSubjectWords(recording: string, names: readonly string[]): string[] {
  return names.flatMap((name) => [
    '--subject',
    `${name}=${process.execPath},env=SUBJECT=${name},env=RECORDING=${recording}`,
  ]);
}

/** The subjects of a comparison of a `noisySuite`. */
export function noisySubjects(recording: string) {
  const runtime = process.execPath;
  return {
    old: { runtime, env: { SUBJECT: 'old', RECORDING: recording } },
    new: { runtime, env: { SUBJECT: 'new', RECORDING: recording } },
  };
}
