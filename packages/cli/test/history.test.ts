import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { endedWith, usageError } from '../../../test/support/error-with.ts';
import { gitRepository } from '../../../test/support/git-repository.ts';
import { expectPinned } from '../../../test/support/pinned-text.ts';
import { jsonLines, readLines, writeLines } from '../../../test/support/recording.ts';
import { scriptedRates } from '../../../test/support/scripted-rates.ts';
import { benchmark } from '../../../test/support/suite.ts';
import { sharedSuite, untilEnd } from '../../../test/support/until-end.ts';

const files = sharedSuite({ 'benchmarks/g/a.ts': benchmark('{ n: [1, 2] }') });
const scripted = scriptedRates(
  ({ configuration: { n }, env: { SPEED = 1 } }) => 1000 * Number(n) * Number(SPEED),
);

beforeAll(async () => {
  const measure = (...args: string[]) =>
    benchCli([...args, '--runs', '2', 'g'], { cwd: files.directory, scripted });
  await measure('run', '--out', 'run.jsonl');
  const [old, current] = [process.execPath, `${process.execPath},env=SPEED=1.5`];
  await measure('compare', '--old', old, '--new', current, '--out', 'compare.jsonl');
});

const history = (...args: string[]) =>
  benchCli(['history', ...args], { cwd: files.directory, env: { GITHUB_SHA: '', CI_COMMIT_SHA: '' } });

/** A line of a history as it was written, of a session on a day of January. */
const entry = (commit: string, day: number, value: number, machine = 'm') =>
  `${JSON.stringify({
    ...{ format: 1, commit, at: new Date(Date.UTC(2026, 0, day)).toISOString(), machine, measure: 'rate' },
    cases: [{ benchmark: 'g/a.ts', configuration: { n: 1 }, value, runs: 10 }],
  })}\n`;

/** Lines of a commit each, whose values vary by some per mille. */
const lines = (count: number, valueAt: (at: number) => number, machine?: string) =>
  Array.from({ length: count }, (_, at) =>
    entry(`commit${at}`, at + 1, valueAt(at) * (1 + (((at * 7) % 10) - 4.5) / 500), machine),
  ).join('');

/** The history of two machines, one of which is slower since a commit. */
const changed = (...args: string[]) => {
  const slower = lines(40, (at) => (at < 25 ? 1000 : 900));
  writeFileSync(files.path('changed.jsonl'), slower + lines(40, () => 3000, 'other'));
  return history('--file', 'changed.jsonl', ...args);
};

