import { createHash } from 'node:crypto';

/** The longest body of an answer that is kept: an endless one would fill the memory. */
export const MOST_BYTES: number = 1 << 24;

/** The lengths of the body of an answer, and of a POST. */
export const ANSWER_BYTES = 64 * 1024;
export const POST_BYTES = 128 * 1024;

/** So many that equal bodies in all sampled answers are no chance. */
const BODIES = 64;

/**
 * The bodies of answers: random texts in ASCII, the same in all processes with the same seed. A server draws
 * one for each answer, so that a client cannot know the next answer.
 */
export function makeBodies(seed: string): readonly Buffer[] {
  const outputLength = (ANSWER_BYTES / 4) * 3;
  return Array.from({ length: BODIES }, (_, number) =>
    Buffer.from(createHash('shake256', { outputLength }).update(`${seed} ${number}`).digest('base64')),
  );
}

export function digestOf(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}
