import { hdrLog, type LatencyRun } from '@bench-cli/report';
import { HistogramLogReader } from 'hdr-histogram-js';
import { describe, expect, it } from 'vitest';
import { latencyPlot, renderSvg } from '../src/plot/index.ts';
import { latencyCells } from '../src/plot/latency-heat-map.ts';

/** 1, 2 ... 100 ms, each ten times. */
const histogram =
  'HISTFAAAAFl4nJNpmSzMwMBwk4GBgZGBgYGZAQIYIeT//zD+eX6Rs/wiUzlEnrKLLGQR+cgMRcuZRL4zYkErGUWqRSrx4GwRaxFrEVswSR6tKyItIisii0SSwwcAMBAtww==';

function runOf(subject: string, parts: readonly string[] = [histogram], partSeconds = 2): LatencyRun {
  const unknown = { meanMs: null, stdevMs: null, p50Ms: null, p75Ms: null, p90Ms: null, p99Ms: null };
  return {
    ...{ benchmark: 'http/a.js', configuration: { name: 'a, b' }, subject },
    startedAt: '2026-11-23T12:00:00.000Z',
    load: {
      ...{
        benchmarker: 'fake',
        version: '1',
        protocol: 'http',
        command: ['fake'],
        rate: 500,
        requests: 1000,
        durationSeconds: 2,
      },
      ...{ connectErrors: 0, readErrors: 0, writeErrors: 0, timeouts: 0, non2xx: 0, bytes: null },
      latency: { ...unknown, p999Ms: null, maxMs: null },
      status: { '1xx': null, '2xx': null, '3xx': null, '4xx': null, '5xx': null },
      histograms: { partSeconds, parts: [...parts] },
    },
  };
}

describe('the latencies of runs', () => {
  it('are a log that HdrHistogram reads, with the time of each part and a tag for each subject and case', async () => {
    const reader = new HistogramLogReader(await hdrLog([runOf('old', [histogram, histogram]), runOf('new')]));
    const start = Date.parse('2026-11-23T12:00:00.000Z');
    for (const [subject, fromMs] of [
      ['old', start],
      ['old', start + 2000],
      ['new', start],
    ] as const) {
      const read = reader.nextIntervalHistogram();
      expect(read).toMatchObject({
        ...{ tag: `${subject}/http/a.js_name='a_b'`, totalCount: 1000 },
        ...{ startTimeStampMsec: fromMs, endTimeStampMsec: fromMs + 2000 },
      });
      expect((read?.getValueAtPercentile(99) ?? 0) / 99_000).toBeCloseTo(1, 3);
    }
    expect(reader.nextIntervalHistogram()).toBeNull();
  });

  it('are drawn by percentile, all runs of a subject together', async () => {
    const svg = await renderSvg(
      latencyPlot(
        [runOf('old'), runOf('new', [histogram, histogram], 1)],
        new Map([
          ['old', 'old'],
          ['new', 'branch'],
        ]),
      ),
    );
    expect(svg).toContain('new: branch');
    expect(svg).toContain('99 %');
    // Points are a tenth of a power of ten apart, as far as ten answers are slower: to 99 % of 1000, and 99.5 % of 2000.
    const lines = [...svg.matchAll(/ d="(M[^"]*)" stroke="#[0-9A-F]{6}" stroke-width="1\.8"/g)];
    expect(lines.map(([, path = '']) => path.split('C').length)).toEqual([21, 24]);
  });

  it('are drawn over time, if they have times', async () => {
    const titles = async (...runs: readonly LatencyRun[]) => {
      const svg = await renderSvg(latencyPlot(runs, new Map([['old', 'old']])));
      return ['Latency by percentile', 'Latency over time'].filter((title) => svg.includes(title));
    };
    expect(await titles(runOf('old'))).toHaveLength(1);
    expect(await titles(runOf('old', [histogram, histogram], 1))).toHaveLength(2);
  });

  it('have a cell for each part and step of the latency, in which all runs are', () => {
    const cells = latencyCells([
      runOf('old', [histogram, histogram, histogram], 1),
      runOf('old', [histogram, histogram], 2),
      // A load of four seconds whose tool reports no times.
      runOf('old', [histogram], 4),
    ]);
    const answers = Map.groupBy(cells, ({ from, to }) => `${from} to ${to}`);
    expect(
      Array.from(answers, ([time, of]) => [time, of.reduce((sum, each) => sum + each.answers, 0)]),
    ).toEqual([
      ['0 to 2', 3000],
      ['2 to 4', 2000],
    ]);
    expect(Math.min(...cells.map(({ high }) => high))).toBeGreaterThan(1);
    expect(Math.max(...cells.map(({ low }) => low))).toBeLessThanOrEqual(100.1);
    for (const { low, high } of cells) expect(high / low).toBeCloseTo(10 ** 0.1, 6);
  });

  it.each(['', 'HISTFAAAABx4', histogram.slice(0, 80), histogram.replace('A', 'x'), 'garbage', '%'])(
    'are refused if they are damaged: %j',
    async (text) => {
      const refusal = { code: 'ERR_BENCH_HISTOGRAM', message: expect.stringContaining('http/a.js') };
      await expect(hdrLog([runOf('old', [text])])).rejects.toMatchObject(refusal);
      expect(() => latencyPlot([runOf('old', [text])], new Map([['old', 'old']]))).toThrow(
        expect.objectContaining(refusal),
      );
    },
  );
});
