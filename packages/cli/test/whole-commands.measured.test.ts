import { describe, expect, it } from 'vitest';
import { temporarySuite } from '../../../test/support/suite.ts';
import { runJson } from './run-json.ts';

describe('whole commands', () => {
  it('are ranked by their wall time', async () => {
    using suite = temporarySuite({});
    const names = ['sleep 0.3', 'true x'];
    const { rankings } = await runJson(suite.directory, ...names);
    expect(rankings).toMatchObject([{ by: 'task', fastest: names[1], others: [{ value: names[0] }] }]);
  });

  it.runIf(process.platform === 'linux')('tell their CPU time with that of their children', async () => {
    using suite = temporarySuite({});
    const busy = "sh -c 'node -e 0; node -e 0'";
    const { commands } = await runJson(suite.directory, busy, '--runs', '3', 'sleep 0.01');
    const [msOfBusy, msOfSleeping] = [busy, 'sleep 0.01'].map((name) => {
      const found = commands.find((each: { benchmark: string }) => each.benchmark === name);
      return found.userMs + found.systemMs;
    });
    expect(msOfBusy).toBeGreaterThan(msOfSleeping + 10);
  });
});
