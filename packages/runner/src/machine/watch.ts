import { type MachineCounters, usageBetween } from './counters.ts';

/** These shares of the CPU time are reported. */
const least = { others: 0.15, stolen: 0.05 } as const;

/**
 * Watches the machine from now on.
 * @param cpus the number of CPUs of the machine
 * @returns one sentence if something that the user can end makes runs vary more since then
 */
export function watchMachine(read: () => MachineCounters, cpus: number): () => string | undefined {
  const begin = read();
  return () => {
    const { others, stolen, throttles } = usageBetween(begin, read(), cpus);
    const found = [
      ...(others >= least.others ? [`other processes use ${percent(others)} of its CPU time`] : []),
      ...(stolen >= least.stolen ? [`other virtual machines take ${percent(stolen)} of its CPU time`] : []),
      ...(throttles > 0 ? [`its CPUs were slowed down ${throttles} times because of their temperature`] : []),
    ];
    if (found.length === 0) return undefined;
    return `the machine is loaded, which hides small differences: ${found.join(', and ')}; bench-cli machine shows what disturbs`;
  };
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
