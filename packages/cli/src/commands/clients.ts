import { type Command, Option } from 'commander';
import type { ClientFlags } from '../clients/comparison.ts';
import { clientFormats, examples, requireNode } from '../options.ts';
import { processTerminal } from '../terminal.ts';

/** `bench-cli clients`: undici's benchmarks/benchmark.js. */
export function addClientsCommand(program: Command): void {
  const command = program
    .command('clients')
    .summary('compare HTTP clients by the answers that they get per second')
    .description(
      'Measures HTTP clients against a server, each warm and in its own process, in rounds with rotated order, and checks every ' +
        'answer: a client with a wrong answer is shown as failed. Use --samples auto to continue until the tolerances ' +
        'are small enough. The environment variables set the defaults.',
    )
    .argument('[client...]', 'names of clients (default: all that are installed and support the protocol)')
    .option('--serve', 'start a server on a free port, and stop it at the end')
    .option('--port <port>', 'port of the server; variable PORT (default: 3030)')
    .option('--host <address>', 'host of the server; variable HOST (default: 127.0.0.1)')
    .option('--socket <path>', 'Unix socket of the server instead of a port; variable SOCKET')
    .option('--protocol <http|https|http2>', 'protocol; variable PROTOCOL (default: http)')
    .option('--timeout <ms>', 'with --serve: delay of each answer; variable TIMEOUT (default: 1)')
    .option('--workers <n>', 'with --serve: number of processes; variable WORKERS (default: one per CPU)')
    .option('--samples <n|auto>', 'samples per client; variable SAMPLES (default: 1)')
    .option(
      '--error-threshold <percent>',
      'tolerance of all clients at which sampling ends; variable ERROR_THRESHOLD (default: 3)',
    )
    .option(
      '--connections <n>',
      'maximum number of connections per client; variable CONNECTIONS (default: 50)',
    )
    .option(
      '--pipelining <n>',
      'pipelined requests per connection of undici and fetch; variable PIPELINING (default: 10)',
    )
    .option('--parallel <n>', 'requests per sample, sent at once; variable PARALLEL (default: 100)')
    .option(
      '--headers-timeout <ms>',
      "undici's time limit for headers; variable HEADERS_TIMEOUT (default: 0, none)",
    )
    .option('--body-timeout <ms>', "undici's time limit for bodies; variable BODY_TIMEOUT (default: 0, none)")
    .option(
      '--answer-timeout <ms>',
      'time limit for all answers of a sample; variable ANSWER_TIMEOUT (default: 30000)',
    )
    .option(
      '--time-limit <seconds>',
      'with --samples auto: start no round after this time; variable TIME_LIMIT (default: 600)',
    )
    .option('--method <GET|POST>', 'HTTP method; POST sends 128 KiB; variable METHOD (default: GET)')
    .option('--config <file>', 'file with your own clients (default: the nearest bench-cli.config.ts)')
    .addOption(
      new Option('--format <format>', 'output format (default: table on a terminal, csv otherwise)').choices(
        clientFormats,
      ),
    )
    .option('--percentiles', 'add the p50 and p99 of the latency to the table')
    .option('--chart', 'show the rates as bars below the table')
    .option('--plot <file>', 'write the rates as bars to this file, as SVG or PNG by its extension')
    .option('--no-progress', 'hide the progress line')
    .addHelpText(
      'after',
      examples([
        [
          'clients --serve "http - keepalive" "undici - request"',
          'check that two clients work: one sample each',
        ],
        [
          'clients --serve --samples auto --error-threshold 50 --parallel 10 --format table "undici - request"',
          'until the tolerances are below 50 %',
        ],
        [
          'clients --serve --protocol http2 --samples 3 --parallel 10 --format markdown "native - http2" "undici - fetch"',
          'over HTTP/2',
        ],
        [
          'clients --serve --method POST --percentiles --format table "http - keepalive"',
          'requests with a body of 128 KiB',
        ],
        [
          'clients --serve --protocol https --samples 3 --parallel 10 --plot clients.svg "https - keepalive" "undici - request"',
          'over TLS, with a picture',
        ],
      ]),
    )
    .action(async (names: string[], flags: ClientFlags) => {
      requireNode(command, '22.21');
      const { showClients } = await import('../clients/comparison.ts');
      process.exitCode = await showClients(names, flags, processTerminal());
    });
}
