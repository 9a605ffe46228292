import { caseKey } from '@bench-cli/results';
import { byPlan, type SessionRequest } from '@bench-cli/results/recording';
import type { SessionEvent } from '@bench-cli/runner';
import type { ResultOutput } from './session-view.ts';

/**
 * Passes runs to an output round by round, in the order of the plan; they run in drawn order. A second run of
 * a subject of a case begins a round.
 */
export function inPlanOrder(
  output: ResultOutput,
  { subjects }: Pick<SessionRequest, 'subjects'>,
): ResultOutput {
  let inOrder: ReturnType<typeof byPlan> = (runs) => [...runs];
  const waiting = new Map<string, SessionEvent<'run'>>();
  const pass = async () => {
    const events = new Map(Array.from(waiting.values(), (event) => [event.record, event]));
    waiting.clear();
    for (const record of inOrder([...events.keys()])) {
      const event = events.get(record);
      if (event !== undefined) await output.run?.(event);
    }
  };
  return {
    ...output,
    plan: ({ record }) => {
      inOrder = byPlan(
        record,
        subjects.map(({ name }) => name),
      );
    },
    run: async (event) => {
      const { subject, result, kind } = event.record;
      const key = JSON.stringify([caseKey(event.record), subject, result, kind]);
      if (waiting.has(key)) await pass();
      waiting.set(key, event);
    },
    'benchmark end': async (event) => {
      await pass();
      await output['benchmark end']?.(event);
    },
    showResult: async (recording, interruption) => {
      await pass();
      return output.showResult?.(recording, interruption);
    },
  };
}
