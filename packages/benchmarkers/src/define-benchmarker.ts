import type { LoadOptions, LoadResult, StatusCounts } from '@bench-cli/core';
import type { Availability, Benchmarker, RunContext } from './benchmarker.ts';
import { cpuUsageOf, saturation } from './cpu-usage.ts';
import { LoadError, type LoadErrorCode, type LoadErrorDetails } from './load-error.ts';
import { checkOptions, isSafe, type LoadRequest, protocolName, unsupportedOptions } from './load-request.ts';
import type { ToolReport } from './load-result.ts';
import { TemporaryFiles } from './temporary-files.ts';
import { locateTool, type ToolLocation } from './tool-location.ts';
import { lastOutput, runTool, type ToolOutput } from './tool-process.ts';

/** The particulars of a load tool, of which `defineBenchmarker` makes a benchmarker. */
export interface BenchmarkerDefinition
  extends Pick<Benchmarker, 'name' | 'protocols'>,
    Partial<Pick<Benchmarker, 'supports' | 'byNameOnly' | 'closedLoop' | 'cannotLoad'>> {
  /** Whether it counts the waiting time of pending requests of an `arrivalRate`. Default false. */
  readonly countsPending?: boolean;
  /** Whether it counts answers outside 2xx as failures. If not, requests beside the load find them. */
  countsStatus?(request: LoadRequest): boolean;
  /** How to find the load tool and its version. */
  readonly tool: ToolLocation;
  /** The arguments for a request. Files that it writes for the tool are removed after the result is read. */
  argumentsFor(request: LoadRequest, files: TemporaryFiles): readonly string[] | Promise<readonly string[]>;
  /**
   * Reads the figures from the output of the tool. If there is no result, it should throw an error that says
   * what is missing; benchmarker, command line and output are added to the message.
   */
  parse(output: ToolOutput, request: LoadRequest, files: TemporaryFiles): ToolReport | Promise<ToolReport>;
  /** Seconds that the tool may take beyond the requested duration before it is killed. Default 10. */
  readonly marginSeconds?: number;
}

/** Time limit, in seconds, for a number of requests without a duration. */
const requestsLimitSeconds = 60;

