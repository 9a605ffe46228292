import { hash } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { subjectOrders } from '@bench-cli/results/recording';
import { resumeSession, runSession, type ScriptedExecutor, type SessionEvent } from '@bench-cli/runner';
import { beforeAll, describe, expect, it } from 'vitest';
import { scriptedRates } from '../../../test/support/scripted-rates.ts';
import { executedRuns, requestIn } from '../../../test/support/session-events.ts';
import { benchmark, type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';

const script = benchmark('{ kind: ["a"], n: [1] }');

const seed = 1;

/** The subjects of a round in the order of their runs, the good end and a version. */
function drawn(round: number, version: string): readonly string[] {
  const of = { benchmark: 'g/a.js', configuration: { n: 1, kind: 'a' } };
  return subjectOrders(['good', version], seed, of)(round);
}

/** Gives each version its rates, by the number of recorded runs. */
function scriptedSearch(suite: TemporarySuite, options: Search): ScriptedExecutor {
  const { first, ratio, noise, fails } = { ...usual, ...options };
  return scriptedRates(({ env }) => {
    const version = Number(env['VERSION']);
    const out = suite.path('results.jsonl');
    const runs = existsSync(out) ? (readFileSync(out, 'utf8').match(/^\{"type":"run"/gm) ?? []).length : 0;
    if (fails(version, runs)) return new Error('this version is broken');
    const digest = hash('sha256', `${version} ${runs + 1}`, 'buffer');
    const deviation = (noise * digest.readInt32LE()) / 2 ** 31;
    return 1e6 * (version < first ? 1 : ratio) * (1 + deviation);
  });
}

const neverFails = (_version: number, _runs: number) => false;
const usual = { last: 9, first: 6, ratio: 0.8, noise: 0.01, fails: neverFails };

interface Search {
  /** The number of the last version, which is the bad end; the good end is 0. */
  readonly last?: number;
  /** The first bad version. */
  readonly first?: number;
  readonly ratio?: number;
  readonly noise?: number;
  /** Whether a run of a version fails, by the number of recorded runs. */
  readonly fails?: (version: number, runs: number) => boolean;
  /** Texts of versions in place of those that only set VERSION. */
  readonly texts?: Readonly<Record<number, string>>;
  readonly runs?: { readonly maxRuns?: number; readonly budgetMs?: number };
}

async function requestOf(suite: TemporarySuite, { texts = {}, runs = {}, ...options }: Search) {
  const { last } = { ...usual, ...options };
  const runtime = process.execPath;
  const subjectOf = (version: number) => ({ runtime, env: { VERSION: `${version}` } });
  const subjects = { good: subjectOf(0), bad: subjectOf(last) };
  const request = await requestIn(suite, { subjects, runs });
  const versions = Array.from({ length: last + 1 }, (_, version) =>
    [texts[version] ?? runtime, `env=VERSION=${version}`].join(','),
  );
  // The rates depend on the order of the runs.
  return { ...request, command: 'bisect' as const, versions, seed };
}

/** The number of a version. */
const numberOf = (version: string) => Number(/VERSION=(\d+)/.exec(version)?.[1]);

async function search(options: Search = {}, source = script) {
  using suite = temporarySuite({ 'g/a.js': source });
  const request = await requestOf(suite, options);
  const out = suite.path('results.jsonl');
  const events = await Array.fromAsync(
    runSession(request, { out, scripted: scriptedSearch(suite, options) }),
  );
  return { events, lines: readFileSync(out, 'utf8').trimEnd().split('\n'), ...outlineOf(events) };
}

function outlineOf(events: readonly SessionEvent[]) {
  const result = events.find((event) => event.type === 'searched')?.result;
  const runs = executedRuns(events);
  const { first = '', last = '', before = '' } = result?.found ?? {};
  return {
    result,
    found: result?.found && [before, first, last].map(numberOf),
    versions: result?.versions.map(({ version, verdict, skipped }) => [
      numberOf(version),
      skipped === undefined ? verdict : skipped,
    ]),
    runs: runs.map(
      ({ subject, round, status }) =>
        `${round} ${subject.length > 4 ? numberOf(subject) : subject} ${status}`,
    ),
  };
}

describe('a bisection', () => {
  let searched: Awaited<ReturnType<typeof search>>;
  beforeAll(async () => {
    searched = await search();
  });

  it('finds the first bad version and the one before it', () => {
    const { found, versions, result } = searched;
    expect(found).toEqual([5, 6, 6]);
    const verdicts = versions?.map((each) => each.join(' '));
    expect(verdicts).toEqual(['4 good', '5 good', '6 bad', '9 bad']);
    expect(result?.ends.verdict).toBe('lower');
    expect(result?.versions[2]?.ratio?.ratio).toBeCloseTo(0.8, 1);
  });

  it('runs the good end and one version in each round, in the drawn order', () => {
    const { runs } = searched;
    const versions = [...Array.from({ length: 9 }, () => 'bad'), '4', '4'];
    expect(runs.slice(0, 22)).toEqual(
      versions.flatMap((version, round) => drawn(round, version).map((subject) => `${round} ${subject} ok`)),
    );
  });

  it('records what each version was, and counts the runs and their time', () => {
    const { lines, result, runs } = searched;
    expect(result).toMatchObject({ size: 9, runs: runs.length });
    expect(result?.runsMs).toBeGreaterThan(0);
    const records = lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'version');
    expect(
      records.map(({ version, status, subject }) => [numberOf(version), status, subject.env.VERSION]),
    ).toEqual([
      [4, 'ok', '4'],
      [6, 'ok', '6'],
      [5, 'ok', '5'],
    ]);
  });
});

describe('a version that does not work', () => {
  it('is skipped if its runs fail', async () => {
    const { found, versions, runs } = await search({ fails: (version) => version === 4 });
    expect(found).toEqual([5, 6, 6]);
    expect(versions).toContainEqual([4, expect.stringContaining('this version is broken')]);
    expect(runs.filter((run) => run.endsWith('4 failed'))).toHaveLength(2);
  });

  it('is skipped if it cannot be fetched', async () => {
    const { found, versions, lines } = await search({ texts: { 4: '/no/such/runtime' } });
    expect(found).toEqual([5, 6, 6]);
    expect(versions).toContainEqual([4, expect.stringContaining('/no/such/runtime')]);
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ type: 'version', status: 'failed' }),
    );
  });

  it('is skipped if the benchmark does not have the configuration there', async () => {
    const source = script.replace('kind: ["a"]', 'kind: [process.env.VERSION === "4" ? "b" : "a"]');
    const { found, versions } = await search({ texts: { 4: process.execPath } }, source);
    expect(found).toEqual([5, 6, 6]);
    expect(versions).toContainEqual([4, expect.stringContaining('the case')]);
  });

  it('is skipped if one of the two runs fails in each round', async () => {
    // The ends are known after eight rounds.
    const fails = (version: number, runs: number) => {
      const isEven = Math.floor(runs / 2) % 2 === 0;
      return runs >= 16 && (version === 0 ? isEven : version === 2 && !isEven);
    };
    const { versions } = await search({ last: 4, first: 4, fails, runs: { maxRuns: 8 } });
    expect(versions).toContainEqual([2, expect.stringContaining('runs')]);
  });
});

