import type { Judgement } from '@bench-cli/stats';
import { expect, it } from 'vitest';
import { commandIo } from '../../../test/support/command.ts';
import { session } from '../../../test/support/recording.ts';
import { compareOutput } from '../src/session/result-output.ts';
import { createTerminal } from '../src/terminal.ts';

const found: Judgement = {
  verdict: 'higher',
  ratio: { ratio: 1.1, low: 1.05, high: 1.15, confidence: 0.95 },
  p: 0.001,
  reason: 'difference',
  warnings: [],
  samples: { old: Array(7).fill(1), new: Array(7).fill(1.1) },
};

/** What a decision of a session adds to stderr. */
async function noticesOf(judgement: Judgement, { isTerminal = true, progress = true } = {}) {
  const { io, stderr } = commandIo({}, isTerminal ? { columns: 80 } : undefined);
  const output = compareOutput('rates', { progress }, [], session.request, createTerminal(io));
  const decision = { benchmark: 'g/a.js', configuration: { n: 1 }, subject: 'new', judgement };
  await output.decision?.({ type: 'decision', decision });
  return stderr();
}

it('a terminal shows a difference as soon as it is found', async () => {
  expect(await noticesOf(found)).toBe('g/a.js n=1: +10.0 % after 7 runs\n');
});

it('other decisions, logs and --no-progress show nothing', async () => {
  expect(await noticesOf({ ...found, verdict: 'same', reason: 'equivalence' })).toBe('');
  expect(await noticesOf(found, { isTerminal: false })).toBe('');
  expect(await noticesOf(found, { progress: false })).toBe('');
});
