import { hash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KnownWarmUp } from './warm-up.ts';

/**
 * Remembers how long a client has to warm up, in the directory of the session, which ends with it.
 * @param client its name and all that its rate depends on
 */
export function rememberedWarmUp(client: object) {
  const directory = process.env['BENCH_CLI_DIRECTORY'];
  const path = directory && join(directory, `warm-up-${hash('sha256', JSON.stringify(client))}`);
  return {
    read: (): KnownWarmUp | undefined =>
      path && existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined,
    write({ isSteady, neededMs }: KnownWarmUp) {
      if (path) writeFileSync(path, JSON.stringify({ isSteady, neededMs }));
    },
  };
}
