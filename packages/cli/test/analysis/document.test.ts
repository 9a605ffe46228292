import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bin, root } from '../../../../test/support/command.ts';
import { anyRate, writeQuickRuntime } from '../../../../test/support/quick-runtime.ts';
import { benchmark, type TemporarySuite, temporarySuite } from '../../../../test/support/suite.ts';
import { typeCommand } from '../../../../test/support/typed-command.ts';

const text = readFileSync(join(root, 'docs/analysis.md'), 'utf8');
const commands = [...text.matchAll(/^\$ (.*)$/gm)].map(([, command = '']) => command);

let project: TemporarySuite;

const type = (command: string) =>
  typeCommand(command, { cwd: project.directory, programs: project.path('bin') });

beforeAll(async () => {
  project = temporarySuite({
    'benchmarks/string_decoder/string-decoder.ts': benchmark(
      '{ encoding: ["ascii", "utf8"], inLen: [32], chunkLen: [16, 64] }',
    ),
    'bin/bench-cli': `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`,
  });
  chmodSync(project.path('bin/bench-cli'), 0o755);
  writeQuickRuntime(project.path('bin/node'), { rate: anyRate });
  const compare = 'bench-cli compare --old node --new node --allow-same --runs 2 string_decoder';
  await type(`${compare} > compare-pr.csv`);
  await type(`${compare} --out results.jsonl`);
  await type('bench-cli scatter --runs 2 string_decoder/string-decoder.ts > scatter.csv');
  // Measured rates might cross the gate by chance.
  const recorded = readFileSync(project.path('results.jsonl'), 'utf8');
  let run = 0;
  writeFileSync(
    project.path('results.jsonl'),
    recorded.replace(/"rate":[\d.]+/g, () => `"rate":${1000 + ((run++ * 7) % 5)}`),
  );
});
afterAll(() => project[Symbol.dispose]());

it('has commands', () => {
  expect(commands.length).toBeGreaterThan(10);
});

it.each(commands)('%s', async (command) => {
  const { exitCode, stderr } = await type(command);
  expect(exitCode, stderr).toBe(0);
  // A comparison in a pipe ends with its verdict there.
  expect(stderr).not.toMatch(/^(?:error|failed)/m);
});
