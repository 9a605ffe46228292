import type { Command } from 'commander';
import { requireNode } from '../node-version.ts';
import { examples } from '../options.ts';
import { processTerminal } from '../terminal.ts';

/** Options as they are typed; the cluster-server package validates them together with the environment. */
export interface ServerFlags {
  readonly port?: string;
  readonly host?: string;
  readonly socket?: string;
  readonly timeout?: string;
  readonly workers?: string;
  readonly protocol?: 'http' | 'https' | 'http2';
}

/** `bench-cli cluster-server`: what undici's benchmarks/server.js does. */
export function addClusterServerCommand(program: Command): void {
  program
    .command('cluster-server')
    .summary('serve 64 KiB answers from a cluster of workers, to test clients against')
    .description(
      'Answers every request with 64 KiB after a delay, from a cluster of workers, until it is interrupted. It listens ' +
        'on the loopback interface unless HOST or --host says otherwise. Each option may come from the environment.',
    )
    .option('--port <port>', 'port to listen on, 0 for a free one; variable PORT (default: 3030)')
    .option('--host <address>', 'address to listen on; variable HOST (default: 127.0.0.1)')
    .option('--socket <path>', 'Unix socket to listen on instead of a port; variable SOCKET')
    .option('--timeout <ms>', 'delay of each answer; variable TIMEOUT (default: 1)')
    .option('--workers <n>', 'processes that answer; variable WORKERS (default: one for each CPU)')
    .option('--protocol <http|https|http2>', 'what is spoken; variable PROTOCOL (default: http)')
    .addHelpText(
      'after',
      examples([
        ['cluster-server --port 0', 'on a free port, which it names'],
        ['cluster-server --port 0 --protocol http2 --timeout 5', 'HTTP/2, a little slower'],
        ['cluster-server --socket ./bench.sock', 'on a Unix socket'],
      ]),
    )
    .action(async (flags: ServerFlags) => {
      requireNode('cluster-server', '22.21');
      const { serve } = await import('../clients/serve.ts');
      process.exitCode = await serve(flags, processTerminal());
    });
}