describe('bench-cli history', () => {
  it('adds the summary of each session once', async () => {
    const add = ['--file', 'new.jsonl', '--commit', 'abc', '--machine', 'pool'];
    const both = await history(...add, 'run.jsonl', 'compare.jsonl');
    expect(both).toEqual(usageError('JOIN_MISMATCH', 'compare.jsonl', 'run.jsonl', 'the command'));
    const first = await history(...add, 'run.jsonl');
    const added = await history(...add, 'compare.jsonl');
    expect([first.exitCode, added.exitCode]).toEqual([0, 0]);
    const [run, compare] = jsonLines(files.path('new.jsonl'));
    const values = (entry: { cases: { value: number }[] }) => entry.cases.map(({ value }) => value);
    expect(run).toMatchObject({ commit: 'abc', machine: 'pool', measure: 'rate' });
    expect(values(run)).toEqual([1000, 2000]);
    expect(compare.measure).toMatch(/^rate \/ /);
    expect(values(compare)).toEqual([1.5, 1.5]);
    const again = await history(...add, 'run.jsonl');
    const texts = [added, again, await changed()].map(({ stdout, stderr }) => stdout + stderr);
    expectPinned('history', texts.join('\n'));
    expect(jsonLines(files.path('new.jsonl'))).toHaveLength(2);
  });

  it('shows at which commit a result has changed, on each machine', async () => {
    expect((await changed()).stdout).toMatch(/^commit25, 2026-01-26: rate, m\n +g\/a.ts n=1 .* -9.95 % /m);
    expect((await changed('--margin', '20%')).stdout).not.toContain('commit25');
    const { series } = JSON.parse((await changed('--format', 'json')).stdout);
    expect(series[0].points).toHaveLength(40);
    expect(series[0].changes).toMatchObject([{ index: 25, commit: 'commit25' }]);
    expect(series[1].changes).toEqual([]);
  });

  it('writes a page, in the order in which sessions were measured', async () => {
    const ordered = lines(40, (at) => (at < 25 ? 1000 : 900));
    writeFileSync(files.path('reversed.jsonl'), ordered.split('\n').toReversed().join('\n').trimStart());
    const { stderr, stdout } = await history('--file', 'reversed.jsonl', '--html', 'history.html');
    expect(stderr).toMatch(/^history\.html: 1 /);
    expect(stdout).toMatch(/^commit25, 2026-01-26: /m);
    expect(readFileSync(files.path('history.html'), 'utf8')).toContain('<code title="commit25">');
    expect(await history('--file', 'reversed.jsonl', '--html', 'none/h.html')).toMatchObject(
      usageError('WRITE', 'none/h.html'),
    );
  });

  it('counts a session once that its file has twice, as after a merge', async () => {
    writeFileSync(files.path('merged.jsonl'), lines(3, () => 1).repeat(2));
    const { series } = JSON.parse((await history('--file', 'merged.jsonl', '--format', 'json')).stdout);
    expect(series[0].points).toHaveLength(3);
  });

  it('goes on after a line that a full disk or a kill cut off', async () => {
    const [whole = '', cut = ''] = lines(2, () => 1).split('\n');
    writeFileSync(files.path('torn.jsonl'), `${whole}\n${cut.slice(0, 40)}`);
    const shown = await history('--file', 'torn.jsonl');
    expect(shown).toEqual(endedWith(0, 'last line of torn.jsonl is incomplete'));
    expect(await history('--file', 'torn.jsonl', '--commit', 'abc', 'run.jsonl')).toMatchObject({
      exitCode: 0,
    });
    const text = readFileSync(files.path('torn.jsonl'), 'utf8');
    const head = text.split('\n').map((line) => line.slice(0, 32));
    expect(head).toEqual(['{"format":1,"commit":"commit0","', expect.stringContaining('"commit":"abc"'), '']);
  });

  it('refuses a session without a commit, a file that is no history, and one without sessions', async () => {
    expect(await history('--file', 'x.jsonl', 'run.jsonl')).toMatchObject(usageError('OPTION', '--commit'));
    expect(await history('--file', 'x.jsonl')).toMatchObject(usageError('HISTORY', 'x.jsonl'));
    writeFileSync(
      files.path('damaged.jsonl'),
      lines(1, () => 1),
    );
    appendFileSync(files.path('damaged.jsonl'), '{ "format": 1 }\n');
    expect(await history('--file', 'damaged.jsonl')).toMatchObject(
      usageError('HISTORY', 'damaged.jsonl, line 2', 'commit'),
    );
    expect(await history('--file', 'run.jsonl')).toMatchObject(
      usageError('HISTORY', 'run.jsonl, line 1', 'format'),
    );
  });
});

