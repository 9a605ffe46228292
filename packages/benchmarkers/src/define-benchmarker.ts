import type { LoadOptions, LoadResult, Protocol } from '@bench-cli/core';
import type { Availability, Benchmarker, RunContext } from './benchmarker.ts';
import { checkListening } from './listening.ts';
import { LoadError } from './load-error.ts';
import type { Amount, LoadRequest, ToolOption } from './load-options.ts';
import { completeReport, describeFailures, type ToolReport, totalFailures } from './load-result.ts';
import { TemporaryFiles } from './temporary-files.ts';
import { locateTool, type ToolLocation } from './tool-location.ts';
import { lastOutput, runTool, type ToolOutput } from './tool-process.ts';

/** What makes a tool a benchmarker. */
export interface BenchmarkerDefinition {
  readonly name: string;
  readonly protocols: readonly [Protocol, ...Protocol[]];
  /** Options beyond the common ones that `argumentsFor` turns into arguments. Default: none. */
  readonly supports?: readonly ToolOption[];
  /** Never to be chosen unless its name is given. Default false. */
  readonly byNameOnly?: boolean;
  /** Where the tool is, and which version. */
  readonly tool: ToolLocation;
  /** The arguments for a request. Files that the tool reads can be written; they are removed after the run. */
  argumentsFor(request: LoadRequest, files: TemporaryFiles): readonly string[] | Promise<readonly string[]>;
  /**
   * What the tool printed, as figures. Output that is no result is best met with a thrown error that says what is
   * missing; the error that the caller gets adds tool, command line and output.
   */
  parse(output: ToolOutput, request: LoadRequest): ToolReport | Promise<ToolReport>;
  /**
   * For a tool that takes some failures for successes: asks the server itself, before and after the run.
   * @returns what is wrong; undefined if nothing is
   */
  verify?(
    request: LoadRequest,
    when: 'before' | 'after',
    signal: AbortSignal | undefined,
  ): Promise<string | undefined>;
  /** How many seconds beyond the time asked for the tool may take before it is killed. Default 10. */
  readonly marginSeconds?: number;
}

/** How long a number of requests may take, unless a duration says so. */
const requestsLimitSeconds = 60;

/** Makes a benchmarker of what is particular to its tool; everything else is the same for all. */
export function defineBenchmarker(definition: BenchmarkerDefinition): Benchmarker {
  const { name, protocols, supports = [], byNameOnly = false } = definition;
  const available = () => locateTool(name, definition.tool);
  return {
    name,
    protocols,
    supports,
    byNameOnly,
    available,
    async run(options: LoadOptions, { signal }: RunContext = {}): Promise<LoadResult> {
      signal?.throwIfAborted();
      const { checkOptions } = await import('./load-request.ts');
      const { request, warmUpSeconds, maxFailures } = checkOptions(withProtocol(options, protocols));
      checkSupported(definition, options, request.protocol);
      const tool = await available();
      if (!tool.available) throw new LoadError('unavailable', tool.message, { benchmarker: name });
      await checkListening(request, signal, (why) =>
        unreachable(
          `${name} was not started: ${why}. Start the server and wait for its 'listening' event before loading it`,
          name,
        ),
      );
      await verify(definition, request, 'before', signal);
      if (warmUpSeconds > 0) {
        const amount: Amount = { kind: 'time', seconds: warmUpSeconds };
        await loadOnce(definition, tool, { ...request, amount }, maxFailures, signal);
      }
      const result = await loadOnce(definition, tool, request, maxFailures, signal);
      // Not every tool tells that the server went away.
      await checkListening(request, signal, (why) =>
        unreachable(`the server went away while ${name} loaded it: ${why}`, name),
      );
      await verify(definition, request, 'after', signal);
      return result;
    },
  };
}

function unreachable(message: string, benchmarker: string): LoadError {
  return new LoadError('unreachable', message, { benchmarker });
}

/** A tool that does not speak plain HTTP is asked for what it speaks, unless the caller says what it wants. */
function withProtocol(options: LoadOptions, protocols: BenchmarkerDefinition['protocols']): LoadOptions {
  if (options.protocol !== undefined) return options;
  const { scheme } = options;
  return {
    ...options,
    protocol:
      scheme !== undefined && protocols[0] !== 'http2' && protocols.includes(scheme) ? scheme : protocols[0],
  };
}

