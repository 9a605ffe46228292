import { globSync, writeFileSync } from 'node:fs';
import { benchmark, temporarySuite } from '../../test/support/suite.ts';
import { command, expectExit } from './command.ts';
import type { Random } from './random.ts';
import { expectComplete, expectRuns, recordingIn } from './recorded-runs.ts';
import { Tally } from './tally.ts';

const rounds = 3;
const node = process.execPath;
const words = ['compare', '--old', node, '--new', `${node},env=SPEED=2`, '--runs', `${rounds}`];

/**
 * Lets the date jump by up to a year in both directions while a session runs and is continued, and history reads it. `Date` jumps, and the clock
 * that measures does not, as where the clock of a machine is set.
 */
export async function clocks(count: number, random: Random): Promise<readonly Tally[]> {
  const tally = new Tally('dates that jump');
  const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');
  if (library === undefined) tally.skip('libfaketime is not installed');
  else while (tally.attempts < count) await tally.guard('session', () => jump(library, tally, random));
  return [tally];
}

async function jump(library: string, tally: Tally, random: Random): Promise<void> {
  tally.attempts++;
  using suite = temporarySuite({
    'a.js': benchmark(
      '{ n: [1, 2] }',
      `bench.start(); for (const from = performance.now(); performance.now() - from < 20; ); bench.end(20 * conf.n * Number(process.env.SPEED ?? 1));`,
    ),
  });
  const offset = suite.path('offset');
  const jumped: string[] = [];
  const set = () => {
    jumped.push(`${random.pick(['+', '-'])}${random.below(365 * 24 * 3600)}`);
    writeFileSync(offset, `${jumped.at(-1)}\n`);
  };
  set();
  const timer = setInterval(() => random.below(10) === 0 && set(), 20);
  const env = {
    ...{ LD_PRELOAD: library, FAKETIME_TIMESTAMP_FILE: offset, FAKETIME_NO_CACHE: '1' },
    ...{ FAKETIME_DONT_FAKE_MONOTONIC: '1', BENCH_CLI_CACHE: suite.path('cache') },
  };
  const options = { cwd: suite.directory, env };
  try {
    const kill = { signal: 'SIGKILL', afterMs: 300 + random.below(2000) } as const;
    await command(tally, [...words, 'a.js', '--out', 'a.jsonl'], { ...options, kill });
    const former = recordingIn(suite.path('a.jsonl'));
    const again =
      former === undefined ? [...words, 'a.js', '--out', 'b.jsonl'] : ['compare', '--resume', 'a.jsonl'];
    const ended = await command(tally, again, options);
    const told = `${jumped}\n${ended.stderr}`;
    expectExit(tally, { ...ended, stderr: told }, undefined);
    const file = former === undefined ? 'b.jsonl' : 'a.jsonl';
    const recording = recordingIn(suite.path(file));
    expectComplete(tally, recording, rounds * 4, told);
    const truth = (run: {
      readonly subject: string;
      readonly configuration: Readonly<Record<string, unknown>>;
    }) => 1000 * Number(run.configuration['n']) * (run.subject === 'new' ? 2 : 1);
    // On a busy machine the loop takes longer, but not for hours.
    expectRuns(tally, recording, { former, rateOf: (run) => [truth(run) / 100, truth(run) * 1.01], told });
    if (recording?.runs.some(({ durationMs }) => !(durationMs > 0 && durationMs < 60_000)))
      tally.add('wrong figures', `the time of a run: ${told}`);
    for (const args of [
      ['analyze', file],
      ['history', '--file', 'h.jsonl', '--commit', 'c', '--machine', 'm', file],
    ])
      expectExit(tally, await command(tally, args, options), undefined);
  } finally {
    clearInterval(timer);
  }
}