describe('a history in the repository of its commits', () => {
  const repository = untilEnd(gitRepository({ a: '0' }));
  const commits = ['1', '2', '3'].map((a) => repository.commit({ a }));
  const [one = '', two = '', three = ''] = commits;

  it('has the order of the commits, also of one that is measured again, and of others by time', async () => {
    const sessions = [one, two, 'another', three, one].map((commit, at) => entry(commit, at + 1, 1));
    writeFileSync(repository.path('h.jsonl'), sessions.join(''));
    const shown = (cwd: string) =>
      benchCli(['history', '--file', repository.path('h.jsonl'), '--format', 'json'], { cwd });
    const orderIn = async (cwd: string) => {
      const { series } = JSON.parse((await shown(cwd)).stdout);
      return series[0].points.map((point: { readonly commit: string }) => point.commit);
    };
    expect(await orderIn(repository.directory)).toEqual([one, one, 'another', two, three]);
    expect((await shown(repository.directory)).stderr).toContain('the order of 1 of 4 commits is not known');
    expect(await orderIn(files.directory)).toEqual([one, two, 'another', three, one]);
  });

  it('has the whole id of a commit that is named by a branch or a part of its id', async () => {
    const results = files.path('run.jsonl');
    for (const name of ['HEAD', 'main', three.slice(0, 9)]) {
      const file = repository.path(`${name}.jsonl`);
      await benchCli(['history', '--file', file, '--commit', name, results], { cwd: repository.directory });
      expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
        commit: three,
        parents: [two],
      });
    }
  });

  it('has the recorded order of the commits outside of the repository, or says that it is not known', async () => {
    const file = files.path('recorded.jsonl');
    // The newest one is measured first.
    for (const [at, commit] of commits.toReversed().entries()) {
      const own = ['--commit', commit, '--machine', `m${at}`];
      const args = ['history', '--file', file, ...own, files.path('run.jsonl')];
      expect((await benchCli(args, { cwd: repository.directory })).exitCode).toBe(0);
    }
    const lines = jsonLines(file);
    const some = expect.stringMatching(/./);
    const versions = [expect.stringMatching(/^Node.js /)];
    expect(lines[0]).toMatchObject({ title: some, author: some, versions });
    const again = lines.map((line, at) => ({
      ...line,
      machine: 'm',
      at: `2026-01-0${at + 1}T00:00:00.000Z`,
    }));
    const write = (entries: readonly object[]) =>
      writeFileSync(file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    const shown = async () => {
      const args = ['history', '--file', file, '--format', 'json'];
      const { stdout, stderr } = await benchCli(args, { cwd: files.directory });
      const { series } = JSON.parse(stdout);
      return { stderr, order: series[0].points.map(({ commit }: { commit: string }) => commit) };
    };
    write(again);
    expect(await shown()).toEqual({ stderr: '', order: commits });
    write(again.map((entry) => ({ ...entry, committedAt: undefined, parents: undefined })));
    const { stderr, order } = await shown();
    expect(order).toEqual(commits.toReversed());
    expect(stderr).toContain('the order of 3 of 3 commits is not known');
  });

  it.each([
    [0, 100],
    [100, 0],
  ])('finds a change from %d to %d', async (before, after) => {
    const rates = Array.from({ length: 40 }, (_, at) => (at < 25 ? before : after));
    writeFileSync(files.path('zero.jsonl'), rates.map((rate, at) => entry(`c${at}`, at + 1, rate)).join(''));
    const { stdout } = await history('--file', 'zero.jsonl');
    expect(stdout).toMatch(/^c25, 2026-01-26: /m);
    expect(stdout).not.toMatch(/Infinity|NaN/);
  });
});

it('keeps the rate of a comparison whose old rate is 0, and rates in turns apart', async () => {
  const measured = readLines(files.path('compare.jsonl')).map((line) => {
    if (line.type !== 'run' || line.status !== 'ok') return line;
    if (line.configuration['n'] === 2) return { ...line, inTurns: true as const };
    return line.subject === 'old' ? { ...line, values: { ...line.values, rate: 0 } } : line;
  });
  writeLines(files.path('from-zero.jsonl'), measured);
  await history('--file', 'of-zero.jsonl', '--commit', 'c', '--machine', 'm', 'from-zero.jsonl');
  expect(jsonLines(files.path('of-zero.jsonl'))).toMatchObject([
    { measure: 'rate', cases: [{ configuration: { n: 1 }, value: 1500 }] },
    {
      measure: expect.stringMatching(/^rate \/ .*, in turns$/),
      cases: [{ configuration: { n: 2 }, value: 1.5 }],
    },
  ]);
});
