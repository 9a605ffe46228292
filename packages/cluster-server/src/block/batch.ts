import { CountedAnswer } from '../client/answer.ts';
import type { ClientConnection } from '../client/http-client.ts';
import { errorText } from '../error-text.ts';
import { digestOf } from '../server/bodies.ts';
import type { ExpectedAnswer } from '../server/tested-server.ts';
import type { BlockOrder } from './block.ts';

/**
 * Sends a number of requests at once, and resolves with their answers when all have been received.
 *
 * @param keeps whether to keep the body of the next answer
 * @throws the first problem, with the number of its request
 */
export async function sendBatch(
  connection: ClientConnection,
  { parallel, expected, answerTimeoutMs }: Pick<BlockOrder, 'parallel' | 'expected' | 'answerTimeoutMs'>,
  keeps: () => boolean = () => true,
): Promise<readonly CountedAnswer[]> {
  const answers: CountedAnswer[] = [];
  let left = parallel;
  const requestOnce = async (number: number) => {
    const answer = new CountedAnswer(keeps());
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

/** Kept bodies that cannot all be the same by chance. */
const FEWEST_BODIES = 5;

/**
 * The problem of answers that were complete: one changed later, as with a client that counts answers twice,
 * or the bodies are not those of the server.
 */
export function lateProblem(answers: readonly CountedAnswer[], expected: ExpectedAnswer): string | undefined {
  for (const answer of answers) {
    const problem = answer.problem(expected);
    if (problem !== undefined) return `an answer changed after it was complete: its request ${problem}`;
  }
  const { digests } = expected;
  if (digests === undefined) return undefined;
  const bodies = answers.flatMap(({ kept }) => (kept === undefined ? [] : digestOf(Buffer.concat(kept))));
  if (bodies.some((digest) => !digests.includes(digest))) return 'got a body that the server did not send';
  return digests.length > 1 && bodies.length >= FEWEST_BODIES && new Set(bodies).size === 1
    ? `got the same body ${bodies.length} times, but the server sends different ones`
    : undefined;
}
