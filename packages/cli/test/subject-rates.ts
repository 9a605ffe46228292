import { expect } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';

/** Compares once, and returns each subject with its rate, such as `old 1`. The rates of these benchmarks say what code they got. */
export async function rates(cwd: string, ...words: readonly string[]) {
  const args = ['compare', '--runs', '1', '--format', 'csv', ...words];
  const { stdout, stderr, exitCode } = await benchCli(args, { cwd });
  const tooFew = /^warning: 1 run of each subject cannot show a difference.*\n$/;
  expect({ stderr, exitCode }).toEqual({ stderr: expect.stringMatching(tooFew), exitCode: 0 });
  const rows = stdout.trim().replaceAll('"', '').split('\n').slice(1);
  const byBenchmark = Map.groupBy(rows, (row) => row.split(',')[1]).values();
  return [...byBenchmark].flatMap((runs) =>
    runs
      .map((row) => row.split(','))
      .map(([subject, , , rate]) => `${subject} ${rate}`)
      .sort()
      .reverse(),
  );
}

/** The options of `compare` for two subjects. */
export const subjects = (old: string, new_: string): readonly string[] => ['--old', old, '--new', new_];
