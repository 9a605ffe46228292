import type { Command } from 'commander';
import type { ServerFlags } from '../clients/server.ts';
import { examples, requireNode } from '../options.ts';
import { processTerminal } from '../terminal.ts';

/** `bench-cli cluster-server`: undici's benchmarks/server.js. */
export function addClusterServerCommand(program: Command): void {
  const command = program
    .command('cluster-server')
    .summary('run a test server for HTTP clients that answers with 64 KiB')
    .description(
      'Answers every request with 64 KiB after a delay, from a cluster of workers, until it is interrupted. It listens ' +
        'on the loopback interface unless HOST or --host names another address. The environment variables set the defaults.',
    )
    .option('--port <port>', 'port to listen on, 0 for a free one; variable PORT (default: 3030)')
    .option('--host <address>', 'address to listen on; variable HOST (default: 127.0.0.1)')
    .option('--socket <path>', 'Unix socket to listen on instead of a port; variable SOCKET')
    .option('--timeout <ms>', 'delay of each answer; variable TIMEOUT (default: 1)')
    .option('--workers <n>', 'number of processes; variable WORKERS (default: one per CPU)')
    .option('--protocol <http|https|http2>', 'protocol; variable PROTOCOL (default: http)')
    .addHelpText(
      'after',
      examples([
        ['cluster-server --port 0', 'on a free port, which it prints'],
        ['cluster-server --port 0 --protocol http2 --timeout 5', 'HTTP/2, with a longer delay'],
        ['cluster-server --socket ./bench.sock', 'on a Unix socket'],
      ]),
    )
    .action(async (flags: ServerFlags) => {
      requireNode(command, '22.21');
      const { serve } = await import('../clients/server.ts');
      process.exitCode = await serve(flags, processTerminal());
    });
}
