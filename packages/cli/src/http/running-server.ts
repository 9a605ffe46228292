import { aborted } from 'node:util';
import { serverOptionsOf, startClusterServer } from '@bench-cli/cluster-server';
import { counted } from '@bench-cli/results';
import type { CommandSettings } from '@bench-cli/results/settings';
import { interruptionSignal } from '../session/interruption.ts';
import type { Terminal } from '../terminal.ts';
import { protocolText } from './protocol-text.ts';

/** @returns the exit code: 0 after an interruption, 1 if the server stopped by itself */
export async function serve(flags: CommandSettings<'http server'>, terminal: Terminal): Promise<number> {
  const signal = interruptionSignal(terminal);
  const options = serverOptionsOf(flags, terminal.io.env);
  const server = await startClusterServer(options, {
    onWorkerDeath: ({ pid, cause, replacedBy }) =>
      terminal.notice(`warning: worker ${pid} died (${cause}); worker ${replacedBy} replaced it`),
  });
  const address = `${server.socketPath ?? server.url} by ${protocolText[server.protocol]}`;
  const workers = counted(options.workers, 'worker');
  terminal.result(`ready: ${address} (${workers}, ${options.delayMs} ms delay)\n`);
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
