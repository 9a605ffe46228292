/** CPU seconds of a period on some CPUs. */
interface CpuUse {
  readonly seconds: number;
  /** Of the observed programs, by name. */
  readonly used: Readonly<Record<string, number>>;
  /** Of these CPUs together. */
  readonly idleSeconds: number;
  /** Of other programs and other virtual machines. */
  readonly othersSeconds: number;
}

/** Who used all CPUs: nobody if a CPU's time stayed idle; others if they used more than these programs. */
export function cpuShortage({ seconds, used, idleSeconds, othersSeconds }: CpuUse) {
  const usedSeconds = Object.values(used).reduce((sum, each) => sum + each, 0);
  const cpus = (cpuSeconds: number) => (cpuSeconds / seconds).toFixed(1);
  const [first = '', ...others] = Object.entries(used).map(([name, each]) => [name, cpus(each)] as const);
  const texts = others.map(([name, each]) => `${name} ${each}`);
  const shares = [`${first[0]} used ${first[1]} CPUs`, ...texts].join(', ');
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
