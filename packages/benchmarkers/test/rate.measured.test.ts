import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { LoadOptions } from '@bench-cli/core';
import { findProgram } from '@bench-cli/system';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answeringLater, startRawServer } from './raw-server.ts';
import { describeTools, h2load } from './tool.ts';

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
const directory = mkdtempSync(join(tmpdir(), 'rate-'));
const path = process.env['PATH'];

/** Wraps h2load so that its output is also written to a file. */
beforeAll(async () => {
  const found = await findProgram('h2load');
  if (found?.executable !== true) return;
  const program = join(directory, 'h2load');
  writeFileSync(program, `#!/bin/sh\n'${found.path}' "$@" | tee '${program}.txt'\n`);
  chmodSync(program, 0o755);
  process.env['PATH'] = `${directory}${delimiter}${path}`;
});
afterAll(() => {
  process.env['PATH'] = path;
  rmSync(directory, { recursive: true });
});

/** For tests of one tool, whose output is in one file. */
const oneAtATime = { concurrent: false };

await describeTools([h2load], 'reports the rate', () => {
  const ownRate = () => {
    const output = readFileSync(join(directory, 'h2load.txt'), 'utf8');
    return Number(/^finished in \S+, ([\d.]+) req\/s/m.exec(output)?.[1]);
  };

  it.each<[what: string, options: Partial<LoadOptions>]>([
    ['a duration', { durationSeconds: 1 }],
    ['a number of requests', { requests: 50 }],
  ])('that the load tool prints, for %s', oneAtATime, async (_, options) => {
    await using server = await startRawServer(answeringLater((socket) => socket.write(ok)));
    const load = { port: server.port, protocol: 'http', connections: 2, ...options } as const;
    const { rate, requests, durationSeconds } = await h2load.run(load);
    expect(rate).toBeCloseTo(ownRate(), 1);
    if ('durationSeconds' in options) expect(durationSeconds).toBe(options.durationSeconds);
    else expect(requests).toBe(options.requests);
  });

  it('that the load tool prints, if some requests were never sent', oneAtATime, async () => {
    let isReset = false;
    await using server = await startRawServer((socket) => {
      socket.once('data', (head: Buffer) => {
        // The other connections are those of the adapter.
        if (isReset || !head.includes('user-agent: h2load')) return;
        isReset = true;
        socket.resetAndDestroy();
      });
      answeringLater((each) => each.write(ok))(socket);
    });
    const load = { protocol: 'http', connections: 2, requests: 20, maxFailures: 10 } as const;
    const result = await h2load.run({ ...load, port: server.port });
    expect(result).toMatchObject({ requests: 10, readErrors: 10 });
    expect(result.rate).toBeCloseTo(ownRate(), 1);
  });
});
