import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { expect, it } from 'vitest';
import { autocannon } from '../src/autocannon.ts';
import { h2load } from '../src/h2load.ts';
import { wrk } from '../src/wrk.ts';
import { answering, RawServer } from './raw-server.ts';
import { describeTool } from './tool.ts';

/** The CPUs that the process with the text in its arguments may use. Linux only. */
function allowedCpus(argument: string): string | undefined {
  const pid = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .find((name) => procFile(name, 'cmdline').includes(argument));
  return /^Cpus_allowed_list:\s*(.*)$/m.exec(procFile(pid ?? '', 'status'))?.[1];
}

function procFile(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    // It has ended.
    return '';
  }
}

const pinnable = process.platform === 'linux' && availableParallelism() > 1;

for (const benchmarker of [wrk, autocannon, h2load]) {
  await describeTool(benchmarker, 'with the option cpuSet', () => {
    it.runIf(pinnable)('runs only on these CPUs', async () => {
      let allowed: string | undefined;
      await using server: RawServer = await RawServer.start(
        answering((socket, index) => {
          if (index === 1) allowed = allowedCpus(`:${server.port}/`);
          socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
        }),
      );
      const load = { protocol: 'http', connections: 2, durationSeconds: 1, cpuSet: '1' } as const;
      const { command } = await benchmarker.run({ port: server.port, ...load });
      expect(allowed).toBe('1');
      // With more threads than CPUs, threads would wait for each other.
      if (benchmarker === wrk) expect(command.join(' ')).toContain(' -t 1 ');
    });
  });
}
