import type { LoadOptions, LoadResult, StatusCounts } from '@bench-cli/core';
import type { Availability, Benchmarker, RunContext } from './benchmarker.ts';
import { cpuUsageOf, saturation } from './cpu-usage.ts';
import { LoadError, type LoadErrorCode } from './load-error.ts';
import {
  type Amount,
  checkOptions,
  type LoadRequest,
  protocolName,
  unsupportedOptions,
} from './load-request.ts';
import type { ToolReport } from './load-result.ts';
import { TemporaryFiles } from './temporary-files.ts';
import { locateTool, type ToolLocation } from './tool-location.ts';
import { lastOutput, runTool, type ToolOutput } from './tool-process.ts';

/** The particulars of a load tool, of which `defineBenchmarker` makes a benchmarker. */
export interface BenchmarkerDefinition
  extends Pick<Benchmarker, 'name' | 'protocols'>,
    Partial<Pick<Benchmarker, 'supports' | 'byNameOnly' | 'closedLoop'>> {
  /** Whether it counts pending requests of an `arrivalRate` with the time that they have waited. Default false. */
  readonly countsPending?: boolean;
  /** Whether it cannot load a server that closes each connection after an answer. Default false. */
  readonly keepsConnections?: boolean;
  /** How to find the load tool and its version. */
  readonly tool: ToolLocation;
  /** The arguments for a request. It may write files for the tool, which are removed when the result has been read. */
  argumentsFor(request: LoadRequest, files: TemporaryFiles): readonly string[] | Promise<readonly string[]>;
  /**
   * Reads the figures from what the tool printed. If there is no result, it should throw an error that says what is missing;
   * benchmarker, command line and output are added to the message.
   */
  parse(output: ToolOutput, request: LoadRequest, files: TemporaryFiles): ToolReport | Promise<ToolReport>;
  /**
   * For a tool that counts some failures as successes: sends requests to the server itself, before and after the run.
   * @returns what is wrong; undefined if nothing is
   */
  verify?(
    request: LoadRequest,
    when: 'before' | 'after',
    signal: AbortSignal | undefined,
  ): Promise<string | undefined>;
  /** Seconds that the tool may take beyond the requested duration before it is killed. Default 10. */
  readonly marginSeconds?: number;
}

/** Time limit, in seconds, for a number of requests without a duration. */
const requestsLimitSeconds = 60;

/** Makes a benchmarker. Everything that does not depend on the load tool is the same for all benchmarkers. */
export function defineBenchmarker(definition: BenchmarkerDefinition): Benchmarker {
  const { name, protocols, supports = [], byNameOnly = false, closedLoop } = definition;
  const available = () => locateTool(name, definition.tool);
  const failure = (code: LoadErrorCode, what: string, command?: readonly string[]) =>
    new LoadError(code, what, { benchmarker: name, command });
  return {
    name,
    protocols,
    supports,
    byNameOnly,
    closedLoop,
    available,
    async run(options: LoadOptions, { signal }: RunContext = {}): Promise<LoadResult> {
      signal?.throwIfAborted();
      const { request, warmUpSeconds, maxFailures } = checkOptions(withProtocol(options, protocols));
      const { protocol } = request;
      const unsupported = protocols.includes(protocol) ? unsupportedOptions(supports, options) : [protocol];
      if (unsupported.length > 0) {
        throw failure('ERR_BENCH_LOAD_UNSUPPORTED', `${name} does not support ${unsupported.join(', ')}`);
      }
      const tool = await available();
      if (!tool.available) throw failure('ERR_BENCH_LOAD_UNAVAILABLE', tool.message);
      const checks = await import('./answers.ts');
      await checks.checkListening(request, signal, (why) =>
        failure(
          'ERR_BENCH_LOAD_UNREACHABLE',
          `${name} was not started: ${why}. Start the server and wait for its 'listening' event before loading it`,
        ),
      );
      const failed = (problem: string | undefined) => {
        if (problem !== undefined) throw failure('ERR_BENCH_LOAD_FAILURES', `${name}: ${problem}`);
      };
      const { watchdogOf } = await import('./watchdog.ts');
      const { keepsAlive, closes, problem } = await checks.checkConnection(request, signal);
      failed(problem);
      if (closes && definition.keepsConnections) {
        failed(
          `the server closes each connection after an answer, which ${name} does not support, so there is no rate: use wrk, oha or open-loop`,
        );
      }
      failed(await definition.verify?.(request, 'before', signal));
      if (warmUpSeconds > 0) {
        const amount: Amount = { kind: 'time', seconds: warmUpSeconds };
        await loadOnce(definition, tool, { ...request, amount }, maxFailures, signal);
      }
      const isClosed = closedLoop && request.arrivalRate === undefined;
      using watchdog =
        closedLoop && (isClosed || !definition.countsPending) ? watchdogOf(request) : undefined;
      const result = await loadOnce(definition, tool, request, maxFailures, signal);
      // Not every tool reports that the server has gone away.
      await checks.checkListening(request, signal, (why) =>
        failure('ERR_BENCH_LOAD_UNREACHABLE', `the server went away while ${name} loaded it: ${why}`),
      );
      failed(isClosed && keepsAlive ? checks.unanswered(request, result) : undefined);
      failed(await watchdog?.problem(result, signal));
      failed(await checks.stillAnswers(request, signal));
      failed((await checks.checkConnection(request, signal)).problem);
      failed(await definition.verify?.(request, 'after', signal));
      const tooSlow = result.usage && saturation(name, result.usage);
      if (tooSlow !== undefined) throw failure('ERR_BENCH_LOAD_SATURATED', tooSlow, result.command);
      return result;
    },
  };
}

/** Without a protocol: that of the scheme if the tool supports it, else the first one of the tool. */
function withProtocol(options: LoadOptions, protocols: BenchmarkerDefinition['protocols']): LoadOptions {
  const { scheme = 'http', protocol = protocols.includes(scheme) ? scheme : protocols[0] } = options;
  return { ...options, protocol };
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
      throw new LoadError('ERR_BENCH_LOAD_OUTPUT', `${name} did not print a valid result: ${why}`, {
        benchmarker: name,
        command,
        output: lastOutput(output),
      });
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
