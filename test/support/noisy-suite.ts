import { hash } from 'node:crypto';
import { ratesText, writeQuickRuntime } from './quick-runtime.ts';
import { benchmark, type TemporarySuite, temporarySuite } from './suite.ts';

/** The rates of a configuration of `noisySuite`. */
export interface NoisyRates {
  /** How many times as fast the new subject is as the old one, or the rate of each subject. */
  readonly ratio: number | Readonly<Record<string, number>>;
  /** The standard deviation of a run, a fraction. */
  readonly noise: number;
}

/** More than any test runs. */
const rounds = 60;

/**
 * A suite whose rates look like measured ones and are the same every time. The rate of a run depends on its configuration,
 * its subject and the number of their runs in the recording, so that a resumed session gets the rates of an uninterrupted
 * one.
 *
 * Subjects must have its runtime, and the variables SUBJECT (their names) and RECORDING (the results file, from the directory of
 * the suite).
 */
export function noisySuite(configurations: Readonly<Record<string, NoisyRates>>, files = 1): TemporarySuite {
  const kinds = Object.keys(configurations);
  const script = benchmark(
    `{ kind: ${JSON.stringify(kinds)}, n: [1] }`,
    "throw new Error('only the runtime of the suite knows its rates');",
  );
  const names = Array.from({ length: files }, (_, index) => `g/${index}.js`);
  const suite = temporarySuite(
    Object.fromEntries(
      names.flatMap((name) => [
        [name, script],
        [`${name}.rates`, ratesText(ratesOf(name, configurations))],
      ]),
    ),
  );
  // Runs whose subject has the name that `run` gives it count too.
  writeQuickRuntime(runtimeOf(suite), {
    rate: `rate_of $kind/$SUBJECT/$(cd "$group/.." && grep -cE "\\"type\\":\\"run\\",\\"kind\\":\\"rate\\",\\"benchmark\\":\\"$benchmark\\".*\\"kind\\":\\"$kind\\".*\\"subject\\":\\"($SUBJECT|node)\\"" "$RECORDING")`,
  });
  return suite;
}

/** The rates of a benchmark by configuration, subject and round. */
function ratesOf(
  name: string,
  configurations: Readonly<Record<string, NoisyRates>>,
): ReadonlyMap<string, number> {
  const rates = new Map<string, number>();
  for (const [kind, { ratio, noise }] of Object.entries(configurations)) {
    for (const [subject, factor] of Object.entries(
      typeof ratio === 'number' ? { old: 1, new: ratio } : ratio,
    )) {
      for (let round = 0; round < rounds; round++) {
        const digest = hash('sha256', [name, kind, subject, round].join(), 'buffer');
        const uniform = (at: number) => (digest.readUInt32LE(at) + 0.5) / 2 ** 32;
        const normal = Math.sqrt(-2 * Math.log(uniform(0))) * Math.cos(2 * Math.PI * uniform(4));
        rates.set(`${kind}/${subject}/${round}`, 1e6 * factor * Math.exp(noise * normal));
      }
    }
  }
  return rates;
}

/** The runtime of a `noisySuite`, which runs its benchmarks. */
export function runtimeOf(suite: TemporarySuite): string {
  return suite.path('quick-node');
}

/** The options of `bench-cli compare` for the subjects of a `noisySuite`. */
export function noisySubjectWords(suite: TemporarySuite, recording: string): string[] {
  return Object.entries(noisySubjects(suite, recording)).flatMap(([role, { runtime, env }]) => [
    `--${role}`,
    [runtime, ...Object.entries(env).map(([name, value]) => `env=${name}=${value}`)].join(','),
  ]);
}

/** The options of `bench-cli compare` for any subjects of a `noisySuite`, the baseline first. */
export function namedSubjectWords(
  suite: TemporarySuite,
  recording: string,
  names: readonly string[],
): string[] {
  return names.flatMap((name) => [
    '--subject',
    `${name}=${runtimeOf(suite)},env=SUBJECT=${name},env=RECORDING=${recording}`,
  ]);
}

/** The subjects of a comparison of a `noisySuite`. */
export function noisySubjects(suite: TemporarySuite, recording: string) {
  const runtime = runtimeOf(suite);
  return {
    old: { runtime, env: { SUBJECT: 'old', RECORDING: recording } },
    new: { runtime, env: { SUBJECT: 'new', RECORDING: recording } },
  };
}
