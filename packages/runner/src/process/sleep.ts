import { readProcFile } from '@bench-cli/system';

/** Between two looks at the clock, milliseconds. */
const intervalMs = 100;
/**
 * Milliseconds that a timer can be late although the process neither ran nor waited for a CPU: it waits for
 * its own garbage collector, and for disks.
 */
const toleranceMs = 400;

const ownClocks = {
  wallMs: () => performance.now(),
  /** How long it ran, or waited for a CPU. */
  busyMs: () => {
    const [ranNs = '', waitedNs = ''] = readProcFile(process.pid, 'schedstat').split(' ');
    if (waitedNs !== '') return (Number(ranNs) + Number(waitedNs)) / 1e6;
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
};

/**
 * Notices for how long this process did not run: it was stopped (SIGSTOP, Ctrl-Z), or its container or
 * machine stood still. Its timers are late then, and the times that it takes too long. On a loaded machine,
 * timers are late too, but the process waits for a CPU, which Linux counts.
 */
export function sleepWatch({ wallMs, busyMs } = ownClocks) {
  const now = () => ({ wallMs: wallMs(), busyMs: busyMs() });
  let last = now();
  let sleptMs = 0;
  let timer: NodeJS.Timeout | undefined;
  let watches = 0;
  /** @param isCertain whether it was stopped, however short */
  const look = (isCertain = false) => {
    const read = now();
    const passedMs = read.wallMs - last.wallMs;
    const idleMs = passedMs - (read.busyMs - last.busyMs);
    last = read;
    const isLate = idleMs > intervalMs + toleranceMs;
    if (isLate || isCertain) sleptMs += passedMs;
  };
  const continued = () => look(true);
  return {
    watch(): () => void {
      watches += 1;
      if (watches === 1) {
        last = now();
        timer = setInterval(look, intervalMs).unref();
        process.on('SIGCONT', continued);
      }
      return () => {
        watches -= 1;
        if (watches > 0) return;
        clearInterval(timer);
        process.off('SIGCONT', continued);
      };
    },

    /** How long this process slept while it was watched, milliseconds, within about a tenth of a second. */
    get sleptMs() {
      look();
      return sleptMs;
    },
  };
}
