import type { ToolOptions } from '@bench-cli/core';

/** A complete answer to a request of our own. */
export interface ServerAnswer {
  readonly status: number;
  /** The words after the status; empty over HTTP/2. */
  readonly reason: string;
  /** With the headers, except over HTTP/2. */
  readonly wireBytes: number;
  /** The statuses of the interim answers (1xx) before it. */
  readonly interim: readonly number[];
  /** Whether the connection stays open, ends by announcement, or ends with the body. */
  readonly connection: 'open' | 'closing' | 'end of body';
}

export interface TimedAnswer extends ServerAnswer {
  /** Milliseconds from the request to its end. */
  readonly ms: number;
}

/** What a server rightly does that some tools take for a failure. */
export const habitTexts = {
  'interim answers': 'answers 103 before 200',
  'ends with body': 'ends an answer with its connection',
  'closes connections': 'closes each connection after an answer',
  'limits connections': 'ends a connection after some requests',
} as const;

export type Habit = keyof typeof habitTexts;

/** What the first answer shows of a server. */
export function habitOf(first: ServerAnswer | NoAnswer | undefined): Habit | undefined {
  if (first === undefined || 'how' in first) return undefined;
  const { interim, connection } = first;
  if (interim.length > 0) return 'interim answers';
  if (connection === 'end of body') return 'ends with body';
  return connection === 'closing' ? 'closes connections' : undefined;
}

/** Whether an answer has the expected status, by default any 2xx. */
export function isRight({ expectStatus }: Pick<ToolOptions, 'expectStatus'>, status: number): boolean {
  return expectStatus === undefined ? status >= 200 && status < 300 : status === expectStatus;
}

/** Why there is no complete answer. A `broken` one is of HTTP/1.1. */
export interface NoAnswer {
  readonly how: 'late' | 'broken' | 'other protocol';
  readonly message: string;
}
