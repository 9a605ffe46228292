import { readFileSync } from 'node:fs';
import {
  LEAST_REACHED,
  LoadError,
  type LoadErrorCode,
  loadServer,
  pointsText,
  shortageOf,
} from '@bench-cli/benchmarkers';
import type { LoadResult, ServerLoad } from '@bench-cli/core';
import { metricText, rateText } from '@bench-cli/report';
import { counted, shownIn, UsageError, wrapped } from '@bench-cli/results';
import { type CommandSettings, findConfigFile } from '@bench-cli/results/settings';
import { benchmarkersOf } from '@bench-cli/runner';
import { checkPlotFile, writePlot } from '../analysis/output-file.ts';
import { locatedFile } from '../options.ts';
import { interruptionSignal } from '../session/interruption.ts';
import { latencyText, msText } from '../session/rate-tables.ts';
import type { Terminal } from '../terminal.ts';
import { protocolText } from './protocol-text.ts';

type LoadFlags = CommandSettings<'http load'>;

/** The errors of a load that the user's options cause. All others are failures of the load. */
const usageErrors: ReadonlySet<LoadErrorCode> = new Set([
  'ERR_BENCH_LOAD_OPTION',
  'ERR_BENCH_LOAD_UNKNOWN_BENCHMARKER',
  'ERR_BENCH_LOAD_UNSUPPORTED',
  'ERR_BENCH_LOAD_PROTOCOL',
  'ERR_BENCH_LOAD_UNAVAILABLE',
]);

/** A load that kept the promise at a rate this many times the found one contradicts those that broke it. */
const CONTRADICTION = 1.1;

/** Loads a server and prints the result. @returns the exit code: 1 if there is no rate */
export async function showLoad(url: string, flags: LoadFlags, terminal: Terminal): Promise<number> {
  const { plot, ...given } = flags;
  checkPlotFile(plot);
  if (plot !== undefined && flags.findRate === undefined) {
    const why = '--plot requires --find-rate: add it, or leave --plot out';
    throw new UsageError('ERR_BENCH_OPTION_CONFLICT', why);
  }
  const load = loadOf(url, given, terminal.io.cwd);
  try {
    const signal = interruptionSignal(terminal);
    const { cwd, env } = terminal.io;
    const searching = (rate: number, points: NonNullable<LoadResult['points']>) => {
      const kept = points.filter(({ isKept }) => isKept).map((point) => rateText(point.rate));
      const highest = kept.length === 0 ? '' : `, kept at ${kept.at(-1)}`;
      terminal.status(`load ${points.length + 1}: ${rateText(rate)} requests per second${highest}`);
    };
    const registered = await benchmarkersOf(findConfigFile(cwd), env);
    const result = await loadServer(load, { signal, registered, searching, canChangeTool: true });
    terminal.status(undefined);
    const { arrivalRate = 0 } = load;
    const reached = result.requests / result.durationSeconds;
    if (reached < LEAST_REACHED * arrivalRate)
      terminal.notice(
        `warning: only ${rateText(reached)} of ${rateText(arrivalRate)} requests per second were answered; the latencies are those of a load that the server or its connections cannot take`,
      );
    const { points = [] } = result;
    const kept = Math.max(0, ...points.filter(({ isKept }) => isKept).map(({ rate }) => rate));
    if (points.length > 0 && kept > CONTRADICTION * result.rate)
      terminal.notice(
        `warning: a load at ${rateText(kept)} requests per second kept the limit, above the rate that was found: other programs may have broken it, or the loads are too short; stop them, or use a longer --duration`,
      );
    const shortage = shortageOf(result);
    if (shortage !== undefined) terminal.notice(`warning: ${shortage}`);
    if (flags.format === 'json') terminal.json({ ...result, ...(shortage !== undefined && { shortage }) });
    else terminal.result(wrapped(resultText(withoutUser(url), load, result), terminal.resultWidth, INDENT));
    await writePlot(plot, '', ({ searchPlot }) =>
      searchPlot(points, `${withoutUser(url)}, ${flags.findRate}`),
    );
    return 0;
  } catch (error) {
    if (!(error instanceof LoadError) || usageErrors.has(error.code)) throw error;
    terminal.failure(`${error.message} [${error.code}]`);
    return 1;
  }
}

function loadOf(url: string, { format: _, ...given }: Omit<LoadFlags, 'plot'>, cwd: string): ServerLoad {
  const { loadMs, warmup, headers = [], body, mix, protocol, ...flags } = given;
  const parsed = URL.parse(url);
  const scheme = parsed?.protocol.slice(0, -1);
  if (parsed === null || (scheme !== 'http' && scheme !== 'https')) {
    const example = /^[\w.-]+(:\d+)?(\/|$)/.test(url) ? url : '127.0.0.1:3030/';
    const message = `${url} is not a URL of a server: write it like http://${example}`;
    throw new UsageError('ERR_BENCH_OPTION', message);
  }
  const isHttp2 = protocol === 'http2' || protocol === 'h2c';
  const wanted = protocol === 'http2' || protocol === 'https' ? 'https' : 'http';
  if (protocol !== undefined && scheme !== wanted) {
    const fitting = !isHttp2 ? scheme : scheme === 'http' ? 'h2c' : 'http2';
    const remedy = `write it like ${wanted}://${parsed.host}/, or use --protocol ${fitting}`;
    const problem = `--protocol ${protocol} contradicts ${withoutUser(url)}: ${remedy}`;
    throw new UsageError('ERR_BENCH_OPTION_CONFLICT', problem);
  }
  return {
    ...flags,
    scheme,
    protocol: isHttp2 ? 'http2' : protocol,
    host: parsed.hostname.replace(/^\[|\]$/g, ''),
    port: Number(parsed.port) || (scheme === 'http' ? 80 : 443),
    path: `${parsed.pathname}${parsed.search}`,
    headers: { ...authorizationOf(parsed), ...headersOf(headers) },
    // As for curl.
    body: body?.startsWith('@') ? readInput('--body', locatedFile(body.slice(1), cwd), String) : body,
    mix: mix === undefined ? undefined : readInput('--mix', mix, JSON.parse),
    durationSeconds: loadMs && loadMs / 1000,
    warmUpSeconds: warmup && warmup / 1000,
  };
}

