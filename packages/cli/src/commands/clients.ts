import { type Command, Option } from 'commander';
import { requireNode } from '../node-version.ts';
import { examples } from '../options.ts';
import { processTerminal } from '../terminal.ts';
import type { ServerFlags } from './cluster-server.ts';

/** Options as they are typed; the cluster-server package validates them together with the environment. */
export interface ClientFlags extends ServerFlags {
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
  readonly method?: 'GET' | 'POST';
  readonly config?: string;
  readonly format?: 'table' | 'markdown' | 'csv' | 'json';
  readonly percentiles?: boolean;
  readonly chart?: boolean;
  readonly plot?: string;
  readonly progress: boolean;
}

/** `bench-cli clients`: what undici's benchmarks/benchmark.js does. */
export function addClientsCommand(program: Command): void {
  program
    .command('clients')
    .summary('compare HTTP clients: which gets the most answers a second')
    .description(
      'Measures HTTP clients against a server, each in a process of its own, in rounds with rotated order, and checks ' +
        'every answer: a client that gives a wrong one is shown as failed. --samples auto goes on until the tolerances ' +
        'are small enough, and is what to use. Options that name a variable may come from the environment.',
    )
    .argument('[client...]', 'names of clients (default: all that are installed and speak the protocol)')
    .option('--serve', 'start a server on a free port, and stop it in the end')
    .option('--port <port>', 'port of the server; variable PORT (default: 3030)')
    .option('--host <address>', 'host of the server; variable HOST (default: 127.0.0.1)')
    .option('--socket <path>', 'Unix socket of the server instead of a port; variable SOCKET')
    .option('--protocol <http|https|http2>', 'what is spoken; variable PROTOCOL (default: http)')
    .option('--timeout <ms>', 'with --serve: delay of each answer; variable TIMEOUT (default: 1)')
    .option(
      '--workers <n>',
      'with --serve: processes that answer; variable WORKERS (default: one for each CPU)',
    )
    .option('--samples <n|auto>', 'samples of each client; variable SAMPLES (default: 1)')
    .option(
      '--error-threshold <percent>',
      'with --samples auto: tolerance that is good enough; variable ERROR_THRESHOLD (default: 3)',
    )
    .option('--connections <n>', 'most connections of a client; variable CONNECTIONS (default: 50)')
    .option(
      '--pipelining <n>',
      "undici's requests under way on a connection; variable PIPELINING (default: 10)",
    )
    .option('--parallel <n>', 'requests of a sample, sent at once; variable PARALLEL (default: 100)')
    .option(
      '--headers-timeout <ms>',
      "undici's limit for headers; variable HEADERS_TIMEOUT (default: 0, none)",
    )
    .option('--body-timeout <ms>', "undici's limit for bodies; variable BODY_TIMEOUT (default: 0, none)")
    .option(
      '--answer-timeout <ms>',
      'limit for all answers of a sample; variable ANSWER_TIMEOUT (default: 30000)',
    )
    .option(
      '--time-limit <seconds>',
      'with --samples auto: begin no other round after so long; variable TIME_LIMIT (default: 600)',
    )
    .option('--method <GET|POST>', 'what is sent; a POST sends 128 KiB; variable METHOD (default: GET)')
    .option('--config <file>', 'file with clients of yours (default: the nearest bench-cli.config.ts)')
    .addOption(
      new Option(
        '--format <format>',
        'how results are printed (default: table on a terminal, else csv)',
      ).choices(['table', 'markdown', 'csv', 'json']),
    )
    .option('--percentiles', 'show the p50 and p99 of the latency of samples beside the table')
    .option('--chart', 'show rates as bars below the table')
    .option('--plot <file>', 'write the rates as bars to this file, SVG or PNG by its ending')
    .option('--no-progress', 'show no progress line')
    .addHelpText(
      'after',
      examples([
        [
          'clients --serve "http - keepalive" "undici - request"',
          'two clients, one sample each: does it work?',
        ],
        [
          'clients --serve --samples auto --error-threshold 50 --parallel 10 --format table "undici - request" fetch',
          'until the tolerances are below 50 %',
        ],
        [
          'clients --serve --protocol http2 --samples 3 --parallel 10 --format markdown "native - http2" "undici - fetch"',
          'over HTTP/2',
        ],
        [
          'clients --serve --method POST --percentiles --format table "http - keepalive"',
          'requests with 128 KiB',
        ],
        [
          'clients --serve --protocol https --samples 3 --parallel 10 --plot clients.svg "https - keepalive" "undici - request"',
          'over TLS, with a picture',
        ],
      ]),
    )
    .action(async (names: string[], flags: ClientFlags) => {
      requireNode('clients', '22.21');
      const { showClients } = await import('../clients/client-session.ts');
      process.exitCode = await showClients(names, flags, processTerminal());
    });
}
