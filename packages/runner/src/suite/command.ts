import { type Configuration, ownValue, type ParameterValue, UsageError } from '@bench-cli/results';
import type { Failure, SessionSettings } from '@bench-cli/results/recording';
import { childCpuMs, orElse } from '@bench-cli/system';
import { split } from 'shlex';
import {
  failureOf,
  type ProcessOutcome,
  type ProcessRequest,
  type Supervisor,
} from '../process/supervisor.ts';
import { importedFilesProbe, importedFilesProbesOf, type Script, scriptProcess } from './script.ts';
import { emptyPlan, type FilePlan, type PlanningSession } from './suite-kind.ts';

/** A shell replaces these in double quotes, too. */
const variable = String.raw`\$[\w({?@*$!#-][\w)}]*|\``;
/** What only a shell understands, outside of quotes: operators, variables, patterns, comments and lists. */
const shellOnly = new RegExp(String.raw`[|;&<>*?[]|${variable}|(?<!\S)[~#]|\{[^{}\s]*(?:,|\.\.)[^{}\s]*\}`);
const quoted = /'[^']*'|"(?:\\.|[^"\\])*"|\\./gs;

/** The words of an item that is a whole command: it has a space. @throws UsageError as `wordsOf` */
export function commandWords(item: string): readonly string[] | undefined {
  return /\S\s/.test(item) ? wordsOf(item) : undefined;
}