/** @throws UsageError if the file cannot be read, or is not what `parse` reads */
function readInput<Value>(option: string, file: string, parse: (text: string) => Value): Value {
  try {
    return parse(new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError('ERR_BENCH_OPTION', `${option} ${file}: ${why}`);
  }
}

/** The header that curl makes of the user and password in a URL. */
function authorizationOf({ username, password }: URL): Record<string, string> {
  if (username === '') return {};
  try {
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return { Authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
  } catch {
    const problem = 'user or password of the URL is not percent-encoded: write % as %25';
    throw new UsageError('ERR_BENCH_OPTION', problem);
  }
}

/** A URL as it is shown: what is printed and drawn is passed on, and the password is not. */
function withoutUser(url: string): string {
  return url.replace(/^(https?:\/\/)[^/?#]*@/i, '$1');
}

/** The values of a name that is given several times are one list. */
function headersOf(texts: readonly string[]): Record<string, string> {
  const headers = new Map<string, string>();
  for (const text of texts) {
    const [, name, value] = /^([^:]+):\s*(.*)$/.exec(text) ?? [];
    if (name === undefined || value === undefined)
      throw new UsageError('ERR_BENCH_OPTION', `--header ${text} is invalid: write it as "name: value"`);
    const separator = name.toLowerCase() === 'cookie' ? '; ' : ', ';
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}${separator}${value}`);
  }
  return Object.fromEntries(headers);
}

/** Before continued lines: the width of the names. */
const INDENT = ' '.repeat(12);

function resultText(
  url: string,
  { arrivalRate, findRate, socketPath, pipelining, connections = 100 }: ServerLoad,
  result: LoadResult,
): string {
  const { benchmarker, version, protocol, lateness, rate } = result;
  const { requests, durationSeconds, latency, beside, points = [] } = result;
  // A benchmarker that `defineBenchmarker` has not made may leave figures out.
  const { bytes = null } = result;
  const planned = arrivalRate === undefined ? '' : ` of ${arrivalRate} planned`;
  const isPlanned = arrivalRate !== undefined || points.length > 0;
  const { meanMs, maxMs } = latency;
  const percentiles = latencyText(latency) || (meanMs === null ? 'not known' : `mean ${msText(meanMs)}`);
  const late = lateness === undefined ? '' : `, 1 % of them more than ${lateness.p99Ms.toFixed(1)} ms late`;
  const broken = points.filter((point) => !point.isKept && point.rate > rate).map((point) => point.rate);
  const pipelined = pipelining === undefined ? '' : `, ${pipelining} pipelined`;
  return [
    shownIn('line', socketPath === undefined ? url : `${url} on ${socketPath}`),
    `  rate      ${rateText(rate)} answers per second${planned}${bytes === null ? '' : `, ${metricText(bytes / durationSeconds, 'B')}/s`}`,
    ...(points.length === 0
      ? []
      : [`  limit     ${findRate}, broken from ${rateText(Math.min(...broken))} requests per second on`]),
    `  latency   ${percentiles}${maxMs === null ? '' : `, max ${msText(maxMs)}`}`,
    `${INDENT}${isPlanned ? 'from the planned times, so corrected' : 'not corrected'} for coordinated omission${isPlanned ? '' : ' (--rate is)'}`,
    `  requests  ${requests} in ${durationSeconds.toFixed(1)} s by ${protocolText[protocol]}, sent by ${shownIn('line', `${benchmarker} ${version}`)} over ${counted(connections, 'connection')}${pipelined}${late}`,
    ...(beside === undefined ? [] : [`  beside    ${besideText(beside, benchmarker)}`]),
    ...(points.length === 0 ? [] : [pointsText(points)]),
    '',
  ].join('\n');
}

/** What bench-cli sent itself, and saw. */
function besideText(
  { requests, warmUpRequests, areSample, slowestMs, slowestAtSeconds = 0 }: NonNullable<LoadResult['beside']>,
  benchmarker: string,
): string {
  const warmUp = warmUpRequests === undefined ? '' : `${counted(warmUpRequests, 'request')} of the warm-up, `;
  const why = areSample ? ` to see their statuses, which ${shownIn('line', benchmarker)} does not count` : '';
  const slowest =
    slowestMs === undefined
      ? ''
      : `; the slowest took ${msText(slowestMs)}, ${slowestAtSeconds.toFixed(1)} s after the start`;
  return `${warmUp}${counted(requests, 'request')} of bench-cli itself${why}${slowest}`;
}
