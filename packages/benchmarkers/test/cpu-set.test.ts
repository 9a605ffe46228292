import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { cpusOf } from '../src/cpu-set.ts';
import { autocannon, h2load, wrk } from '../src/index.ts';
import { answering, RawServer } from './raw-server.ts';
import { describeTool } from './tool.ts';

describe('a set of CPUs', () => {
  it.each([
    ['0', [0]],
    ['0-2', [0, 1, 2]],
    ['0,2-4', [0, 2, 3, 4]],
    ['1-2,0-1', [1, 2, 0]],
  ])('%s has %j', (text, cpus) => {
    expect([...(cpusOf(text) ?? [])]).toEqual(cpus);
  });

  it.each(['', 'a', '1-', '3-1', '0 1', '0-99999'])('is not %j', (text) => {
    expect(cpusOf(text)).toBeUndefined();
  });
});

/** The CPUs that the process may use whose arguments have such a text. Linux only. */
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
    // It ended meanwhile.
    return '';
  }
}

const pinnable = process.platform === 'linux' && availableParallelism() > 1;

for (const benchmarker of [wrk, autocannon, h2load]) {
  await describeTool(benchmarker, 'with a set of CPUs', () => {
    it.runIf(pinnable)('is kept to them', async () => {
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
      // More threads than CPUs would only wait for each other.
      if (benchmarker === wrk) expect(command.join(' ')).toContain(' -t 1 ');
    });
  });
}
