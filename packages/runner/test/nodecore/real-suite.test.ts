import { execFileSync } from 'node:child_process';
import { runConfiguration } from '@bench-cli/results';
import { createRequest, runSession } from '@bench-cli/runner';
import { describe, expect, it } from 'vitest';
import { cleanEnvironment } from '../../../../test/support/script-suite.ts';
import { skipWithout } from '../../../../test/support/tools.ts';

const suite = process.env['NODE_CORE_BENCHMARK'];

/** The rows that run.js prints, without rates and times. */
function rowsOfRunJs(group: string): string[] {
  const options = { cwd: suite, env: cleanEnvironment(), encoding: 'utf8' } as const;
  const output = execFileSync(process.execPath, ['run.js', '--format', 'csv', group, 'test'], options);
  return output
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((row) => row.replace(/, [\d.e+-]+, [\d.]+$/, ''));
}

describe('the suite of Node core itself', () => {
  skipWithout("Node core's benchmark suite");
  it.each(['string_decoder', 'querystring', 'process', 'path'])('%s has rows of run.js', async (group) => {
    const options = { items: [group], runs: 1, test: true, suite };
    const { request } = await createRequest('run', { node: {} }, options);
    const rows: string[] = [];
    for await (const event of runSession(request)) {
      if (event.type !== 'run') continue;
      expect(event.record).toMatchObject({ status: 'ok' });
      const { benchmark, configuration } = event.record;
      rows.push(`"${benchmark}", "${runConfiguration(configuration).replaceAll('"', '""')}"`);
    }
    expect(rows).toEqual(rowsOfRunJs(group));
  });

  it('is planned completely without running a benchmark', async () => {
    const items = ['path', 'querystring', 'string_decoder', 'url'];
    const { request } = await createRequest('run', { node: {} }, { items, runs: 1, suite });
    for await (const event of runSession(request)) {
      expect(event.type).not.toBe('warning');
      expect(event.type).not.toBe('failure');
      if (event.type !== 'planned') continue;
      expect(event.benchmarks).toHaveLength(request.files.length);
      expect(event.totalRuns).toBeGreaterThan(400);
      break;
    }
  });
});
