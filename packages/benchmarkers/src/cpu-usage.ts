import type { LoadResult, LoadUsage } from '@bench-cli/core';
import { allowedCpus, cpuShortage, idleSeconds, serversOn, threadSeconds } from '@bench-cli/system';
import type { LoadRequest } from './load-request.ts';
import { isLate } from './load-result.ts';

/** Time between two readings, seconds: short enough that the last one is close to the end of the load. */
const fewestSeconds = 0.25;
const readingsPerLoad = 8;
/** A tool is out of CPU time if its busiest thread, or its set of CPUs, is busy for a larger share. */
const outOfTime = 0.95;
/** A server has CPU time left if its busiest thread is busy for a smaller share. */
const timeLeft = 0.9;
/** Seconds that must have been observed to judge a tool. */
const judgedSeconds = 1;

type Reading = ReturnType<typeof readingOf>;

function readingOf(tool: number, servers: readonly number[], serverCpus: ReadonlySet<number>) {
  const toolCpus = allowedCpus(tool);
  const cpus = toolCpus.union(serverCpus);
  return {
    atMs: performance.now(),
    tool: threadSeconds([tool]),
    server: threadSeconds(servers),
    idleSeconds: idleSeconds(cpus),
    /** The number of CPUs of both, and of the tool; and whether they have some in common. */
    cpus: cpus.size,
    toolCpus: toolCpus.size,
    sharesCpus: !toolCpus.isDisjointFrom(serverCpus),
  };
}

/** Observes the CPU time of a load tool and of the server on this machine that it loads. Linux only. */
export function cpuUsageOf({ host, port, socketPath, amount }: LoadRequest) {
  const isHere = socketPath !== undefined || /^(127\.|::1$|localhost$|0\.0\.0\.0$|::$)/.test(host);
  const listening = isHere ? serversOn(socketPath ?? port) : [];
  const loadSeconds = amount.kind === 'time' ? amount.seconds : 0;
  let timer: NodeJS.Timeout | undefined;
  let first: Reading | undefined;
  let last: Reading | undefined;
  return {
    /** Begins with the first reading, after the start of the tool. */
    begin(tool: number) {
      const servers = listening.filter((pid) => pid !== tool);
      const serverCpus = new Set(servers.flatMap((pid) => [...allowedCpus(pid)]));
      const read = () => {
        const reading = readingOf(tool, servers, serverCpus);
        // The tool has ended.
        if (reading.toolCpus === 0 || reading.tool.size === 0) return;
        first ??= reading;
        last = reading;
      };
      timer = setInterval(read, Math.max(fewestSeconds, loadSeconds / readingsPerLoad) * 1000).unref();
    },

    [Symbol.dispose]() {
      clearInterval(timer);
    },

    /** What was observed; undefined without two readings. */
    get result(): LoadUsage | undefined {
      return first === undefined || last === undefined || first === last ? undefined : usageOf(first, last);
    },
  };
}

function usageOf(first: Reading, last: Reading): LoadUsage {
  const seconds = (last.atMs - first.atMs) / 1000;
  const used = (side: 'tool' | 'server') => {
    const spent = [...last[side]].map(([thread, now]) => now - (first[side].get(thread) ?? 0));
    return {
      cpuSeconds: spent.reduce((sum, each) => sum + each, 0),
      busiestThread: Math.min(1, Math.max(0, ...spent) / seconds),
    };
  };
  const [tool, server] = [used('tool'), used('server')];
  const idle = last.idleSeconds - first.idleSeconds;
  return {
    seconds,
    tool,
    server: last.server.size === 0 ? null : server,
    toolCpus: last.toolCpus,
    sharesCpus: last.sharesCpus,
    idleSeconds: idle,
    othersSeconds: Math.max(0, last.cpus * seconds - idle - tool.cpuSeconds - server.cpuSeconds),
  };
}

/**
 * Whether the rate is that of the tool: the tool had no CPU time left, and the server had some. If both share
 * CPUs, one CPU must have been idle all the time, since otherwise the server may have waited for a CPU.
 * @returns the problem and its remedy
 */
export function saturation(name: string, { seconds, tool, server, ...cpus }: LoadUsage): string | undefined {
  if (server === null || seconds < judgedSeconds) return undefined;
  const busy = Math.max(tool.busiestThread, tool.cpuSeconds / (seconds * cpus.toolCpus));
  if (busy < outOfTime || server.busiestThread >= timeLeft) return undefined;
  if (cpus.sharesCpus && cpus.idleSeconds < seconds) return undefined;
  return `${name} had no CPU time left (${percent(busy)} of the load), but the server had (its busiest thread was busy for ${percent(server.busiestThread)}), so the rate would be that of the tool: use a faster tool such as wrk, more threads of it, or give it more CPUs with --set LOADCPUSET=1-3`;
}

/**
 * Who was short of CPU time during a load, so that rate or latencies are not those of the server alone.
 * @returns undefined if it is not known, or if nobody was
 */
export function shortageOf(load: Pick<LoadResult, 'benchmarker' | 'usage' | 'lateness' | 'latency'>) {
  const { benchmarker, lateness } = load;
  const shortage = cpuShortageOf(load);
  if (!isLate(load)) return shortage;
  const late = `${benchmarker} sent 1 % of the requests more than ${lateness?.p99Ms.toFixed(1)} ms late, so latencies would be its own`;
  return `${late}: ${shortage ?? 'use a lower rate, or give it CPUs of its own'}`;
}

function cpuShortageOf({ benchmarker, usage }: Pick<LoadResult, 'benchmarker' | 'usage'>) {
  if (usage === undefined || usage.seconds < judgedSeconds) return undefined;
  const { seconds, tool, server, idleSeconds, othersSeconds, sharesCpus } = usage;
  const used = { [benchmarker]: tool.cpuSeconds, ...(server && { 'the server': server.cpuSeconds }) };
  const { by, text } = cpuShortage({ seconds, used, idleSeconds, othersSeconds });
  if (by === 'others') return `${text}: stop them, or measure again later`;
  if (server === null && tool.busiestThread >= outOfTime)
    return `${benchmarker} had no CPU time left: use a faster tool such as wrk, or more threads of it`;
  return by === 'themselves' && server !== null && sharesCpus
    ? `the server and ${benchmarker} share CPUs and slow each other down (${text}): give them CPUs of their own`
    : undefined;
}

function percent(share: number): string {
  return `${Math.min(100, Math.round(share * 100))} %`;
}
