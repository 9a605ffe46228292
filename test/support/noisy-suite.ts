import { benchmark, type TemporarySuite, temporarySuite } from './suite.ts';

/** The rates of a configuration of `noisySuite`. */
export interface NoisyRates {
  /** How many times as fast the new subject is as the old one, or the rate of each subject. */
  readonly ratio: number | Readonly<Record<string, number>>;
  /** The standard deviation of a run, a fraction. */
  readonly noise: number;
}

/**
 * A suite whose rates look like measured ones and are the same every time. The rate of a run depends on its configuration,
 * its subject and the number of their runs in the recording, so that a resumed session gets the rates of an uninterrupted
 * one.
 *
 * Subjects must have the variables SUBJECT (their names) and RECORDING (the results file, from the directory of the
 * suite).
 */
export function noisySuite(configurations: Readonly<Record<string, NoisyRates>>, files = 1): TemporarySuite {
  const kinds = Object.keys(configurations);
  const script = benchmark(
    `{ kind: ${JSON.stringify(kinds)}, n: [1] }`,
    `const file = readFileSync(resolve(import.meta.dirname, '..', process.env.RECORDING), 'utf8').split('\\n').slice(0, -1).map((line) => JSON.parse(line));
    const name = import.meta.filename.split('/').slice(-2).join('/');
    const round = file.filter((it) => it.type === 'run' && it.benchmark === name && [process.env.SUBJECT, 'node'].includes(it.subject)
      && it.configuration.kind === conf.kind).length;
    const { ratio, noise } = ${JSON.stringify(configurations)}[conf.kind];
    const digest = createHash('sha256').update([name, conf.kind, process.env.SUBJECT, round].join()).digest();
    const uniform = (at) => (digest.readUInt32LE(at) + 0.5) / 2 ** 32;
    const normal = Math.sqrt(-2 * Math.log(uniform(0))) * Math.cos(2 * Math.PI * uniform(4));
    const rates = typeof ratio === 'number' ? { old: 1, new: ratio } : ratio;
    const rate = 1e6 * rates[process.env.SUBJECT] * Math.exp(noise * normal);
    bench.report(rate, 1000n);`,
    // Imports of these modules would load more.
    {
      head: "import { resolve } from 'node:path';\nconst { createHash } = process.getBuiltinModule('node:crypto');\nconst { readFileSync } = process.getBuiltinModule('node:fs');",
    },
  );
  return temporarySuite(
    Object.fromEntries(Array.from({ length: files }, (_, index) => [`g/${index}.js`, script])),
  );
}

/** The options of `bench-cli compare` for the subjects of a `noisySuite`. */
export function noisySubjectWords(recording: string): string[] {
  return Object.entries(noisySubjects(recording)).flatMap(([role, { env }]) => [
    ...[`--${role}`, process.execPath],
    ...Object.entries(env).flatMap(([name, value]) => [`--${role}-env`, `${name}=${value}`]),
  ]);
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
  return {
    old: { env: { SUBJECT: 'old', RECORDING: recording } },
    new: { env: { SUBJECT: 'new', RECORDING: recording } },
  };
}
