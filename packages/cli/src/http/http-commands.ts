import type { CommandDefinition } from '../commands/command-definition.ts';
import { requireNode } from '../options.ts';

export const httpLoadCommand: CommandDefinition<'http load'> = {
  name: 'http load',
  summary: 'load a running HTTP server once, and show its rate and latency',
  description:
    'Loads a running HTTP server with a load tool, and shows the rate of its successful answers and their latency. With --rate, ' +
    'requests are sent at times that do not depend on the answers, and latencies count from these times, so that a server that ' +
    'stalls cannot hide the requests that had to wait.',
  operands: ['<url>', 'where to send the requests'],
  examples: {
    'http load http://127.0.0.1:3030/': 'as many requests as 100 connections can send',
    'http load --rate 2000 --duration 30s http://127.0.0.1:3030/': '2000 requests per second',
    'http load --warmup 3s --format json http://127.0.0.1:3030/': 'all figures',
  },
  run: async ([url = ''], options, { terminal }) => {
    const { showLoad } = await import('./load-output.ts');
    return showLoad(url, options, terminal);
  },
};

/** `bench-cli http server`: undici's benchmarks/server.js. */
export const httpServerCommand: CommandDefinition<'http server'> = {
  name: 'http server',
  summary: 'run a test server for HTTP clients that answers with 64 KiB',
  description:
    'Answers every request with 64 KiB after a delay, from a cluster of workers, until it is interrupted. It listens on the ' +
    'loopback interface unless HOST or --host names another address. The environment variables set the defaults.',
  examples: {
    'http server --port 0': 'on a free port, which it prints',
    'http server --port 0 --protocol http2 --delay 5ms': 'HTTP/2, with a longer delay',
    'http server --socket ./bench.sock': 'on a Unix socket',
  },
  run: async (_, options, { command, terminal }) => {
    requireNode(command, '22.21');
    const { serve } = await import('./running-server.ts');
    return serve(options, terminal);
  },
};

/** `bench-cli http clients`: undici's benchmarks/benchmark.js. */
export const httpClientsCommand: CommandDefinition<'http clients'> = {
  name: 'http clients',
  summary: 'compare HTTP clients by the answers that they get per second',
  description:
    'Measures HTTP clients against a server, each warm and in its own process, in rounds with random order, and checks every ' +
    'answer: a client with a wrong answer has no rank. The environment variables in parentheses set the defaults.',
  operands: ['[client...]', 'names of clients (default: all that are installed and support the protocol)'],
  examples: {
    'http clients "http - keepalive" "undici - request"': 'check that two clients work: one sample each',
    'http clients --samples 2 --out clients.jsonl fetch "undici - request"':
      'recorded for analyze; --samples auto decides all pairs',
    'http clients --protocol http2 --parallel 10 "native - http2"': 'over HTTP/2',
    'http clients --method POST "http - keepalive"': 'with a body of 128 KiB',
  },
  run: async (names, options, { command, terminal, argv }) => {
    requireNode(command, '22.21');
    const { showClients } = await import('./client-output.ts');
    return showClients(names, options, terminal, argv);
  },
};
