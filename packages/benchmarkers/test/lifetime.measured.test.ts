import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { temporarySuite } from '../../../test/support/suite.ts';
import { answeringLater, startRawServer } from './raw-server.ts';
import { autocannon, describeTools, h2load, oha, wrk } from './tool.ts';

const entry = import.meta.resolve('@bench-cli/benchmarkers');

await describeTools(
  [wrk, autocannon, h2load, oha],
  'ends when its parent',
  (benchmarker) => {
    // SIGKILL cannot be caught; only Linux can end the load tool then.
    it.each(
      process.platform === 'linux' ? (['SIGTERM', 'SIGINT', 'SIGKILL'] as const) : (['SIGTERM'] as const),
    )('is ended by %s', async (signal) => {
      // A process that is killed leaves the log of its tool.
      using temporary = temporarySuite({});
      const loaded = Promise.withResolvers<void>();
      let answers = 0;
      await using server = await startRawServer(
        answeringLater((socket) => {
          socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
          if (++answers === 50) loaded.resolve();
        }),
      );
      const { name } = benchmarker;
      const load = { port: server.port, protocol: 'http', durationSeconds: 60, benchmarker: name };
      const script = `const { loadServer } = await import(${JSON.stringify(entry)});
          await loadServer(${JSON.stringify(load)});`;
      const parent = execa(process.execPath, ['--input-type=module', '-e', script], {
        env: { TMPDIR: temporary.directory },
        reject: false,
      });
      await loaded.promise;
      parent.kill(signal);
      await parent;
      await server.idle();
    });
  },
  { together: true },
);

describe('importing the package', () => {
  it('loads no module of Node.js for HTTP or child processes', async () => {
    const script = `await import(${JSON.stringify(entry)});
      console.log(JSON.stringify(process.moduleLoadList.filter((it) => /^NativeModule (http|https|http2|tls|child_process)$/.test(it))));`;
    const { stdout } = await execa(process.execPath, ['--input-type=module', '-e', script]);
    expect(JSON.parse(stdout)).toEqual([]);
  });
});

describe('a signal that has aborted', () => {
  it('rejects with its reason, and nothing is started', async () => {
    await using server = await startRawServer(() => {});
    let connections = 0;
    server.onConnection(() => connections++);
    const reason = new Error('aborted');
    await expect(autocannon.run({ port: server.port }, { signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
    expect(connections).toBe(0);
  });
});
