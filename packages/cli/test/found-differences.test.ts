import type { SequentialJudgement } from '@bench-cli/stats/internal';
import { expect, it } from 'vitest';
import { session } from '../../../test/support/recording.ts';
import { compareOutput } from '../src/session/result-output.ts';

const found: SequentialJudgement = {
  method: 'sequential',
  verdict: 'higher',
  improvement: 0.1,
  stopped: 'difference',
  runs: 7,
  means: null,
  ratio: { ratio: 1.1, low: 1.05, high: 1.15, confidence: 0.95 },
  p: 0.001,
  adjustedP: 0.001,
  samples: [{ old: [], new: [] }],
};

/** What a decision of a session adds to stderr. */
async function noticesOf(judgement: SequentialJudgement, { isTerminal = true, progress = true } = {}) {
  const notices: string[] = [];
  const terminal = {
    result: () => {},
    annotations: () => {},
    notice: (text: string) => notices.push(text),
    failure: () => {},
    status: () => {},
    paint: (_format: string, text: string) => text,
    resultIsTerminal: true,
    resultWidth: 80,
    statusIsTerminal: isTerminal,
  };
  const output = compareOutput('rates', { progress }, [], session.request, terminal);
  const decision = { benchmark: 'g/a.js', configuration: { n: 1 }, subject: 'new', judgement };
  await output.event?.({ type: 'decision', decision });
  return notices;
}

it('a terminal shows a difference as soon as it is found', async () => {
  expect(await noticesOf(found)).toEqual(['g/a.js n=1: +10.0 % (+5.0 % to +15.0 %) after 7 runs']);
});

it('other decisions, logs and --no-progress show nothing', async () => {
  expect(await noticesOf({ ...found, verdict: 'same', stopped: 'equivalence' })).toEqual([]);
  expect(await noticesOf(found, { isTerminal: false })).toEqual([]);
  expect(await noticesOf(found, { progress: false })).toEqual([]);
});
