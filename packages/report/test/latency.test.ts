import { hdrLog, type LatencyRun } from '@bench-cli/report';
import { HistogramLogReader } from 'hdr-histogram-js';
import { describe, expect, it } from 'vitest';
import { latencyPlot, renderSvg } from '../src/plot/index.ts';

/** 1, 2 ... 100 ms, each ten times. */
const histogram =
  'HISTFAAAAFl4nJNpmSzMwMBwk4GBgZGBgYGZAQIYIeT//zD+eX6Rs/wiUzlEnrKLLGQR+cgMRcuZRL4zYkErGUWqRSrx4GwRaxFrEVswSR6tKyItIisii0SSwwcAMBAtww==';

function runOf(subject: string, text = histogram): LatencyRun {
  const unknown = { meanMs: null, stdevMs: null, p50Ms: null, p75Ms: null, p90Ms: null, p99Ms: null };
  return {
    ...{ benchmark: 'http/a.js', configuration: { name: 'a, b' }, subject },
    startedAt: '2026-11-23T12:00:00.000Z',
    load: {
      ...{
        benchmarker: 'fake',
        version: '1',
        command: ['fake'],
        rate: 500,
        requests: 1000,
        durationSeconds: 2,
      },
      ...{ connectErrors: 0, readErrors: 0, writeErrors: 0, timeouts: 0, non2xx: 0, bytes: null },
      latency: { ...unknown, p999Ms: null, maxMs: null, resolutionMs: 0.001 },
      status: { '1xx': null, '2xx': null, '3xx': null, '4xx': null, '5xx': null },
      histogram: text,
    },
  };
}

describe('the latencies of runs', () => {
  it('are a log that HdrHistogram reads, with a tag for each subject and case', async () => {
    const reader = new HistogramLogReader(await hdrLog([runOf('old'), runOf('new')]));
    const start = Date.parse('2026-11-23T12:00:00.000Z');
    for (const subject of ['old', 'new']) {
      const read = reader.nextIntervalHistogram();
      expect(read).toMatchObject({
        ...{ tag: `${subject}/http/a.js_name='a_b'`, totalCount: 1000 },
        ...{ startTimeStampMsec: start, endTimeStampMsec: start + 2000 },
      });
      expect((read?.getValueAtPercentile(99) ?? 0) / 99_000).toBeCloseTo(1, 3);
    }
    expect(reader.nextIntervalHistogram()).toBeNull();
  });

  it('are drawn by percentile, all runs of a subject together', async () => {
    const svg = await renderSvg(
      latencyPlot(
        [runOf('old'), runOf('new'), runOf('new')],
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

  it.each(['', 'HISTFAAAABx4', histogram.slice(0, 80), histogram.replace('A', 'x'), 'garbage', '%'])(
    'are refused if they are damaged: %j',
    async (text) => {
      const refusal = { code: 'ERR_BENCH_HISTOGRAM', message: expect.stringContaining('http/a.js') };
      await expect(hdrLog([runOf('old', text)])).rejects.toMatchObject(refusal);
      expect(() => latencyPlot([runOf('old', text)], new Map([['old', 'old']]))).toThrow(
        expect.objectContaining(refusal),
      );
    },
  );
});
