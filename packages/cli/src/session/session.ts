import { UsageError } from '@bench-cli/results';
import { readRecording, type SessionRequest } from '@bench-cli/results/recording';
import {
  createRequest,
  defaultRecordPath,
  type RequestOptions,
  readCosts,
  readShard,
  resumeSession,
  runSession,
  type SubjectRequest,
} from '@bench-cli/runner';
import { type ExecutionOptions, readItems } from '../options.ts';
import type { Terminal } from '../terminal.ts';
import { interruptionSignal } from './interruption.ts';
import { type ResultOutput, viewSession } from './session-view.ts';

/** A session as a command asks for it. */
export interface SessionCommand {
  readonly command: SessionRequest['command'];
  readonly subjects: Readonly<Record<string, SubjectRequest>>;
  readonly words: readonly string[];
  readonly runs: RequestOptions['runs'];
  readonly options: ExecutionOptions & { readonly track?: boolean; readonly calibrate?: boolean };
}

/**
 * Begins a session, or goes on with one, and shows it.
 * @returns the exit code
 */
export async function showSession(
  { command, subjects, words, runs, options }: SessionCommand,
  output: () => ResultOutput,
  terminal: Terminal,
): Promise<number> {
  const signal = interruptionSignal();
  const view = { progress: options.progress, bail: options.bail ?? false, track: options.track ?? false };
  if (options.resume !== undefined) {
    const { session } = readRecording(options.resume);
    if (session.request.command !== command) {
      throw new UsageError(
        'ERR_BENCH_USAGE',
        `${options.resume} holds a session of ${session.request.command}; bench-cli ${session.request.command} --resume ${options.resume} goes on with it`,
      );
    }
    const events = resumeSession(options.resume, { signal });
    return viewSession(events, output(), terminal, { ...view, recordPath: options.resume });
  }
  const { request, discovery } = await createRequest(command, subjects, {
    ...readItems(words),
    ...options,
    runs,
    timeoutMs: options.timeout === undefined ? undefined : options.timeout * 1000,
    shard: options.shard === undefined ? undefined : readShard(options.shard, process.env),
    costs: options.costs === undefined ? undefined : readCosts(options.costs),
  });
  if (command === 'scatter' && request.files.length > 1) {
    throw new UsageError(
      'ERR_BENCH_USAGE',
      `scatter takes one benchmark; ${words.join(' ')} holds ${request.files.length}`,
    );
  }
  for (const pattern of discovery.idleExcludes) {
    terminal.notice(`warning: --exclude "${pattern}" excludes nothing`);
  }
  const recordPath = options.out ?? defaultRecordPath(command, new Date());
  return viewSession(runSession(request, { signal, out: recordPath }), output(), terminal, {
    ...view,
    recordPath,
  });
}
