import { describe, expect, it } from 'vitest';
import { standingsOf } from '../src/comparison/standing.ts';
import {
  type ClientComparison,
  comparisonOptionsOf,
  renderBarChart,
  renderClientCsv,
  renderClientJson,
  renderClientMarkdown,
  renderClientText,
} from '../src/index.ts';

function comparison(samplesMs: Readonly<Record<string, readonly number[]>>): ClientComparison {
  const clients = Object.entries(samplesMs).map(([name, ms]) => ({
    name,
    blocks: [{ round: 0, elapsedNs: ms.map((it) => it * 1e6), warmUpMs: 1000, isSteady: true }],
  }));
  return {
    server: { url: 'http://127.0.0.1:3030', socketPath: null, answerBytes: 65_536, countsRequests: true },
    options: comparisonOptionsOf({}),
    rounds: 1,
    elapsedMs: 1000,
    ...standingsOf(clients, 100),
    failed: [],
    skipped: [],
    unsettled: [],
    warnings: [],
  };
}

const one = comparison({ 'undici - request': [12.5], 'http - no keepalive': [50] });
const several = comparison({ 'undici - request': [10, 10.1, 9.9], fetch: [50, 51, 49] });

it('the notes name clients that were not steady, and the time of the warm-up', () => {
  const [first, ...others] = several.standings;
  if (first === undefined) throw new Error('there is no standing');
  const standings = [{ ...first, warmUpMs: 2_345, unsteadyRounds: 1 }, ...others];
  const text = renderClientText({ ...several, options: comparisonOptionsOf({ SAMPLES: '3' }), standings });
  expect(text).toContain(`${first.name} was not steady after 5 s of warm-up in 1 of its 1 rounds.`);
  expect(text).toContain('Warm-up until the rate was steady: 1.0 to 2.3 s per round.');
});

describe('the table as text', () => {
  it('is that of undici, with a note that one sample has no tolerance', () => {
    expect(renderClientText(one)).toBe(
      `┌─────────────────────┬─────────┬─────────────────┬───────────┬─────────────────────────┐
│ Tests               │ Samples │          Result │ Tolerance │ Difference with slowest │
|─────────────────────|─────────|─────────────────|───────────|─────────────────────────|
│ http - no keepalive │       1 │ 2000.00 req/sec │      none │                       - │
|─────────────────────|─────────|─────────────────|───────────|─────────────────────────|
│ undici - request    │       1 │ 8000.00 req/sec │      none │              + 300.00 % │
└─────────────────────┴─────────┴─────────────────┴───────────┴─────────────────────────┘
With one sample there is no tolerance, so differences mean nothing: set SAMPLES=auto, or at least 10.
`,
    );
  });

  it('shows tolerances and intervals of differences with more samples', () => {
    const text = renderClientText(several);
    expect(text).toMatch(/│ fetch +│ +3 │ +2000\.00 req\/sec │ +± 1\.15 % │ +- │/);
    expect(text).toMatch(
      /│ undici - request │ +3 │ 10000\.00 req\/sec │ +± 0\.58 % │ \+ 400\.00 % \(\+ 382\.4 % to \+ 418\.2 %\) │/,
    );
    expect(text).not.toContain('With one sample');
  });

  it('shows percentiles on request', () => {
    expect(renderClientText(several, { percentiles: true })).toMatch(
      / p50 │ +p99 │[\s\S]* 50\.00 ms │ 50\.98 ms │/,
    );
  });

  it('marks ties', () => {
    const text = renderClientText(comparison({ a: [10, 20, 30], b: [11, 21, 29], c: [1, 1.01, 0.99] }));
    expect(text).toMatch(/│ a +│.*│ +a │\n/);
    expect(text).toContain('between them is certain: b, a.');
  });
});

it('renders Markdown with escaped cells', () => {
  const markdown = renderClientMarkdown({
    ...one,
    failed: [{ name: 'a|b', error: '<img>', samples: 0, round: 1 }],
  });
  expect(markdown).toContain('| a\\|b | 0 | failed | - | - |\n');
  expect(markdown).toContain('\\<img\\>');
  expect(markdown).toContain(
    '| Tests | Samples | Result | Tolerance | Difference with slowest |\n| --- | ---: |',
  );
});

it('renders CSV with a line for each client, including failed and skipped ones', () => {
  const lines = renderClientCsv({
    ...one,
    failed: [{ name: 'x "y"', error: 'got status 500', samples: 2, round: 1 }],
    skipped: [{ name: 'ky', reason: 'not installed' }],
  }).split('\n');
  expect(lines).toHaveLength(6);
  expect(lines[1]).toBe('"x ""y""","failed",2,,,,,,,,,,,"got status 500"');
  expect(lines[2]).toBe('"http - no keepalive","measured",1,2000,,,,,,,50,50,"",');
});

it('renders the whole result as JSON', () => {
  expect(JSON.parse(renderClientJson(several))).toMatchObject({
    format: 1,
    rounds: 1,
    standings: [{ name: 'fetch' }, {}],
  });
});

it('renders a chart with an interval at the end of each bar', () => {
  const [fetch = '', request = ''] = renderBarChart(several).split('\n');
  expect(fetch).toMatch(/^fetch {12}█+▒* +2k req\/sec$/);
  expect(request).toMatch(/^undici - request █{38,}▒+ 10k req\/sec$/);
});
