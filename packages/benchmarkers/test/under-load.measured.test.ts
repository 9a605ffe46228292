import { LoadError, type LoadOptions } from '@bench-cli/benchmarkers';
import { expect, it } from 'vitest';
import { type Exchange, startTestServer, type TestAnswer } from '../src/contract/test-server.ts';
import { autocannon, describeTools, h2load, oha, openLoop, wrk } from './tool.ts';

/** A server that answers a quiet request rightly, and what a load of it must yield. */
interface LoadedServer {
  readonly name: string;
  /** How the server answers its requests, by their number since several came at a time: 0 before that. */
  answers(): (request: Parameters<Exchange>[0], answer: TestAnswer, number: number) => void;
  /** A rate that is true and has the freeze, or none. What the server rightly does may be neither. */
  readonly yields: 'a rate' | 'no rate' | NonNullable<LoadError['habit']>;
  readonly options?: Omit<LoadOptions, 'port'>;
}

/** Milliseconds from a request to its answer, also a wrong one: loads beside each other leave the CPUs idle most of the time. */
const PAUSE_MS = 20;
/** Milliseconds of a freeze. */
const FREEZE_MS = 600;
/** So many answers of the load are right first. The adapter sends its requests before the load one at a time. */
const FIRST = 10;
/** Requests at a time that are a load, those that a server takes, and after which number a connection ends. */
const LIMITS = { load: 3, pending: 5, ofConnection: 5 };
/** With fewer requests, a load says nothing: the checks after other loads keep the process of the servers busy. */
const LEAST = 40;

const later = (answer: TestAnswer, ms = PAUSE_MS) => void setTimeout(() => answer.end('x'), ms);
const redirect = (answer: TestAnswer) => {
  answer.statusCode = 302;
  answer.setHeader('location', '/busy');
  later(answer);
};
const sessionOf = (request: Parameters<Exchange>[0]) =>
  'stream' in request ? request.stream.session : undefined;

/** Answers the requests of one in twenty connections in another way. */
const onOneConnection = (other: (answer: TestAnswer) => void) => () => {
  const numbers = new WeakMap<object, number>();
  let connections = 0;
  return (request: Parameters<Exchange>[0], answer: TestAnswer) => {
    const connection: object = sessionOf(request) ?? request.socket;
    const number = numbers.get(connection) ?? connections++;
    numbers.set(connection, number);
    if (number % 20 === 10) other(answer);
    else later(answer);
  };
};

/** Servers over HTTP/1.1 and HTTP/2. */
const onAll: readonly LoadedServer[] = [
  {
    name: 'redirects the requests beyond a number at a time',
    yields: 'no rate',
    options: { connections: 2 * LIMITS.pending },
    answers() {
      let pending = 0;
      return (_, answer) => {
        if (pending >= LIMITS.pending) return redirect(answer);
        pending++;
        setTimeout(() => {
          pending--;
          answer.end('x');
        }, PAUSE_MS);
      };
    },
  },
  {
    name: 'redirects after a while',
    yields: 'no rate',
    answers: () => (_, answer, number) => (number < FIRST ? later(answer) : redirect(answer)),
  },
  {
    name: 'freezes for a while',
    yields: 'a rate',
    answers() {
      let untilMs = 0;
      return (_, answer, number) => {
        if (number === FIRST) untilMs = performance.now() + FREEZE_MS;
        later(answer, Math.max(PAUSE_MS, untilMs - performance.now()));
      };
    },
  },
  {
    name: 'freezes one of twenty connections for a while',
    yields: 'a rate',
    options: { connections: 20 },
    answers() {
      // Those of the adapter are one at a time, so of many at a time the first is one of the tool.
      let pending = 0;
      let isFrozen = false;
      return (_, answer) => {
        const freezes = ++pending > 10 && !isFrozen;
        isFrozen ||= freezes;
        setTimeout(() => pending--, PAUSE_MS);
        later(answer, freezes ? FREEZE_MS : PAUSE_MS);
      };
    },
  },
  {
    name: 'redirects on one of twenty connections',
    yields: 'no rate',
    options: { connections: 20 },
    answers: onOneConnection(redirect),
  },
  {
    name: 'is silent on one of twenty connections',
    yields: 'no rate',
    options: { connections: 20, timeoutSeconds: 1 },
    answers: onOneConnection(() => {}),
  },
  {
    name: 'answers 103 before 200',
    yields: 'interim answers',
    answers: () => (_, answer) => {
      answer.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' });
      later(answer);
    },
  },
];

