import { CountedAnswer, type ExpectedAnswer } from '../client/answer.ts';
import type { ClientConnection } from '../client/http-client.ts';
import { errorText } from '../error-text.ts';
import type { BlockOrder } from './order.ts';

/**
 * Sends a number of requests at once, and resolves with their answers when all have been received.
 *
 * @throws the first problem, with the number of its request
 */
export async function sendBatch(
  connection: ClientConnection,
  { parallel, expected, answerTimeoutMs }: Pick<BlockOrder, 'parallel' | 'expected' | 'answerTimeoutMs'>,
): Promise<readonly CountedAnswer[]> {
  const answers: CountedAnswer[] = [];
  let left = parallel;
  const requestOnce = async (number: number) => {
    const answer = new CountedAnswer();
    answers.push(answer);
    try {
      await connection.request(answer);
    } catch (error) {
      throw new Error(`request ${number} of ${parallel} failed: ${errorText(error)}`);
    }
    left--;
    const problem = answer.problem(expected);
    if (problem !== undefined) throw new Error(`request ${number} of ${parallel} ${problem}`);
  };
  const requests = Array.from({ length: parallel }, (_, at) => requestOnce(at + 1));
  const failed = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const missing = left === parallel ? 'any' : `${left}`;
    failed.reject(
      new Error(`no answer to ${missing} of ${parallel} requests within ${answerTimeoutMs / 1000} s`),
    );
  }, answerTimeoutMs);
  try {
    await Promise.race([Promise.all(requests), failed.promise]);
  } finally {
    clearTimeout(timer);
  }
  return answers;
}

/** The problem of the first answer that changed after it was complete, as with a client that counts answers twice. */
export function lateProblem(answers: readonly CountedAnswer[], expected: ExpectedAnswer): string | undefined {
  for (const answer of answers) {
    const problem = answer.problem(expected);
    if (problem !== undefined) return `an answer changed after it was complete: its request ${problem}`;
  }
  return undefined;
}
