import { closeSync, openSync } from 'node:fs';
import { UsageError } from '@bench-cli/results';
import { z } from '@bench-cli/results/schema';
import { lockFile } from '@bench-cli/runner';
import type { ComparisonList } from '@bench-cli/stats';
import { DEFAULT_ERROR_RATE, onlineLevel } from '@bench-cli/stats/internal';
import { appendLines, completeLines } from '../analysis/json-lines.ts';
import { writing } from '../analysis/output-file.ts';
import type { Terminal } from '../terminal.ts';

/** Each candidate has a line before its measurement, and one with its verdict. */
const lineSchema = z.union([
  z.strictObject({
    format: z.literal(1),
    candidate: z.int(),
    errorRate: z.number().gt(0).lt(0.5),
    level: z.number(),
    at: z.string(),
  }),
  z.strictObject({ candidate: z.int(), verdict: z.enum(['better', 'not better']) }),
]);

export type LedgerCandidate = Awaited<ReturnType<typeof openLedger>>;

/**
 * Opens a ledger, which need not exist yet, for the next of a series of candidates. It is locked until it is closed.
 * @throws UsageError if the ledger is damaged, has another error rate, can be changed by others, cannot be written, or is open
 */
export async function openLedger(file: string, errorRate: number | undefined, env: NodeJS.ProcessEnv) {
  const fd = writing(file, () => openSync(file, 'a'));
  const unlock = await lockFile(fd);
  const close = () => {
    closeSync(fd);
    unlock?.();
  };
  try {
    if (unlock === undefined) throw refused(file, 'another comparison uses it', 'wait for its end');
    const ledger = readLedger(file, env);
    const rate = errorRate ?? ledger.errorRate ?? DEFAULT_ERROR_RATE;
    if (ledger.errorRate !== undefined && rate !== ledger.errorRate)
      throw refused(
        file,
        `it has the error rate ${ledger.errorRate}`,
        'leave out --error-rate, or begin another ledger',
      );
    const { outcomes } = ledger;
    const candidate = outcomes.length + 1;
    const level = onlineLevel(outcomes, rate);
    return {
      /** The error rate of the comparison. */
      level,
      /** Records that the candidate is measured. From then on it counts, also if it is interrupted. */
      begin: () =>
        appendLines(file, [{ format: 1, candidate, errorRate: rate, level, at: new Date().toISOString() }]),
      /** Records whether it is better, by its comparisons. */
      judged: ({ comparisons }: ComparisonList, terminal: Terminal) => {
        const has = (verdict: string) => comparisons.some((each) => each.verdict === verdict);
        const isFailing = comparisons.some(({ failed }) => failed !== undefined && failed.new > 0);
        const verdict = has('higher') && !has('lower') && !isFailing ? 'better' : 'not better';
        appendLines(file, [{ candidate, verdict }]);
        const better = outcomes.filter((isBetter) => isBetter).length + (verdict === 'better' ? 1 : 0);
        terminal.notice(
          `${file}: candidate ${candidate} is ${verdict}; ${better} of ${candidate} are better, of which at most ${rate * 100} % are expected to be false`,
        );
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** Whether each candidate was better. One without a verdict was interrupted, and counts as one that is not. */
function readLedger(file: string, env: NodeJS.ProcessEnv) {
  const outcomes: boolean[] = [];
  let errorRate: number | undefined;
  let isJudged = true;
  for (const [number, value] of completeLines(file, env)) {
    const damaged = () =>
      refused(
        `${file}, line ${number}`,
        'it was changed after it was written',
        'restore the ledger, or begin another one',
      );
    const { success, data: line } = lineSchema.safeParse(value);
    if (!success) throw damaged();
    if ('verdict' in line) {
      if (isJudged || line.candidate !== outcomes.length) throw damaged();
      outcomes[outcomes.length - 1] = line.verdict === 'better';
    } else {
      const isNext =
        line.candidate === outcomes.length + 1 && line.errorRate === (errorRate ?? line.errorRate);
      if (!isNext || Math.abs(line.level / onlineLevel(outcomes, line.errorRate) - 1) > 1e-9) throw damaged();
      errorRate = line.errorRate;
      outcomes.push(false);
    }
    isJudged = 'verdict' in line;
  }
  return { outcomes, errorRate };
}

function refused(place: string, problem: string, remedy: string): UsageError {
  return new UsageError('ERR_BENCH_LEDGER', `${place}: ${problem}: ${remedy}`);
}