const onHttp1: readonly LoadedServer[] = [
  {
    name: 'answers some requests twice',
    yields: 'no rate',
    answers:
      () =>
      ({ socket }, answer, number) => {
        later(answer);
        const surplus = 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx';
        if (number >= FIRST && number % 3 === 0) setTimeout(() => socket.write(surplus), 2 * PAUSE_MS);
      },
  },
  {
    name: 'ends an answer with its connection',
    yields: 'ends with body',
    answers: () => (_, answer) => {
      Object.assign(answer, { useChunkedEncodingByDefault: false, shouldKeepAlive: false });
      answer.setHeader('connection', 'close');
      answer.write('x');
      setTimeout(() => answer.end(), PAUSE_MS);
    },
  },
  {
    name: 'closes each connection after an answer',
    yields: 'closes connections',
    answers: () => (_, answer) => {
      answer.setHeader('connection', 'close');
      later(answer);
    },
  },
];

/** Ends each connection after a number of requests, announced as each protocol does. */
function limiting(): LoadedServer {
  return {
    name: 'ends a connection after a number of requests',
    yields: 'limits connections',
    answers() {
      const counts = new WeakMap<object, number>();
      return (request, answer) => {
        const session = sessionOf(request);
        const connection: object = session ?? request.socket;
        const count = (counts.get(connection) ?? 0) + 1;
        counts.set(connection, count);
        if (count === LIMITS.ofConnection && session === undefined) answer.setHeader('connection', 'close');
        later(answer);
        if (count === LIMITS.ofConnection) session?.close();
      };
    },
  };
}

await describeTools([wrk, autocannon, h2load, oha, openLoop], 'reports', (benchmarker) => {
  for (const protocol of ['http', 'http2'] as const) {
    if (!benchmarker.protocols.includes(protocol)) continue;
    for (const server of [...onAll, ...(protocol === 'http' ? onHttp1 : []), limiting()]) {
      const { name, yields, options = {} } = server;
      const { connections = 4 } = options;
      const cannot = benchmarker.cannotLoad?.[protocol] ?? [];
      const isRefused = yields === 'no rate' || (yields !== 'a rate' && cannot.includes(yields));
      it(`${isRefused ? 'no rate' : 'the true rate'} over ${protocol} if the server ${name}`, async ({
        skip,
      }) => {
        let [sent, pending, ofLoad] = [0, 0, 0];
        const answers = server.answers();
        await using started = await startTestServer(protocol, 'http', undefined, (request, answer) => {
          sent++;
          if (++pending >= LIMITS.load || ofLoad > 0) ofLoad++;
          setTimeout(() => pending--, PAUSE_MS);
          answers(request, answer, ofLoad);
        });
        const load = { port: started.port, protocol, durationSeconds: 2, ...options, connections };
        const outcome = await benchmarker.run(load).catch((error: LoadError) => error);
        if (isRefused) {
          const isBrief = !(outcome instanceof LoadError) && ofLoad < LEAST;
          skip(isBrief, `the load had only ${ofLoad} requests`);
          const habit = yields === 'no rate' ? undefined : yields;
          expect(outcome).toEqual(expect.objectContaining({ name: 'LoadError', habit }));
          return;
        }
        if (outcome instanceof Error) throw outcome;
        const { requests, beside, latency } = outcome;
        // At the end of a load, each connection has a request without an answer.
        const right = sent - (beside?.requests ?? 0) - connections;
        expect(Math.abs(requests / right - 1)).toBeLessThan(0.1);
        // A tool on a busy machine can begin to wait in the middle of the freeze.
        if (yields === 'a rate') expect(latency.maxMs).toBeGreaterThan(0.5 * FREEZE_MS);
      });
    }
  }
});
