import {
  type ClientComparison,
  type ComparisonProgress,
  compareClients,
  comparisonOptionsOf,
  notesOf,
  renderBarChart,
  renderClientCsv,
  renderClientJson,
  renderClientMarkdown,
  renderClientText,
  type ServerAddress,
  type TableOptions,
} from '@bench-cli/cluster-server';
import { checkPlotFile, writePlot } from '../analysis/output-file.ts';
import type { ClientFormat } from '../options.ts';
import { Interruption, interruptionSignal } from '../session/interruption.ts';
import type { Terminal } from '../terminal.ts';
import { type ServerFlags, serverOptions, startServer } from './server.ts';

/** Options of `clients` as the user typed them; the cluster-server package validates them with the environment. */
export interface ClientFlags extends ServerFlags, TableOptions {
  readonly serve?: boolean;
  readonly samples?: string;
  readonly errorThreshold?: string;
  readonly connections?: string;
  readonly pipelining?: string;
  readonly parallel?: string;
  readonly headersTimeout?: string;
  readonly bodyTimeout?: string;
  readonly answerTimeout?: string;
  readonly timeLimit?: string;
  readonly method?: string;
  readonly config?: string;
  readonly format?: ClientFormat;
  readonly chart?: boolean;
  readonly plot?: string;
  readonly progress: boolean;
}

/**
 * Compares clients and prints the result.
 * @returns the exit code: 1 if a client failed, or that of an interruption
 */
export async function showClients(
  names: readonly string[],
  flags: ClientFlags,
  terminal: Terminal,
): Promise<number> {
  const signal = interruptionSignal();
  if (flags.plot !== undefined) checkPlotFile(flags.plot);
  const address = serverOptions(flags);
  const options = comparisonOptionsOf(process.env, {
    samples: flags.samples,
    errorThreshold: flags.errorThreshold,
    connections: flags.connections,
    pipelining: flags.pipelining,
    parallel: flags.parallel,
    headersTimeoutMs: flags.headersTimeout,
    bodyTimeoutMs: flags.bodyTimeout,
    answerTimeoutMs: flags.answerTimeout,
    timeLimitSeconds: flags.timeLimit,
    method: flags.method,
  });
  const format = flags.format ?? (terminal.resultIsTerminal ? 'table' : 'csv');
  // Without a port, a server that is started gets a free one.
  const port = flags.port === undefined ? 0 : address.port;
  const started = flags.serve
    ? await startServer({ ...address, port, socketPath: flags.socket }, terminal)
    : undefined;
  const server: ServerAddress = started ?? { ...address, socketPath: address.socketPath };
  try {
    const comparison = await compareClients({
      server,
      clients: names,
      options,
      signal,
      ...(flags.config !== undefined && { config: flags.config }),
      ...(flags.progress && { onProgress: (progress) => terminal.status(progressText(progress)) }),
    });
    terminal.status(undefined);
    terminal.result(rendered(comparison, format, flags));
    // The table and Markdown include their notes.
    if (format === 'csv' || format === 'json') for (const note of notesOf(comparison)) terminal.notice(note);
    if (flags.plot !== undefined) await plotClients(flags.plot, comparison, terminal);
    return comparison.failed.length > 0 ? 1 : 0;
  } catch (error) {
    if (!(signal.reason instanceof Interruption)) throw error;
    terminal.notice(`${signal.reason.message}; nothing is printed, because the comparison is not complete`);
    return signal.reason.exitCode;
  } finally {
    terminal.status(undefined);
    await started?.close();
  }
}

function rendered(
  comparison: ClientComparison,
  format: ClientFormat,
  { chart = false, ...options }: ClientFlags,
): string {
  switch (format) {
    case 'csv':
      return renderClientCsv(comparison);
    case 'json':
      return renderClientJson(comparison);
    case 'markdown': {
      const bars = chart ? `\n\`\`\`\n${renderBarChart(comparison)}\`\`\`\n` : '';
      return `${renderClientMarkdown(comparison, options)}${bars}`;
    }
    case 'table':
      return `${renderClientText(comparison, options)}${chart ? `\n${renderBarChart(comparison)}` : ''}`;
  }
}

async function plotClients(
  file: string,
  { standings, options, server }: ClientComparison,
  terminal: Terminal,
): Promise<void> {
  if (standings.length === 0) {
    terminal.notice(`${file} is not written: no client has a rate`);
    return;
  }
  const { method, parallel } = options;
  const subtitle = `${method} ${server.socketPath ?? server.url}, ${parallel} requests at a time`;
  await writePlot(file, ({ ratePlot }) =>
    ratePlot(standings, { title: 'HTTP clients', subtitle, unit: 'answers' }),
  );
}

function progressText({ round, client, done, clients, tolerance }: ComparisonProgress): string {
  const reached = tolerance === null ? '' : `, largest tolerance ± ${(tolerance * 100).toFixed(1)} %`;
  return `round ${round}, client ${done + 1} of ${clients}: ${client}${reached}`;
}
