import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KnownWarmUp } from './warm-up.ts';

/** Remembers how long a client has to warm up, in the directory of the session, which ends with it. */
export class RememberedWarmUp {
  readonly #path: string | undefined;

  /** @param client its name and all that its rate depends on */
  constructor(client: object) {
    const directory = process.env['BENCH_CLI_DIRECTORY'];
    const name = createHash('sha256').update(JSON.stringify(client)).digest('hex');
    this.#path = directory === undefined ? undefined : join(directory, `warm-up-${name}`);
  }

  read(): KnownWarmUp | undefined {
    if (this.#path === undefined || !existsSync(this.#path)) return undefined;
    return JSON.parse(readFileSync(this.#path, 'utf8'));
  }

  write({ isSteady, neededMs }: KnownWarmUp): void {
    if (this.#path !== undefined) writeFileSync(this.#path, JSON.stringify({ isSteady, neededMs }));
  }
}
