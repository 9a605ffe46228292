import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionEvent } from '../execution/session-event.ts';
import { ownPath } from '../locations.ts';
import { orderFor } from '../order.ts';
import type { Request } from '../plan/request.ts';
import { runSession, type SessionOptions } from './session.ts';

/** Functions that a module of Node.js exports. */
export interface ModuleCoverage {
  /** `node:path`. */
  readonly module: string;
  readonly called: readonly string[];
  /** The functions that no benchmark calls. */
  readonly uncalled: readonly string[];
}

/**
 * Runs a session to find out which functions of Node.js its benchmarks call themselves. Its rates are meaningless, because
 * all functions are wrapped.
 * @param take gets the modules in the order of their names when the session has ended
 */
export async function* measureCoverage(
  { request, discovery }: Request,
  { signal, env }: Pick<SessionOptions, 'signal' | 'env'>,
  take: (modules: readonly ModuleCoverage[]) => void,
): AsyncGenerator<SessionEvent, void, void> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-cli-coverage-'));
  const [functions, called] = [join(directory, 'functions'), join(directory, 'called')];
  const order = orderFor('BENCH_CLI_COVERAGE', { suite: realpathSync(discovery.suite), functions, called });
  const flags = ['--no-warnings', '--require', ownPath('suite/preload/coverage.cjs')];
  try {
    const subjects = request.subjects.map((subject) => ({
      ...subject,
      flags: [...flags, ...subject.flags],
      env: { ...subject.env, ...order },
    }));
    yield* runSession({ ...request, subjects }, { signal, env });
    const calls = linesOf(called);
    const modules = Map.groupBy(linesOf(functions), (line) => line.split(' ')[0] ?? '');
    const covered = Array.from(modules, ([module, lines]) => {
      const names = (kept: boolean) =>
        lines.filter((line) => calls.has(line) === kept).map((line) => line.slice(module.length + 1));
      return { module, called: names(true), uncalled: names(false) };
    });
    take(covered.sort((a, b) => (a.module < b.module ? -1 : 1)));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function linesOf(file: string): ReadonlySet<string> {
  return new Set(existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []);
}
