import { type Command, Option } from 'commander';
import type { ClientFlags } from '../clients/session.ts';
import {
  addExecution,
  checkResume,
  clientFormats,
  examples,
  readDuration,
  readPercent,
  requireNode,
  setOption,
} from '../options.ts';
import { processTerminal } from '../terminal.ts';

/** The flags in place of environment variables, with what they are. */
const variableFlags = [
  [
    'SAMPLES',
    '--samples <n|auto>',
    'samples per client at most; auto: until all pairs of clients are decided (default: 1)',
  ],
  ['PORT', '--port <port>', 'port of a running server (default: 3030)'],
  ['HOST', '--host <address>', 'host of a running server (default: 127.0.0.1)'],
  ['SOCKET', '--socket <path>', 'Unix socket of a running server instead of a port'],
  ['PROTOCOL', '--protocol <http|https|http2>', 'protocol (default: http)'],
  ['METHOD', '--method <GET|POST>', 'HTTP method; POST sends 128 KiB (default: GET)'],
  ['CONNECTIONS', '--connections <n>', 'maximum number of connections per client (default: 50)'],
  ['PIPELINING', '--pipelining <n>', 'pipelined requests per connection of undici and fetch (default: 10)'],
  ['PARALLEL', '--parallel <n>', 'requests per sample, sent at once (default: 100)'],
] as const;

interface Flags extends ClientFlags {
  /** In the place of a variable; the runner has another option of this name. */
  readonly samples?: string;
  /** A fraction. */
  readonly margin?: number;
  /** Milliseconds. */
  readonly budget?: number;
}

/** `bench-cli clients`: undici's benchmarks/benchmark.js. */
export function addClientsCommand(program: Command): void {
  const command = program
    .command('clients')
    .summary('compare HTTP clients by the answers that they get per second')
    .description(
      'Measures HTTP clients against a server, each warm and in its own process, in rounds with random order, and checks every ' +
        'answer: a client with a wrong answer is shown as failed. The clients are the subjects of a normal session: with ' +
        '--out, --resume, bench-cli report and bench-cli analyze. The environment variables set the defaults.',
    )
    .argument('[client...]', 'names of clients (default: all that are installed and support the protocol)')
    .option('--serve', 'start a server on a free port, and stop it at the end; variables TIMEOUT, WORKERS');
  for (const [variable, flags, what] of variableFlags) command.option(flags, `${what}; variable ${variable}`);
  addExecution(
    command
      .option(
        '--margin <percent>',
        'the smallest difference that matters; variable ERROR_THRESHOLD (default: 3%)',
        readPercent,
      )
      .option(
        '--budget <time>',
        'with --samples auto: start no run after this time; variable TIME_LIMIT (default: 10m)',
        readDuration,
      )
      .addOption(setOption())
      .option('--config <file>', 'file with your own clients (default: the nearest bench-cli.config.ts)'),
  )
    .addOption(
      new Option('--format <format>', 'output format (default: table on a terminal, csv otherwise)').choices(
        clientFormats,
      ),
    )
    .option('--percentiles', 'add the percentiles of the time per sample to the table')
    .option('--plot <file>', 'write the rates as bars to this file, as SVG or PNG by its extension')
    .addHelpText(
      'after',
      examples([
        [
          'clients --serve "http - keepalive" "undici - request"',
          'check that two clients work: one sample each',
        ],
        [
          'clients --serve --protocol http2 --parallel 10 --format json --out clients.jsonl "native - http2"',
          'over HTTP/2, recorded for bench-cli report; --samples auto decides all pairs',
        ],
        [
          'clients --serve --method POST --percentiles --format table "http - keepalive"',
          'requests with a body of 128 KiB',
        ],
      ]),
    )
    .action(async (names: string[], { margin, budget, samples: _samples, ...flags }: Flags) => {
      requireNode(command, '22.21');
      if (flags.resume !== undefined) checkResume(command, names);
      const { showClients } = await import('../clients/session.ts');
      const options = command.opts<Readonly<Record<string, string | undefined>>>();
      const given = variableFlags.map(([variable]) => [variable, options[variable.toLowerCase()]]);
      const variables = {
        ...process.env,
        ...Object.fromEntries(given.filter(([, value]) => value !== undefined)),
        ...(margin !== undefined && { ERROR_THRESHOLD: String(margin * 100) }),
        ...(budget !== undefined && { TIME_LIMIT: String(Math.ceil(budget / 1000)) }),
      };
      process.exitCode = await showClients(names, variables, flags, processTerminal());
    });
}
