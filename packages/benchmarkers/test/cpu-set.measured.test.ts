import { availableParallelism } from 'node:os';
import { platform, readProcFile } from '@bench-cli/system';
import { expect, it } from 'vitest';
import { answeringLater, type RawServer, startRawServer } from './raw-server.ts';
import { autocannon, describeTools, h2load, oha, wrk } from './tool.ts';

/** The CPUs of the tool with the text in its arguments; undefined if there is none. Linux only. */
function allowedCpus(argument: string): string | undefined {
  // taskset restricts itself, and then becomes the tool.
  const isTool = (words: string) => words.includes(argument) && !words.includes('taskset');
  const pid = platform.processes().ids.find((id) => isTool(readProcFile(id, 'cmdline')));
  return pid === undefined
    ? undefined
    : /^Cpus_allowed_list:\s*(.*)$/m.exec(readProcFile(pid, 'status'))?.[1];
}

const pinnable = process.platform === 'linux' && availableParallelism() > 1;

await describeTools(
  [wrk, autocannon, h2load, oha],
  'with the option cpuSet',
  (benchmarker) => {
    it.runIf(pinnable)('runs only on these CPUs', async () => {
      let allowed: string | undefined;
      await using server: RawServer = await startRawServer(
        answeringLater((socket) => {
          // The first requests come from this process. Later, the tool waits for this answer.
          allowed ??= allowedCpus(`:${server.port}/`);
          socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
        }),
      );
      const load = { protocol: 'http', connections: 2, durationSeconds: 1, cpuSet: '1' } as const;
      const { command } = await benchmarker.run({ port: server.port, ...load });
      expect(allowed).toBe('1');
      // With more threads than CPUs, threads would wait for each other.
      if (benchmarker === wrk) expect(command.join(' ')).toContain(' -t 1 ');
    });
  },
  { together: true },
);