/** Reads a command without a shell. @throws UsageError for an open quote, and for what needs a shell */
export function wordsOf(item: string): readonly string[] {
  const withoutQuotes = item.replace(quoted, 'x');
  const inQuotes = (item.match(quoted) ?? []).filter((text) => text.startsWith('"')).join(' ');
  const [shell] =
    shellOnly.exec(withoutQuotes) ?? new RegExp(variable).exec(inQuotes.replace(/\\./gs, '')) ?? [];
  const [assignment] = /^[A-Za-z_]\w*=/.exec(withoutQuotes) ?? [];
  const isRefused = shell !== undefined || assignment !== undefined;
  // In double quotes, these are `$` and a backtick.
  const read = item.replace(quoted, (text) =>
    text.startsWith('"') ? text.replace(/\\(.)/gs, (pair, sign) => (/[$`]/.test(sign) ? sign : pair)) : text,
  );
  const words = isRefused ? undefined : orElse(() => split(read), undefined);
  if (words !== undefined && words.length > 0) return words;
  const problem =
    words !== undefined
      ? 'is empty: give it a program'
      : assignment !== undefined
        ? `begins with ${assignment}, which only a shell takes for a variable: write env before it, or give the subject env=NAME=VALUE`
        : shell === undefined
          ? 'has a quote without its end: close the quote'
          : `contains ${shell}, which requires a shell: write it in single quotes, or sh -c '...' around the command`;
  throw new UsageError('ERR_BENCH_COMMAND_TEXT', `the command "${item}" ${problem}`);
}

/**
 * A whole command is a benchmark with a case for each combination of the values of its parameters. Its result
 * is the wall time. A program named as a runtime is the runtime of the subject. The command is executed
 * before the first run, to learn which files it loads and to warm up; its runs tell if that fails.
 */
export async function planCommand(
  words: readonly string[],
  { subject, settings, supervisor, signal, onlyPlan }: PlanningSession,
): Promise<FilePlan | Failure> {
  const { runtime, executable, flags, packages } = subject;
  const parameters = commandParameters(words, settings.set);
  const configurations = combinations(parameters);
  const programs = configurations.map((configuration) => filled(words, configuration)[0]);
  if (packages !== undefined) return unused('packages', 'compare commits or directories of your package');
  const isOther = programs.some((program) => program !== runtime.name);
  if (isOther && (flags.length > 0 || executable !== process.execPath))
    return unused('runtime', `begin it with ${runtime.name}, or leave the runtime and its flags out`);
  const scriptOf = (env: Readonly<Record<string, string>> = {}): Script => ({
    path: words.join(' '),
    launch: (purpose) => {
      const [program = '', ...args] = filled(words, typeof purpose === 'string' ? {} : purpose);
      const command = program === runtime.name ? [executable, ...flags, ...args] : [program, ...args];
      return { env, channel: 'pipe', command };
    },
    results: 'wall time',
    values: 'fixed',
  });
  // The program can start Node.js itself, or by way of a shell.
  const { NODE_OPTIONS: options = '' } = supervisor.env;
  const required = `${options} --require=${JSON.stringify(importedFilesProbe)}`;
  const probing = scriptOf({ NODE_OPTIONS: required.trim() });
  for (const [at, configuration] of onlyPlan ? [] : configurations.entries()) {
    for (let run = 0; run < Math.max(at === 0 ? 1 : 0, settings.warmup ?? 0); run++) {
      const [script, probes] = at + run === 0 ? [probing, importedFilesProbesOf(subject)] : [scriptOf(), []];
      const request = scriptProcess(configuration, script, subject, settings, probes);
      await runWholeCommand(request, configuration, settings, supervisor, signal);
    }
  }
  return [{ ...emptyPlan(scriptOf()), configurations, parameters: [...parameters.keys()] }];
}

/** The result of a run of a command, with the CPU time of all its processes where the system has it. */
export interface CommandOutcome extends ProcessOutcome {
  readonly cpuMs?: { readonly userMs: number; readonly systemMs: number } | undefined;
}

/** Runs a command between `--before-each` and `--after-each`. If one of these fails, the run does. */
export async function runWholeCommand(
  request: ProcessRequest,
  configuration: Configuration,
  { beforeEach, afterEach, ignoreFailure }: SessionSettings,
  supervisor: Supervisor,
  signal: AbortSignal | undefined,
): Promise<CommandOutcome> {
  const hook = async (option: string, text: string | undefined) => {
    if (text === undefined) return undefined;
    const [command = '', ...args] = filled(wordsOf(text), configuration);
    const outcome = await supervisor.run({ ...request, command, args, opensOutput: true }, signal);
    const { failure } = outcome;
    return failure && { ...outcome, failure: { ...failure, message: `${option} ${failure.message}` } };
  };
  const before = await hook('--before-each', beforeEach);
  if (before !== undefined) return before;
  const from = childCpuMs();
  const outcome = await supervisor.run({ ...request, opensOutput: true }, signal);
  const to = childCpuMs();
  const cpuMs = from && to && { userMs: to.user - from.user, systemMs: to.system - from.system };
  const failure = ignoreFailure && outcome.failure?.kind === 'exit' ? undefined : outcome.failure;
  const after = await hook('--after-each', afterEach);
  return (failure === undefined && after) || { ...outcome, failure, cpuMs };
}

/** The words of a command with the values of its parameters: `{name}` in a word stands for the value. */
function filled(words: readonly string[], configuration: Configuration): readonly string[] {
  return words.map((word) =>
    word.replace(parameter, (whole, name: string) => String(ownValue(configuration, name) ?? whole)),
  );
}

const parameter = /\{([^{},\s]+)\}/g;

/** The parameters in the words of a command that `--set` gives values. */
function commandParameters(words: readonly string[], set: readonly string[]) {
  const named = new Set(words.flatMap((word) => Array.from(word.matchAll(parameter), ([, name]) => name)));
  const parameters = new Map<string, ReadonlySet<ParameterValue>>();
  for (const pair of set) {
    const name = pair.slice(0, pair.indexOf('='));
    if (named.has(name)) parameters.set(name, new Set([...(parameters.get(name) ?? []), ...valuesOf(pair)]));
  }
  return parameters;
}

const number = String.raw`-?\d+(?:\.\d+)?`;
const range = new RegExp(String.raw`^(${number})\.\.(${number})(?:\.\.(${number}))?$`);
const mostValues = 10_000;

/** The values of `n=1,2,4`, `n=1..8` and `n=0..100..25`. @throws UsageError for none, or too many */
function valuesOf(pair: string): readonly ParameterValue[] {
  return pair
    .slice(pair.indexOf('=') + 1)
    .split(',')
    .flatMap((text) => {
      const [, from, to, step = '1'] = range.exec(text) ?? [];
      // JSON has no other numbers.
      if (from === undefined)
        return String(Number(text)) === text && Number.isFinite(Number(text)) ? Number(text) : text;
      const count = Math.floor((Number(to) - Number(from)) / Number(step) + 1e-9) + 1;
      if (count >= 1 && count <= mostValues)
        return Array.from({ length: count }, (_, at) =>
          Number((Number(from) + at * Number(step)).toPrecision(12)),
        );
      const problem = `invalid range ${text}: expected from..to..step with 1 to ${mostValues} values`;
      throw new UsageError('ERR_BENCH_OPTION', `--set ${pair}: ${problem}`, { option: 'set' });
    });
}

/** The first parameter varies slowest. */
function combinations(parameters: ReturnType<typeof commandParameters>): readonly Configuration[] {
  let all: readonly Configuration[] = [{}];
  for (const [name, values] of parameters)
    all = all.flatMap((each) => Array.from(values, (value) => ({ ...each, [name]: value })));
  return all;
}

function unused(what: string, remedy: string): Failure {
  return failureOf('not started', `does not use the ${what} of the subject: ${remedy}`);
}
