import { caseName, counted, resumeCommand, shortList, shownIn, UsageError } from '@bench-cli/results';
import { readRecording, recordedWords, type SessionRequest } from '@bench-cli/results/recording';
import { type CommandSettings, settings, settingsFor } from '@bench-cli/results/settings';
import {
  createRequest,
  defaultRecordPath,
  itemsIn,
  type RequestOptions,
  readSubject,
  resumeSession,
  runSession,
  type SessionOptions,
  type SubjectRequests,
} from '@bench-cli/runner';
import { noticeDirectory } from '../analysis/output-file.ts';
import type { CommandIo, Terminal } from '../terminal.ts';
import { onlyAffected } from './affected-output.ts';
import { interruptionSignal } from './interruption.ts';
import { benchmarkFailureText, inPlanOrder, type ResultOutput, viewSession } from './session-view.ts';

export interface SessionCommand {
  readonly command: SessionRequest['command'];
  readonly subjects: SubjectRequests;
  /** What `--affected` compares; default: the subjects. */
  readonly affecting?: SubjectRequests | undefined;
  readonly words: readonly string[];
  readonly argv: readonly string[];
  readonly runs: RequestOptions['runs'];
  readonly options: Omit<CommandSettings<SessionRequest['command']>, 'runs' | 'format'>;
}

export function singleSubject(texts: readonly string[] = [], io: CommandIo): SubjectRequests {
  const [text] = texts;
  const { name = 'node', request } = text === undefined ? { request: {} } : readSubject(text, io);
  return { [name]: request };
}

export function sessionSubjects(texts: readonly string[] = [], io: CommandIo): SubjectRequests {
  return texts.length > 1 ? texts.map((text) => readSubject(text, io)) : singleSubject(texts, io);
}

/** The subject of `run` with the code of `--old`, and with that of the working tree. */
export function affectingRun(
  texts: readonly string[] | undefined,
  io: CommandIo,
  old: string = settings.old.default.run,
): SubjectRequests {
  const [request = {}] = Object.values(singleSubject(texts, io));
  const source = { type: 'directory', path: '.' } as const;
  return { old: { ...request, ...readSubject(old, io).request }, new: { source, ...request } };
}

/** Starts or resumes a session, and shows it. @param output called once the session is known to be valid */
export async function showSession(
  { command, subjects, affecting, words, argv, runs, options }: SessionCommand,
  output: (request: SessionRequest) => ResultOutput,
  terminal: Terminal,
): Promise<number> {
  const { cwd, env, scripted, rounds } = terminal.io;
  rounds.onAsked = () => terminal.notice('ending after this round; press Ctrl-C again to end at once');
  const signal = interruptionSignal(terminal);
  const processes = { signal, env, scripted };
  const view = { progress: options.progress, rounds };
  const shown = (request: SessionRequest) => inPlanOrder(output(request), request);
  if (options.resume !== undefined) {
    const { session } = readRecording(options.resume);
    if (session.request.command !== command) {
      const problem = `${options.resume} holds a session of ${session.request.command}; continue it with: ${resumeCommand(session.request, options.resume)}`;
      throw new UsageError('ERR_BENCH_COMMAND', problem);
    }
    const { trust, maxRuns, budgetMs } = options;
    const events = resumeSession(options.resume, { trust, maxRuns, budgetMs, ...processes });
    return viewSession(events, shown(session.request), terminal, { ...view, recordPath: options.resume });
  }
  const onFetch = (what: string) => terminal.status(options.progress ? what : undefined);
  const test = words.includes('test');
  const named = words.filter((word) => word !== 'test');
  const items = await itemsIn(named, options.suite, cwd, signal);
  const common = { items, test, cwd, env, onFetch, signal };
  const { request: whole, discovery } = await createRequest(command, subjects, {
    ...options,
    ...common,
    runs,
  });
  const comparing = { ...settingsFor('compare', options), ...common, shard: undefined, allowSame: true };
  const { request: compared } =
    affecting === undefined ? { request: whole } : await createRequest('compare', affecting, comparing);
  terminal.status(undefined);
  for (const pattern of discovery.idleExcludes)
    terminal.notice(`warning: --exclude "${pattern}" excludes nothing`);
  // A comparison leaves out what is not affected itself.
  const isListed = options.affected && (options.dryRun || affecting !== undefined);
  const { request: listed, fails } = isListed
    ? await onlyAffected(whole, compared, options, { terminal, signal })
    : { request: whole, fails: false };
  const request = { ...listed, commandLine: recordedWords(argv) };
  if (options.dryRun && !options.affected) return listConfigurations(request, terminal, processes);
  if (options.dryRun) return fails ? 1 : 0;
  if (request.files.length === 0) return 0;
  if (command === 'scatter' && request.files.length > 1) {
    const problem = `scatter requires a single benchmark, and ${words.join(' ')} holds ${request.files.length}: name one file`;
    throw new UsageError('ERR_BENCH_SELECTION', problem);
  }
  if (options.out !== undefined) noticeDirectory(options.out, terminal);
  const recordPath = options.out ?? (await defaultRecordPath(command, new Date()));
  const events = runSession(request, { ...processes, out: recordPath });
  return viewSession(events, shown(request), terminal, { ...view, recordPath });
}

async function listConfigurations(
  request: SessionRequest,
  terminal: Terminal,
  options: Pick<SessionOptions, 'env' | 'scripted' | 'signal'>,
): Promise<number> {
  let exitCode = 0;
  for await (const event of runSession(request, { ...options, onlyPlan: true })) {
    if (event.type === 'warning') terminal.notice(`warning: ${event.message}`);
    if (event.type === 'failure') {
      exitCode = 1;
      terminal.failure(benchmarkFailureText(event.record, request));
    }
    if (event.type !== 'plan') continue;
    const { benchmarks } = event.record;
    const isHere = (number: number | undefined) => number === request.shard?.index;
    const names = benchmarks.flatMap(({ name, configurations, shards = [] }) =>
      configurations
        .filter((_, at) => isHere(shards[at]))
        .map((configuration) => caseName({ benchmark: name, configuration })),
    );
    terminal.result(names.map((name) => `${shownIn('name', name)}\n`).join(''));
    for (const name of new Set(request.settings.set.map((pair) => pair.slice(0, pair.indexOf('='))))) {
      const lacking = benchmarks.filter(
        ({ configurations }) => !configurations.some((each) => Object.hasOwn(each, name)),
      );
      const others = lacking.length > 0 ? `, not in ${shortList(lacking.map((each) => each.name))}` : '';
      terminal.notice(
        `--set ${name}: in ${counted(benchmarks.length - lacking.length, 'benchmark')}${others}`,
      );
    }
  }
  return exitCode;
}
