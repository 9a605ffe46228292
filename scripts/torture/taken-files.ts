import { appendFileSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { benchmark, temporarySuite } from '../../test/support/suite.ts';
import { command, expectExit } from './command.ts';
import type { Random } from './random.ts';
import { expectComplete, expectRuns, hasRuns, recordingIn } from './recorded-runs.ts';
import { Tallies, type Tally } from './tally.ts';

const other = 'the file of another program\n';

const ways = {
  removed: (file: string) => rmSync(file),
  'removed with its directory': (file: string) => rmSync(dirname(file), { recursive: true }),
  emptied: (file: string) => truncateSync(file),
  'written to': (file: string) => appendFileSync(file, other),
  replaced: (file: string) => {
    writeFileSync(`${file}.other`, other);
    renameSync(`${file}.other`, file);
  },
} as const;
const names = ['removed', 'removed with its directory', 'emptied', 'written to', 'replaced'] as const;

/** Takes the results file of a session away at a random moment. The session must say so, and go on in another file. */
export async function takenFiles(count: number, random: Random): Promise<readonly Tally[]> {
  const tallies = new Tallies('results files taken away');
  for (let attempt = 0; attempt < count; attempt++) {
    const name = names[attempt % names.length] ?? 'removed';
    const tally = tallies.of(name);
    await tally.guard(name, () => take(name, tally, random));
  }
  return tallies.all;
}

async function take(name: (typeof names)[number], tally: Tally, random: Random): Promise<void> {
  using suite = temporarySuite({
    'g/a.js': benchmark(
      '{ n: [0, 1, 2, 3, 4, 5] }',
      'await new Promise((resolve) => setTimeout(resolve, 50)); bench.report(1 + conf.n, 1n);',
    ),
  });
  const out = suite.path('deep/results.jsonl');
  let wasTaken = false;
  const runs = 1 + random.below(17);
  const meanwhile = () => {
    if (!hasRuns(out, runs)) return false;
    // A session that has ended needs its file no longer.
    wasTaken = !readFileSync(out, 'utf8').trimEnd().split('\n').at(-1)?.startsWith('{"type":"end"');
    ways[name](out);
    return true;
  };
  const words = ['run', '--runs', '3', '--suite', suite.directory, '--out', out, 'g/a.js'];
  const ended = await command(tally, words, { meanwhile });
  tally.attempts++;
  expectExit(tally, ended, undefined);
  const told = `${name}: ${ended.stderr}`;
  const [, file = out] = / --resume (\S+)/.exec(ended.stderr) ?? [];
  if (!wasTaken) return;
  if (file === out) return tally.add('lost', `without a word, ${told}`);
  if (name === 'replaced' && readFileSync(out, 'utf8') !== other) tally.add('lost', `the file of another`);
  const former = recordingIn(file);
  const rateOf = ({ configuration }: { configuration: Readonly<Record<string, unknown>> }) =>
    1 + Number(configuration['n']);
  expectRuns(tally, former, { former: undefined, rateOf, told });
  if (name !== 'emptied') return expectComplete(tally, former, 18, told);
  // The runs before are lost, and can be measured again.
  if (former?.ended === true && former.runs.length < 18)
    tally.add('lost', `a session that seems complete, ${told}`);
  expectExit(tally, await command(tally, ['run', '--resume', file]), undefined);
  const recording = recordingIn(file);
  expectRuns(tally, recording, { former, rateOf, told });
  expectComplete(tally, recording, 18, told);
}
