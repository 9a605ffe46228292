import { type MachineCounters, type MachineUsage, usageBetween } from './counters.ts';

/** These shares of the CPU time are reported, and changes of as much. */
const leastChange = { others: 0.15, stolen: 0.05 } as const;

/** Milliseconds of one interval, and the number of intervals of a session that can be judged: at least a minute. */
const intervalMs = 10_000;
const fewestIntervals = 6;

/** A rate is told to have changed by at least this fraction, and by this many standard errors. */
const leastDrift = 0.1;
const leastDriftErrors = 4;

/** Notices during a session of a minute or more whether the machine changes. */
export class MachineWatch {
  readonly #read: () => MachineCounters;
  readonly #now: () => number;
  readonly #cpus: number;
  readonly #intervals: MachineUsage[] = [];
  readonly #logRates: { readonly key: string; readonly logRate: number }[] = [];
  readonly #first: MachineCounters;
  #last: MachineCounters;

  /**
   * @param cpus the number of CPUs of the machine
   * @param now a clock, milliseconds
   */
  constructor(read: () => MachineCounters, cpus: number, now: () => number = () => performance.now()) {
    this.#read = read;
    this.#cpus = cpus;
    this.#now = now;
    this.#first = read();
    this.#last = this.#first;
  }

  /**
   * Takes a successful run.
   * @param key of its case and subject
   * @param rate operations per second
   */
  take(key: string, rate: number): void {
    if (rate > 0) this.#logRates.push({ key, logRate: Math.log(rate) });
    if (this.#now() - this.#last.atMs < intervalMs) return;
    const next = this.#read();
    this.#intervals.push(usageBetween(this.#last, next, this.#cpus));
    this.#last = next;
  }

  /** One sentence if others have used so much of the machine since the watch began that runs vary more. */
  load(): string | undefined {
    const { others, stolen } = usageBetween(this.#first, this.#read(), this.#cpus);
    const shares = [
      ...(others >= leastChange.others ? [`other processes use ${percent(others)}`] : []),
      ...(stolen >= leastChange.stolen ? [`other virtual machines take ${percent(stolen)}`] : []),
    ];
    if (shares.length === 0) return undefined;
    return `the machine is loaded, which hides small differences: ${shares.join(' and ')} of its CPU time; bench-cli machine shows what disturbs`;
  }

  /** One sentence if the machine changed; undefined if it did not, or if the session was too short to tell. */
  change(): string | undefined {
    if (this.#intervals.length < fewestIntervals) return undefined;
    const third = Math.floor(this.#intervals.length / 3);
    const mean = (of: 'others' | 'stolen', from: number, to?: number) => {
      const values = this.#intervals.slice(from, to).map((usage) => usage[of]);
      return values.reduce((sum, value) => sum + value, 0) / values.length;
    };
    const shares = (['others', 'stolen'] as const).flatMap((of) => {
      const [first, last] = [mean(of, 0, third), mean(of, -third)];
      if (Math.abs(last - first) < leastChange[of]) return [];
      const who = of === 'others' ? 'other processes used' : 'other virtual machines took';
      return [`${who} ${percent(first)} of its CPU time at the beginning and ${percent(last)} at the end`];
    });
    const throttles = this.#intervals.reduce((sum, usage) => sum + usage.throttles, 0);
    const drift = driftOf(this.#logRates);
    const found = [
      ...shares,
      ...(throttles > 0 ? [`its CPUs were slowed down ${throttles} times because of their temperature`] : []),
      ...(drift === undefined
        ? []
        : [`rates ${drift < 0 ? 'fell' : 'rose'} by ${percent(Math.abs(Math.expm1(drift)))}`]),
    ];
    if (found.length === 0) return undefined;
    return `the machine changed during the session: ${found.join('; ')}; bench-cli machine shows what disturbs`;
  }
}

/**
 * The mean change of the logarithm of rates between the first and the last third of a session, in which each case is measured at
 * all times; undefined if it is small or not certain.
 */
export function driftOf(
  logRates: readonly { readonly key: string; readonly logRate: number }[],
): number | undefined {
  const third = Math.floor(logRates.length / 3);
  if (third < 30) return undefined;
  const [first, last] = [meansOf(logRates.slice(0, third)), meansOf(logRates.slice(-third))];
  const changes = [...last].flatMap(([key, mean]) => {
    const former = first.get(key);
    return former === undefined ? [] : [mean - former];
  });
  if (changes.length < 2) return undefined;
  const mean = changes.reduce((sum, change) => sum + change, 0) / changes.length;
  const squares = changes.reduce((sum, change) => sum + (change - mean) ** 2, 0);
  const error = Math.sqrt(squares / (changes.length - 1) / changes.length);
  const isClear = Math.abs(mean) >= leastDrift && Math.abs(mean) >= leastDriftErrors * error;
  return isClear ? mean : undefined;
}

function meansOf(
  logRates: readonly { readonly key: string; readonly logRate: number }[],
): ReadonlyMap<string, number> {
  const groups = Map.groupBy(logRates, ({ key }) => key);
  return new Map(
    [...groups].map(([key, group]) => [
      key,
      group.reduce((sum, { logRate }) => sum + logRate, 0) / group.length,
    ]),
  );
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
