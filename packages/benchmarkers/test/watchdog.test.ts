import { expect, it } from 'vitest';
import { checkOptions } from '../src/load-request.ts';
import { watchdogOf } from '../src/watchdog.ts';
import { loadResult } from './load-result.ts';
import { answering, RawServer } from './raw-server.ts';

/** The time limit for an answer, milliseconds. */
const limitMs = 1000;

/** What the watchdog says of a server that answers its first request with the function. */
async function problemWith(first: (answer: () => void) => void): Promise<string | undefined> {
  const asked = Promise.withResolvers<void>();
  let answers = 0;
  await using server = await RawServer.start(
    answering((socket) => {
      const answer = () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
      if (answers++ === 0) first(answer);
      else answer();
      asked.resolve();
    }),
  );
  const { request } = checkOptions({ port: server.port, connections: 1, timeoutSeconds: limitMs / 1000 });
  using watchdog = watchdogOf(request);
  await asked.promise;
  return await watchdog.problem(loadResult(1), undefined);
}

it('the watchdog of a load finds an answer that is late', async () => {
  expect(await problemWith(() => {})).toContain('the server stalls');
});

it('the watchdog of a load takes no answer for late while its own process did not run', async () => {
  const problem = await problemWith((answer) => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * limitMs);
    answer();
  });
  expect(problem).toBeUndefined();
});