function checkSupported(
  { name, protocols, supports = [] }: BenchmarkerDefinition,
  options: LoadOptions,
  protocol: Protocol,
): void {
  if (!protocols.includes(protocol)) {
    throw new LoadError('choice', `${name} does not speak ${protocol}, but ${protocols.join(', ')}`, {
      benchmarker: name,
    });
  }
  const unsupported = unsupportedOptions(supports, options);
  if (unsupported.length > 0) {
    throw new LoadError('options', `${name} cannot honour ${unsupported.join(', ')}`, { benchmarker: name });
  }
}

const toolOptions = {
  method: true,
  body: true,
  timeoutSeconds: true,
  requests: true,
  threads: true,
  clients: true,
  maxConcurrentStreams: true,
  initialWindowSize: true,
  sessionInitialWindowSize: true,
  rate: true,
  ratePeriod: true,
  headerTableSize: true,
  encoderHeaderTableSize: true,
} satisfies Record<ToolOption, true>;

/** The options that were given, and that are not among those supported. */
export function unsupportedOptions(
  supports: readonly ToolOption[],
  options: LoadOptions,
): readonly ToolOption[] {
  return (Object.keys(toolOptions) as ToolOption[]).filter(
    (option) => options[option] !== undefined && !supports.includes(option),
  );
}

async function loadOnce(
  definition: BenchmarkerDefinition,
  tool: Extract<Availability, { available: true }>,
  request: LoadRequest,
  maxFailures: number,
  signal: AbortSignal | undefined,
): Promise<LoadResult> {
  const { name, marginSeconds = 10 } = definition;
  await using files = new TemporaryFiles();
  const command = [...tool.command, ...(await definition.argumentsFor(request, files))] as const;
  const limitSeconds = Math.ceil(longestSeconds(request.amount)) + marginSeconds;
  const output = await runTool({ benchmarker: name, command, cpuSet: request.cpuSet, limitSeconds, signal });
  const result = {
    benchmarker: name,
    version: tool.version,
    ...(await read(definition, output, request, command)),
  };
  judge(result, maxFailures, output);
  return result;
}

function longestSeconds(amount: Amount): number {
  return amount.kind === 'time' ? amount.seconds : (amount.atMostSeconds ?? requestsLimitSeconds);
}

async function read(
  { name, parse }: BenchmarkerDefinition,
  output: ToolOutput,
  request: LoadRequest,
  command: readonly string[],
) {
  const { checkReport } = await import('./report-schema.ts');
  try {
    return { ...completeReport(checkReport(await parse(output, request))), command };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new LoadError('output', `${name} printed something unexpected: ${why}`, {
      benchmarker: name,
      command,
      output: lastOutput(output),
    });
  }
}

/** @throws LoadError if more failed than may, or nothing succeeded */
function judge(result: LoadResult, maxFailures: number, output: ToolOutput): void {
  const { benchmarker, command, requests } = result;
  const failed = totalFailures(result);
  const succeeded = requests - result.non2xx;
  if (failed <= maxFailures && succeeded > 0) return;
  const counts = `${describeFailures(result, result.status)}; ${requests} complete answer${requests === 1 ? '' : 's'}, ${succeeded} of them 2xx`;
  throw new LoadError(
    'failures',
    failed > maxFailures
      ? `${benchmarker} saw requests fail: ${counts}. That is more than maxFailures: ${maxFailures} allows, so there is no rate`
      : `${benchmarker} got no successful answer: ${counts}`,
    { benchmarker, command, output: lastOutput(output), failures: result },
  );
}

async function verify(
  { name, verify }: BenchmarkerDefinition,
  request: LoadRequest,
  when: 'before' | 'after',
  signal: AbortSignal | undefined,
): Promise<void> {
  const problem = await verify?.(request, when, signal);
  if (problem !== undefined) throw new LoadError('failures', `${name}: ${problem}`, { benchmarker: name });
}
