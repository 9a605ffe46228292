import type { TracedFunction } from '@bench-cli/results';
import { readRecording, type SucceededRun } from '@bench-cli/results/recording';
import { describe, expect, it } from 'vitest';
import { recordedInputs } from '../../../test/support/recorded-inputs.ts';
import { untilEnd } from '../../../test/support/until-end.ts';
import { noticedFunctions, renderFunctions } from '../src/index.ts';
import { renderFunctionsPage } from '../src/page/index.ts';

const inputs = untilEnd(recordedInputs());
const recorded = readRecording(inputs.path('sequential.jsonl'));
const [first] = recorded.runs.filter((run): run is SucceededRun => run.status === 'ok');
const [one = '', other = ''] = recorded.session.request.subjects.map(({ name }) => name);

/** Eight rounds of a case, in which a pair takes 3 s and its rates differ by plus and minus `noise`. */
const runsOf = (benchmark: string, noise: number) =>
  Array.from({ length: 16 }, (_, at) => ({
    ...(first as SucceededRun),
    benchmark,
    configuration: {},
    subject: at % 2 === 0 ? one : other,
    round: Math.floor(at / 2),
    durationMs: 1500,
    values: { rate: at % 2 === 0 ? 100 : 100 * (1 + (at % 4 === 1 ? noise : -noise)) },
  }));
const recording = { ...recorded, runs: [...runsOf('quiet.js', 0.02), ...runsOf('noisy.js', 0.2)] };

const fn = (name: string, rest: Partial<TracedFunction> = {}): TracedFunction => ({
  ...{ name, place: `${name}.js:1`, exported: name, isExecuted: true, length: 100 },
  ...rest,
});
const { exported: _, ...hidden } = fn('hidden');
const functions = [
  ...[fn('half'), fn('most', { exported: 'Class.most' })],
  ...[fn('never', { isExecuted: false }), fn('longer', { isExecuted: false, length: 200 }), fn('setup')],
  ...[hidden, { ...hidden, name: 'tiny', place: 'tiny.js:1' }],
];

/** A case with the shares of functions in two profiles. What is left is not of the project. */
const profiledCase = (file: string, shares: Readonly<Record<string, number>>) => {
  const run = (factor: number) =>
    new Map([
      ...Object.entries(shares).map(([name, share]) => [`${name} ${name}.js:1`, factor * share] as const),
      ['(garbage collector)', factor * (1 - Object.values(shares).reduce((sum, share) => sum + share, 0))],
    ]);
  return {
    case: { benchmark: `${file}.js`, configuration: {} },
    profiles: [{ subject: one, runs: [run(50), run(70)], deoptimised: [] }],
  };
};
const cases = [
  profiledCase('quiet', { half: 0.4, hidden: 0.01, tiny: 0.009 }),
  profiledCase('noisy', { half: 0.4, most: 0.5 }),
];
const notice = noticedFunctions(functions, cases, [recorded, recording]);

describe('the functions that benchmarks notice', () => {
  it('are noticed from the change of the best case, divided by their share of it', () => {
    const [quiet, noisy] = notice.cases.map(({ change }) => change ?? Number.NaN);
    expect(noisy).toBeGreaterThan(5 * (quiet ?? Number.NaN));
    const byName = new Map(notice.functions.map((each) => [each.name, each]));
    const half = { by: 'quiet.js', share: expect.closeTo(0.4), from: expect.closeTo((quiet ?? 0) / 0.4) };
    const most = { by: 'noisy.js', share: expect.closeTo(0.5), from: expect.closeTo((noisy ?? 0) / 0.5) };
    expect(byName.get('half')).toMatchObject(half);
    expect(byName.get('Class.most')).toMatchObject(most);
    expect(byName.get('setup')).toMatchObject({ by: null, share: 0, from: Number.POSITIVE_INFINITY });
  });

  it('are noticed by no session that has too little time for a verdict', () => {
    // A round of both cases takes 6 s.
    const changeIn = (budgetMs: number) => {
      const found = noticedFunctions(functions, cases, [recording], budgetMs);
      const saysSo = renderFunctions(found, 'text', 200).includes('find no change, however large');
      return [found.maxRuns, saysSo, ...found.cases.map(({ change }) => change < 1)];
    };
    expect(changeIn(47_999)).toEqual([7, true, false, false]);
    expect(changeIn(72_000)).toEqual([12, false, true, true]);
  });

  it('do not need a case that another one covers, and those that no session has recorded are left out', () => {
    const others = [profiledCase('copy', { half: 0.3 }), profiledCase('unknown', { half: 0.9 })];
    const more = [...cases, ...others, profiledCase('without', {})];
    const runs = [...recording.runs, ...runsOf('copy.js', 0.02), ...runsOf('without.js', 0.02)];
    const found = noticedFunctions(functions, more, [recording, { ...recording, runs }]);
    expect(found.cases.map(({ isCovered }) => isCovered)).toEqual([false, false, true, false]);
    expect(renderFunctions(found, 'text', 200)).toMatch(
      /^Covered by others: copy\.js \(([\d.]+) s\)\. A session without them takes \1 s less\.$/m,
    );
  });

  it('are none if the benchmarks measure no code of the project: a sentence without a table', () => {
    const none = noticedFunctions([], cases, [recording]);
    for (const shown of [renderFunctions(none, 'text', 80), renderFunctions(none, 'markdown', 80)])
      expect(shown).toMatch(/^No function of this project /);
    expect(renderFunctionsPage(none)).not.toContain('<table');
  });

  it('are exported ones and those with 1 % of a case, each with the weakest first, and benchmarks that would help', () => {
    const text = renderFunctions(notice, 'text', 200);
    expect(
      text
        .replaceAll(/ +/g, ' ')
        .replaceAll(/[\d.]+ %/g, 'N %')
        .split('\n'),
    ).toEqual([
      'function where noticed from by share',
      'never never.js:1 never no benchmark runs it',
      'longer longer.js:1 never no benchmark runs it',
      'setup setup.js:1 never no measured time',
      'Class.most most.js:1 +N % noisy.js N %',
      'half half.js:1 +N % quiet.js N %',
      'hidden hidden.js:1 +N % quiet.js N %',
      '',
      expect.stringContaining('notice 3 of 6 functions: N % of them find'),
      'Benchmarks of these would help most: longer (longer.js:1), never (never.js:1).',
      '',
    ]);
  });

  it('are Markdown and a page with the same cells', () => {
    const cells = '| `never` | `never.js:1` | never | `no benchmark runs it` | – |\n';
    expect(renderFunctions(notice, 'markdown', 200)).toContain(cells);
    expect(renderFunctionsPage(notice)).toMatch(
      />setup<\/th>.*>setup\.js:1<.*>never<.*>no measured time<.*32 runs</s,
    );
  });
});
