import { type Command, Option } from 'commander';
import type { LoadFlags } from '../load/load.ts';
import { examples, readCount, readDuration, readRate, repeatable } from '../options.ts';
import { processTerminal } from '../terminal.ts';

/** `bench-cli load`: one load of a server that is running. */
export function addLoadCommand(program: Command): void {
  program
    .command('load')
    .summary('load a running HTTP server once, and show its rate and latency')
    .description(
      'Loads a running HTTP server with a load tool, and shows the rate of its successful answers and their latency. ' +
        'With --rate, requests are sent at times that do not depend on the answers, and latencies count from these times, ' +
        'so that a server that stalls cannot hide the requests that had to wait.',
    )
    .argument('<url>', 'where to send the requests')
    .addOption(
      new Option(
        '--rate <n>',
        'requests per second, whatever the answers (default: as many as the connections can send)',
      ).argParser(readRate),
    )
    .addOption(
      new Option('--duration <time>', 'duration of the load: seconds, or 90s, 20m, 2h')
        .argParser(readDuration)
        .default(10_000, '10s'),
    )
    .addOption(
      new Option('--warm-up <time>', 'duration of the same load before it (default: none)').argParser(
        readDuration,
      ),
    )
    .option('--connections <n>', 'number of open connections', readCount, 100)
    .option('--method <method>', 'HTTP method (default: GET, or POST with a body)')
    .option('--body <text>', 'body of the requests')
    .addOption(repeatable('--header <name: value>', 'header of the requests (can be repeated)'))
    .option('--benchmarker <name>', 'load tool (default: oha with --rate, else the best that is installed)')
    .addOption(new Option('--format <format>', 'output format').choices(['text', 'json']).default('text'))
    .addHelpText(
      'after',
      examples([
        ['load http://127.0.0.1:3030/', 'as many requests as 100 connections can send'],
        ['load --rate 2000 --duration 30s http://127.0.0.1:3030/', '2000 requests per second'],
        [
          'load --warm-up 3s --header "accept: text/html" --format json http://127.0.0.1:3030/',
          'all figures',
        ],
      ]),
    )
    .action(async (url: string, flags: LoadFlags) => {
      const { showLoad } = await import('../load/load.ts');
      process.exitCode = await showLoad(url, flags, processTerminal());
    });
}
