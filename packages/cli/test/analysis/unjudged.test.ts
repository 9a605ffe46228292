import { caseKey } from '@bench-cli/results';
import type { RecordLine } from '@bench-cli/results/recording';
import { afterAll, describe, expect, it } from 'vitest';
import { benchCli } from '../../../../test/support/command.ts';
import { recordedInputs } from '../../../../test/support/recorded-inputs.ts';
import { readLines, writeLines } from '../../../../test/support/recording.ts';

const suite = recordedInputs();
afterAll(() => suite[Symbol.dispose]());

const SHARDS = 3;
const benchmark = 'strings/parse.js';

/** The lines of a session with one benchmark, of which nothing is missing. */
const whole = readLines(suite.path('fixed.jsonl')).flatMap((line): RecordLine[] => {
  if (line.type === 'plan')
    return [{ ...line, benchmarks: line.benchmarks.filter(({ name }) => name === benchmark) }];
  return 'benchmark' in line && line.benchmark !== benchmark ? [] : [line];
});

/** The part of the session that a shard measures. */
function shardOf(index: number): RecordLine[] {
  const planned = whole.flatMap((line) => (line.type === 'plan' ? line.benchmarks : []));
  const keys = planned.flatMap(({ name, configurations }) =>
    configurations.map((each) => caseKey({ benchmark: name, configuration: each })),
  );
  return whole.flatMap((line): RecordLine[] => {
    if (line.type === 'session')
      return [{ ...line, request: { ...line.request, shard: { index, count: SHARDS } } }];
    if (line.type === 'plan') {
      const shards = (at: number) => (at % SHARDS) + 1;
      const benchmarks = line.benchmarks.map((each) => ({
        ...each,
        shards: each.configurations.map((_, at) => shards(at)),
      }));
      return [{ ...line, benchmarks }];
    }
    return line.type === 'run' && (keys.indexOf(caseKey(line)) % SHARDS) + 1 !== index ? [] : [line];
  });
}
writeLines(suite.path('whole.jsonl'), whole);
for (const index of [1, 2, 3]) writeLines(suite.path(`${index}.jsonl`), shardOf(index));
writeLines(suite.path('unfinished.jsonl'), whole.slice(0, -1));

const gate = (format: string, ...args: readonly string[]) =>
  benchCli(['analyze', '--format', format, '--fail-on', 'slower>=90%', ...args], { cwd: suite.directory });

const formats = [
  ...[
    'table',
    'rates',
    'markdown',
    'json',
    'junit',
    'bencher',
    'github-action-benchmark',
    'github-annotations',
  ],
] as const;
const incomplete = [
  ['a missing shard', 'shard 3/3', ['1.jsonl', '2.jsonl']],
  ['two missing shards', 'shard 1/3', ['2.jsonl']],
  ['an unfinished session', 'the session', ['unfinished.jsonl']],
] as const;

describe.each(formats)('a gate with --format %s', (format) => {
  it.each(incomplete)('does not pass %s, unless that is accepted', async (_, name, files) => {
    const { exitCode, stdout, stderr } = await gate(format, ...files);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining(name) });
    if (format === 'junit') expect(stdout).toContain(`name="${name}"><error message=`);
    if (format === 'github-annotations') expect(stdout).toContain(name);
    expect(await gate(format, '--allow-missing', ...files)).toMatchObject({ exitCode: 0 });
  });

  it.each([[['3.jsonl', '1.jsonl', '2.jsonl']], [['whole.jsonl']]])('passes all of it: %s', async (files) => {
    expect(await gate(format, ...files)).toMatchObject({ exitCode: 0 });
  });
});
