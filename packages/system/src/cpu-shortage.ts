/** CPU seconds of a time in which programs ran on some CPUs. */
export interface CpuUse {
  readonly seconds: number;
  /** Of the programs that were observed, by their names. */
  readonly used: Readonly<Record<string, number>>;
  /** Of these CPUs, together. */
  readonly idleSeconds: number;
  /** Of other programs and other virtual machines. */
  readonly othersSeconds: number;
}

/**
 * Who used up the CPUs: nobody if one of them, or several together, were idle all the time; others if they used more than the programs that
 * were observed.
 */
export function cpuShortage({ seconds, used, idleSeconds, othersSeconds }: CpuUse) {
  const usedSeconds = Object.values(used).reduce((sum, each) => sum + each, 0);
  const cpus = (cpuSeconds: number) => (cpuSeconds / seconds).toFixed(1);
  const [first = '', ...others] = Object.entries(used).map(([name, each]) => [name, cpus(each)] as const);
  const shares = [
    `${first[0]} used ${first[1]} CPUs`,
    ...others.map(([name, each]) => `${name} ${each}`),
  ].join(', ');
  if (idleSeconds >= seconds || othersSeconds <= usedSeconds) {
    const by = idleSeconds >= seconds ? 'nobody' : 'themselves';
    return { by, text: `${shares}, and ${cpus(idleSeconds)} were idle` } as const;
  }
  const all = Math.round((usedSeconds + idleSeconds + othersSeconds) / seconds);
  return {
    by: 'others',
    text: `other programs used ${cpus(othersSeconds)} of ${all} CPUs (${shares})`,
  } as const;
}