/** Makes a benchmarker. Everything that does not depend on the load tool is the same for all benchmarkers. */
export function defineBenchmarker(definition: BenchmarkerDefinition): Benchmarker {
  const { name, protocols, supports = [], byNameOnly = false, closedLoop, cannotLoad } = definition;
  const available = () => locateTool(name, definition.tool);
  const failure = (code: LoadErrorCode, what: string, details: LoadErrorDetails = {}) =>
    new LoadError(code, what, { benchmarker: name, ...details });
  return {
    name,
    protocols,
    supports,
    byNameOnly,
    closedLoop,
    cannotLoad,
    available,
    async run(options: LoadOptions, { signal, first }: RunContext = {}): Promise<LoadResult> {
      signal?.throwIfAborted();
      // Without a protocol: that of the scheme if the tool supports it, else the first one of the tool.
      const { scheme = 'http', protocol = protocols.includes(scheme) ? scheme : protocols[0] } = options;
      const { request, warmUpSeconds, maxFailures } = checkOptions({ ...options, protocol });
      const unsupported = protocols.includes(protocol) ? unsupportedOptions(supports, options) : [protocol];
      if (unsupported.length > 0) {
        throw failure('ERR_BENCH_LOAD_UNSUPPORTED', `${name} does not support ${unsupported.join(', ')}`);
      }
      const tool = await available();
      if (!tool.available) throw failure('ERR_BENCH_LOAD_UNAVAILABLE', tool.message);
      const checks = await import('./answers.ts');
      const silent = await checks.notListening(request, signal);
      if (silent !== undefined) {
        const why = `${name} was not started: ${silent}. Start the server and wait for its 'listening' event before loading it`;
        throw failure('ERR_BENCH_LOAD_UNREACHABLE', why);
      }
      const failed = (problem: string | undefined) => {
        if (problem !== undefined) throw failure('ERR_BENCH_LOAD_FAILURES', `${name}: ${problem}`);
      };
      const { habitOf, habitTexts } = await import('./server-answer.ts');
      const answer = first ?? (await checks.firstAnswer(request, signal));
      const wrong = checks.wrongAnswer(request, answer);
      if (maxFailures < 1) failed(wrong && `not started: ${wrong}`);
      const habit = habitOf(answer);
      const habits = cannotLoad?.[protocol] ?? [];
      if (habit !== undefined && habits.includes(habit)) {
        const why = `${name} cannot load a server that ${habitTexts[habit]}`;
        throw failure('ERR_BENCH_LOAD_UNSUPPORTED', why, { habit });
      }
      const canRepeat = isSafe(request);
      const load = async (loaded: LoadRequest) => {
        try {
          return await loadOnce(definition, tool, loaded, maxFailures, signal);
        } catch (error) {
          const canEnd =
            error instanceof LoadError &&
            error.failures?.readErrors !== 0 &&
            habits.some((each) => each.endsWith('connections'));
          const ending = canEnd && canRepeat ? await checks.endingAfter(request) : undefined;
          const ended = ending === 1 ? 'closes connections' : 'limits connections';
          if (!canEnd || ending === undefined || !habits.includes(ended)) throw error;
          const requests = ending === 1 ? '1 request' : `${ending} requests`;
          const why = `${name} cannot load a server that ends a connection after ${requests}`;
          throw failure(error.code, why, { habit: ended });
        }
      };
      const warmUp =
        warmUpSeconds > 0
          ? await load({ ...request, amount: { kind: 'time', seconds: warmUpSeconds } })
          : undefined;
      const isClosed = closedLoop && request.arrivalRate === undefined;
      const isWatched = closedLoop && canRepeat && (isClosed || !definition.countsPending);
      const { watchdogOf } = await import('./watchdog.ts');
      using watchdog = isWatched && !('how' in answer) ? watchdogOf(request, answer) : undefined;
      const result = await load(request);
      // Not every tool reports that the server has gone away.
      const gone = await checks.notListening(request, signal);
      if (gone !== undefined)
        throw failure('ERR_BENCH_LOAD_UNREACHABLE', `the server went away while ${name} loaded it: ${gone}`);
      failed(isClosed && habit === undefined ? checks.unanswered(request, result) : undefined);
      const countsStatus = definition.countsStatus?.(request) ?? true;
      const watched = await watchdog?.end(result, countsStatus, signal);
      failed(watched?.problem);
      const tooSlow = result.usage && saturation(name, result.usage);
      if (tooSlow !== undefined)
        throw failure('ERR_BENCH_LOAD_SATURATED', tooSlow, { command: result.command });
      const beside = {
        ...(watched?.beside ?? { requests: 1 }),
        ...(warmUp && { warmUpRequests: warmUp.requests }),
        ...(!countsStatus && ({ areSample: true } as const)),
      };
      return { ...result, beside };
    },
  };
}

async function loadOnce(
  definition: BenchmarkerDefinition,
  tool: Extract<Availability, { available: true }>,
  request: LoadRequest,
  maxFailures: number,
  signal: AbortSignal | undefined,
): Promise<LoadResult> {
  const { name, parse, marginSeconds = 10 } = definition;
  const { amount, cpuSet } = request;
  await using files = new TemporaryFiles();
  const command = [...tool.command, ...(await definition.argumentsFor(request, files))] as const;
  const durationSeconds =
    amount.kind === 'time' ? amount.seconds : (amount.atMostSeconds ?? requestsLimitSeconds);
  const limitSeconds = Math.ceil(durationSeconds) + marginSeconds;
  using usage = cpuUsageOf(request);
  const started = (pid: number) => usage.begin(pid);
  const output = await runTool({ benchmarker: name, command, cpuSet, limitSeconds, signal, started });
  const { checkFailures, figuresOf } = await import('./load-result.ts');
  const read = async () => {
    try {
      return figuresOf(await parse(output, request, files));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const problem = `${name} did not print a valid result: ${why}`;
      const printed = { command, output: lastOutput(output) };
      throw new LoadError('ERR_BENCH_LOAD_OUTPUT', problem, { benchmarker: name, ...printed });
    }
  };
  const identity = { benchmarker: name, version: tool.version, protocol: protocolName(request) };
  const result = { ...identity, ...(await read()), command, usage: usage.result };
  checkFailures(result, maxFailures, output);
  return result;
}

export type StatusClass = keyof StatusCounts;

/** The answers with each class of status. */
export function byStatusClass(count: (name: StatusClass) => number): Record<StatusClass, number> {
  return {
    '1xx': count('1xx'),
    '2xx': count('2xx'),
    '3xx': count('3xx'),
    '4xx': count('4xx'),
    '5xx': count('5xx'),
  };
}
