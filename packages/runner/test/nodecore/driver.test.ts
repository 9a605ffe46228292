import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanEnvironment, linesOf, Suite } from '../../../../test/support/script-suite.ts';
import { skipWithout } from '../../../../test/support/tools.ts';

const source = `createBenchmark((conf, bench) => { bench.start(); bench.end(conf.n); }, { type: ['x', 'y'], n: 3 });`;

describe('a TypeScript benchmark that another program starts', () => {
  let suite: Suite;
  beforeAll(() => {
    suite = new Suite();
  });
  afterAll(() => suite.remove());

  const real = process.env['NODE_CORE_BENCHMARK'];
  describe('by the tools of Node core', () => {
    skipWithout("Node core's benchmark suite");
    beforeAll(() => {
      // The tools are unmodified, with our benchmark in a group next to them.
      for (const tool of ['run.js', 'compare.js', 'scatter.js', '_cli.js', '_benchmark_progress.js']) {
        const path = join(real ?? '', tool);
        if (existsSync(path)) cpSync(path, join(suite.directory, 'tools', tool));
      }
      mkdirSync(join(suite.directory, 'tools/node_modules'), { recursive: true });
      writeFileSync(join(suite.directory, 'tools/package.json'), '{}');
      suite.write('tools/g/a.mts', `import { createBenchmark } from '@bench-cli/core';\n${source}`);
    });

    async function tool(name: string, args: readonly string[]): Promise<string[]> {
      const path = join(suite.directory, 'tools', name);
      const child = spawn(process.execPath, [path, ...args], {
        env: cleanEnvironment(),
        cwd: suite.directory,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      return linesOf(await text(child.stdout));
    }

    it('run.js prints its rates', async () => {
      expect(await tool('run.js', ['--set', 'n=4', 'g'])).toEqual([
        'g/a.mts',
        expect.stringMatching(/^g\/a\.mts n=4 type="x": [\d,.]+$/),
        expect.stringMatching(/^g\/a\.mts n=4 type="y": [\d,.]+$/),
      ]);
    });

    it('compare.js writes its CSV', async () => {
      const binaries = ['--old', process.execPath, '--new', process.execPath];
      const [header, ...rows] = await tool('compare.js', [...binaries, '--runs', '1', '--no-progress', 'g']);
      expect(header).toBe('"binary","filename","configuration","rate","time"');
      expect(rows.map((row) => row.split(',', 3).join())).toEqual(
        ['old', 'new'].flatMap((binary) =>
          ["x'", "y'"].map((type) => `"${binary}","g/a.mts","n=3 type='${type}"`),
        ),
      );
    });
  });
});
