import { describe, expect, it } from 'vitest';
import { run, session } from '../../../test/support/recording.ts';
import { printedOutput, printedWarnings } from '../src/index.ts';
import type { SucceededRun } from '../src/recording/index.ts';

const ofRun = (n: number, warnings: string, subject = 'old'): SucceededRun => ({
  ...{ ...run, configuration: { n }, subject },
  printed: { output: `out\n${warnings}`, warnings },
});

/** A session of two subjects, or of one. */
function recorded(runs: readonly SucceededRun[], subjects = 2) {
  const [subject] = session.request.subjects;
  if (subject === undefined) throw new Error('no subject');
  const request = { ...session.request, subjects: Array.from({ length: subjects }, () => subject) };
  return [{ session: { ...session, request }, runs }];
}

describe('what first runs print to standard error', () => {
  it('is counted and shown once for each text, with the subjects that print it', () => {
    const old = '(node:12) [DEP0005] DeprecationWarning: Buffer()';
    const runs = [
      ...[ofRun(1, old), ofRun(1, old.replace('12', '345'), 'new'), ofRun(2, old)],
      ...[ofRun(2, 'fallback\x1b', 'new'), ofRun(3, '')],
    ];
    expect(printedWarnings(recorded(runs))).toEqual([
      '3 first runs printed to standard error (g/b.ts n=1 (old); g/b.ts n=1 (new); g/b.ts n=2 (old)):\n' +
        '    | (node) [DEP0005] DeprecationWarning: Buffer()',
      '1 first run printed to standard error (g/b.ts n=2 (new)):\n    | fallback\\x1b',
    ]);
    expect(printedWarnings(recorded([ofRun(1, 'a')], 1))).toEqual([
      '1 first run printed to standard error (g/b.ts n=1):\n    | a',
    ]);
  });

  it('is shown in few lines, and counted', () => {
    const runs = Array.from({ length: 8 }, (_, n) => ofRun(n, `${n}\n2\n3\n4\n5\n6\n7`));
    const texts = printedWarnings(recorded(runs));
    expect(texts).toHaveLength(6);
    expect(texts[0]).toMatch(/\| 5\n +and 2 more lines$/);
    expect(texts[5]).toMatch(/^3 first runs /);
  });

  it('is no warning if there is nothing, which the output has nevertheless', () => {
    expect(printedWarnings(recorded([ofRun(1, ''), run as SucceededRun]))).toEqual([]);
    expect(printedOutput(recorded([ofRun(1, '')]))).toEqual([
      { benchmark: 'g/b.ts', configuration: { n: 1 }, subject: 'old', output: 'out\n', warnings: '' },
    ]);
  });
});