describe('a bisection ends without a version', () => {
  it('if an end fails', async () => {
    for (const broken of [0, 9]) {
      const { found, runs } = await search({ fails: (version) => version === broken });
      expect(found).toBeUndefined();
      expect(runs.filter((run) => run.endsWith('failed'))).toHaveLength(2);
    }
  });

  it('at the time limit, with a warning', async () => {
    const { found, runs, events } = await search({ runs: { budgetMs: 1 } });
    expect(found).toBeUndefined();
    expect(runs).toHaveLength(2);
    expect(events).toContainEqual({ type: 'warning', message: expect.stringContaining('--budget') });
  });
});

it('an interrupted bisection continues with the same runs and the same result, wherever it was interrupted', async () => {
  using suite = temporarySuite({ 'g/a.js': script });
  const out = suite.path('results.jsonl');
  const noisy = { noise: 0.03, fails: (version: number) => version === 5 };
  const scripted = scriptedSearch(suite, noisy);
  const request = await requestOf(suite, noisy);
  const whole = outlineOf(await Array.fromAsync(runSession(request, { out, scripted })));
  const lines = readFileSync(out, 'utf8').split('\n');
  copyFileSync(out, suite.path('whole.jsonl'));
  const first = lines.findIndex((line) => line.startsWith('{"type":"version"'));
  for (const kept of [1, first + 4]) {
    writeFileSync(out, `${lines.slice(0, kept).join('\n')}\n${(lines[kept] ?? '').slice(0, 20)}`);
    const { result, ...continued } = outlineOf(await Array.fromAsync(resumeSession(out, { scripted })));
    expect(continued).toEqual({ found: whole.found, versions: whole.versions, runs: whole.runs });
    expect(result?.found?.probability).toBe(whole.result?.found?.probability);
  }
});
