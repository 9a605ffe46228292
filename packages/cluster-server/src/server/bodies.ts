import { createHash, randomInt } from 'node:crypto';

export const ANSWER_BYTES = 64 * 1024;

/** So many that equal bodies in all sampled answers are no chance. */
const BODIES = 64;

/** The bodies of answers: texts in ASCII that look random, the same in all processes with the same seed. */
export class Bodies {
  readonly #bodies: readonly Buffer[];

  constructor(seed: string) {
    const outputLength = (ANSWER_BYTES / 4) * 3;
    this.#bodies = Array.from({ length: BODIES }, (_, number) =>
      Buffer.from(createHash('shake256', { outputLength }).update(`${seed} ${number}`).digest('base64')),
    );
  }

  /** One of them by chance, so that a client cannot know the answer to its next request. */
  draw(): Buffer {
    return this.#bodies[randomInt(BODIES)] ?? Buffer.alloc(0);
  }

  digests(): readonly string[] {
    return this.#bodies.map(digestOf);
  }
}

export function digestOf(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}
