/** Features of the environment of a session, as results files name them. */
export const guaranteeNames = ['processes', 'groups', 'locks', 'affinity', 'init'] as const;
export type Guarantee = (typeof guaranteeNames)[number];

interface GuaranteeText {
  /** Whether docs/reliability.md promises it. */
  readonly isPromise: boolean;
  /** The consequence of its absence, and the remedy. */
  readonly lack: string;
}

export const guarantees: Readonly<Record<Guarantee, GuaranteeText>> = {
  processes: {
    isPromise: true,
    lack:
      'the system does not show processes, so those that leave the group of their benchmark are neither found nor ended: ' +
      'make its list of processes readable, such as by mounting proc',
  },
  groups: {
    isPromise: true,
    lack:
      'the system does not allow signals to a process group, so processes that a benchmark leaves are not ended: ' +
      'allow them in the sandbox',
  },
  locks: {
    isPromise: false,
    lack: 'flock is missing, so a results file is only locked against processes of this machine or container: install util-linux',
  },
  affinity: {
    isPromise: false,
    lack:
      'processes cannot be bound to a CPU, so rounds are not measured in turns, and --set CPUSET fails: ' +
      'install util-linux, or allow sched_setaffinity',
  },
  init: {
    isPromise: false,
    lack:
      'process 1 is no init, so processes that benchmarks leave stay listed after their end: ' +
      'start the container with an init, such as docker run --init',
  },
};
