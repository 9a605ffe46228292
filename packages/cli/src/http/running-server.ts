import { aborted } from 'node:util';
import { type ClusterServer, serverOptionsOf, startClusterServer } from '@bench-cli/cluster-server';
import type { CommandSettings } from '@bench-cli/results/settings';
import { interruptionSignal } from '../session/interruption.ts';
import type { Terminal } from '../terminal.ts';
import { protocolText } from './protocol-text.ts';

/**
 * Runs a server until it is interrupted.
 * @returns the exit code: 0 after an interruption, 1 if the server stopped by itself
 */
export async function serve(flags: CommandSettings<'http server'>, terminal: Terminal): Promise<number> {
  const signal = interruptionSignal(terminal);
  const options = serverOptionsOf(flags, terminal.io.env);
  const server = await startClusterServer(options, {
    onWorkerDeath: ({ pid, cause, replacedBy }) =>
      terminal.notice(`warning: worker ${pid} died (${cause}); worker ${replacedBy} replaced it`),
  });
  const workers = `${options.workers} ${options.workers === 1 ? 'worker' : 'workers'}`;
  terminal.result(`ready: ${addressText(server)} (${workers}, ${options.delayMs} ms delay)\n`);
  if (options.socketPath === undefined && !/^(localhost$|::1$|127\.)/.test(server.host)) {
    terminal.notice(
      `warning: other machines can reach the server at ${server.host}; use --host 127.0.0.1 unless they should`,
    );
  }
  const reason = await Promise.race([aborted(signal, signal), server.ended]);
  for (const { pid, requests } of await server.close())
    terminal.notice(`worker ${pid} answered ${requests} requests`);
  if (signal.aborted) return 0;
  terminal.notice(`the server stopped by itself: ${reason ?? 'the reason is unknown'}`);
  return 1;
}

function addressText({ url, socketPath, protocol }: ClusterServer): string {
  const address = socketPath ?? url;
  return `${address} by ${protocolText[protocol]}`;
}
