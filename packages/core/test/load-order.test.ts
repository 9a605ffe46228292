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
    ['waits', 'setInterval(() => {}, 1000);'],
    ['loops', 'for (;;);'],
  ])('fails with the name of the config file if loading that %s without end', async (_, source) => {
    const answer = await answerOf(send({ loading: '/suite/bench-cli.config.ts' }) + source, 100);
    expect(answer).toEqual({
      error: expect.stringMatching(/^\/suite\/bench-cli\.config\.ts .* 0\.1 s/),
      code: 'ERR_BENCH_CONFIG_FILE',
    });
  });

  it('fails with the name of the config file if that ends the process', async () => {
    const answer = await answerOf(`${send({ loading: '/suite/bench-cli.config.ts' })} process.exit(3);`);
    expect(answer).toEqual({
      error: expect.stringMatching(/^\/suite\/bench-cli\.config\.ts .*\b3$/),
      code: 'ERR_BENCH_CONFIG_FILE',
    });
  });

  it('fails if the process ends without an answer', async () => {
    const answer = await answerOf(`process.kill(process.pid, 'SIGKILL');`);
    expect(answer).toEqual({
      error: expect.stringContaining('SIGKILL'),
      code: 'ERR_BENCH_LOAD',
    });
  });
});
