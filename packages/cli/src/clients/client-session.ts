import {
  type ClientComparison,
  type ClusterServer,
  type ComparisonProgress,
  compareClients,
  comparisonOptionsOf,
  notesOf,
  type ServerAddress,
  startClusterServer,
} from '@bench-cli/cluster-server';
import type { ClientFlags } from '../commands/clients.ts';
import { checkPlotFile, writePlot } from '../output/plot-file.ts';
import { interruptionSignal } from '../session/interruption.ts';
import type { Terminal } from '../terminal.ts';
import { clientOutput } from './client-output.ts';
import { workerDeathText } from './serve.ts';
import { serverOptions } from './server-flags.ts';

/**
 * Compares clients and prints what comes of it.
 * @returns the exit code: 1 when a client failed
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
  const started = flags.serve === true ? await startServer(flags, terminal) : undefined;
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
    terminal.result(clientOutput(comparison, format, flags));
    // A table has its notes below; elsewhere they are for the eye only.
    if (format === 'csv' || format === 'json') for (const note of notesOf(comparison)) terminal.notice(note);
    if (flags.plot !== undefined) await plotClients(flags.plot, comparison, terminal);
    return comparison.failed.length > 0 ? 1 : 0;
  } catch (error) {
    if (!signal.aborted) throw error;
    terminal.notice('interrupted; a comparison is only printed when it is complete');
    return interruptedCode(signal.reason);
  } finally {
    await started?.close();
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

function startServer(flags: ClientFlags, terminal: Terminal): Promise<ClusterServer> {
  const { workers, timeoutMs, protocol, host, port } = serverOptions(flags);
  return startClusterServer(
    {
      workers,
      timeoutMs,
      protocol,
      host,
      ...(flags.socket === undefined
        ? { port: flags.port === undefined ? 0 : port }
        : { socketPath: flags.socket }),
    },
    { onWorkerDeath: (death) => terminal.notice(workerDeathText(death)) },
  );
}

function progressText({ round, client, done, clients, tolerance }: ComparisonProgress): string {
  const reached = tolerance === null ? '' : `, largest tolerance ± ${(tolerance * 100).toFixed(1)} %`;
  return `round ${round}, client ${done + 1} of ${clients}: ${client}${reached}`;
}

/** 128 and the number of the signal. */
function interruptedCode(reason: unknown): number {
  const by = typeof reason === 'object' && reason !== null && 'by' in reason ? reason.by : undefined;
  return by === 'SIGTERM' ? 143 : by === 'SIGHUP' ? 129 : 130;
}
