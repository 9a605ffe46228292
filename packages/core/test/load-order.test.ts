import { describe, expect, it } from 'vitest';
import { temporarySuite } from '../../../test/support/suite.ts';
import { placeOrder } from '../src/http/load-order.ts';

describe('an order to a load process', () => {
  const order = { load: { port: 1 }, script: '/suite/b.js' };
  const send = (message: object) => `writeSync(3, ${JSON.stringify(JSON.stringify(message))} + '\\n');`;
  const answerOf = async (source: string, configLimitMs?: number) => {
    using suite = temporarySuite({ 'load-process.js': `import { writeSync } from 'node:fs'; ${source}` });
    return await placeOrder(order, suite.path('load-process.js'), configLimitMs);
  };

  it('is answered, whatever the process prints', async () => {
    const answer = { error: 'sent', code: 'ERR_BENCH_LOAD_FAILURES' };
    expect(await answerOf(`console.log('{"error": "printed"}'); ${send(answer)}`)).toEqual(answer);
  });

  it.each([
    ['waits without end', 'setInterval(() => {}, 1000);', /^\/suite\/config\.ts .* 0\.1 s/],
    ['loops without end', 'for (;;);', /^\/suite\/config\.ts .* 0\.1 s/],
    ['ends the process', 'process.exit(3);', /^\/suite\/config\.ts .*\b3$/],
  ])('fails with the name of the config file if loading that %s', async (_, source, reason) => {
    const limitMs = source.includes('exit') ? undefined : 100;
    const answer = await answerOf(send({ loading: '/suite/config.ts' }) + source, limitMs);
    expect(answer).toEqual({ error: expect.stringMatching(reason), code: 'ERR_BENCH_CONFIG_FILE' });
  });

  it('fails if the process ends without an answer', async () => {
    const answer = await answerOf(`process.kill(process.pid, 'SIGKILL');`);
    expect(answer).toEqual({ error: expect.stringContaining('SIGKILL'), code: 'ERR_BENCH_LOAD' });
  });
});
