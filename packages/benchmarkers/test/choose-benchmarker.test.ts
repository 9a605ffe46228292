import type { LoadOptions } from '@bench-cli/core';
import { describe, expect, it } from 'vitest';
import { type Availability, type Benchmarker, builtInBenchmarkers, chooseBenchmarker, loadServer } from '../src/index.ts';

describe('chooseBenchmarker', () => {
  it.each([
    ['http', 'wrk'],
    ['https', 'wrk'],
    ['http2', 'h2load'],
    [undefined, 'wrk'],
  ] as const)('prefers for %s %s', async (protocol, name) => {
    expect(await chooseBenchmarker({ protocol, registered: withoutOnly() })).toMatchObject({ name });
  });

  it.each(['http', 'https'] as const)(
    'takes autocannon for %s where wrk is not installed',
    async (protocol) => {
      expect(await chooseBenchmarker({ protocol, registered: withoutOnly('wrk') })).toMatchObject({
        name: 'autocannon',
      });
    },
  );

  it('says how to get what is missing', async () => {
    await expect(chooseBenchmarker({ protocol: 'http2', registered: withoutOnly('h2load') })).rejects.toThrow(
      'no benchmarker for http2 is available:\n  h2load is not installed',
    );
    await expect(chooseBenchmarker({ name: 'wrk', registered: withoutOnly('wrk') })).rejects.toThrow(
      'wrk is not installed',
    );
  });

  it('lets a name pick', async () => {
    const choice = { name: 'autocannon', protocol: 'https', registered: withoutOnly() } as const;
    expect(await chooseBenchmarker(choice)).toMatchObject({ name: 'autocannon' });
  });

  it('lists the known names for one that it does not know', async () => {
    await expect(chooseBenchmarker({ name: 'ab' })).rejects.toThrow(
      'there is no benchmarker ab; there are wrk, autocannon, h2load, test-double-http, test-double-https, test-double-http2',
    );
  });

  it('names those that speak a protocol for one that does not', async () => {
    await expect(chooseBenchmarker({ name: 'wrk', protocol: 'http2' })).rejects.toThrow(
      'wrk does not speak http2; those that do: h2load, test-double-http2',
    );
  });

  it("takes a user's benchmarker by its name, and by itself where it comes first", async () => {
    const oha = stub({ name: 'oha', protocols: ['http'] });
    expect(await chooseBenchmarker({ name: 'oha', registered: [...withoutOnly(), oha] })).toBe(oha);
    expect(await chooseBenchmarker({ registered: [oha, ...withoutOnly()] })).toBe(oha);
  });
});

describe('loadServer', () => {
  it('asks the chosen benchmarker for what it was asked for itself', async () => {
    const calls: LoadOptions[] = [];
    const only = stub({ name: 'only', protocols: ['http', 'https'], calls });
    await loadServer({ port: 1, path: '/a' }, { registered: [only] });
    await loadServer({ port: 1, scheme: 'https' }, { registered: [only] });
    expect(calls).toEqual([
      { port: 1, path: '/a' },
      { port: 1, scheme: 'https', protocol: 'https' },
    ]);
  });

  it('says which benchmarkers honour an option that the named one cannot', async () => {
    await expect(
      loadServer({ port: 1, benchmarker: 'autocannon', threads: 2, maxConcurrentStreams: 10 }),
    ).rejects.toThrow(
      'autocannon cannot honour threads (wrk, h2load can), maxConcurrentStreams (h2load can)',
    );
  });

  it.each<[options: object, message: string]>([
    [{ port: 0 }, 'port: '],
    [{ path: 'x' }, 'path: must begin with /'],
    [{ path: '/a b' }, 'path: must begin with / and hold neither spaces'],
    [{ connections: 0 }, 'connections: '],
    [{ durationSeconds: -1 }, 'durationSeconds: '],
    [{ protocol: 'http3' }, 'autocannon does not speak http3; those that do: none'],
    [{ protocol: 'http', scheme: 'https' }, 'protocol http and scheme https contradict each other'],
    [{ headers: { 'a b': '1' } }, 'headers: '],
    [{ headers: { a: '1\r\nb: 2' } }, 'headers: '],
    [{ method: 'GET /x' }, 'method: must be a word'],
    [{ cpuSet: '1; rm -rf /' }, 'cpuSet: must name CPUs as taskset does'],
    [{ cpuSet: '3-1' }, 'cpuSet: must name CPUs as taskset does'],
    [{ conections: 3 }, 'conections'],
    [{ benchmarker: 'h2load', clients: 3, connections: 3 }, 'connections and clients are the same'],
    [{ benchmarker: 'h2load', rate: 3 }, 'rate is possible only for a number of requests'],
  ])('refuses %j', async (options, message) => {
    const registered = [stub({ name: 'never', protocols: ['http'] }), ...builtInBenchmarkers];
    const benchmarker = 'benchmarker' in options ? {} : { benchmarker: 'autocannon' };
    const run = loadServer({ port: 12346, ...benchmarker, ...options }, { registered });
    await expect(run).rejects.toThrow(message);
  });
});

/** The built-in ones, whose tools are there, but for those named. */
function withoutOnly(...names: readonly string[]): readonly Benchmarker[] {
  return builtInBenchmarkers.map((benchmarker) => ({
    ...benchmarker,
    available: async (): Promise<Availability> =>
      names.includes(benchmarker.name)
        ? { available: false, reason: 'missing', message: `${benchmarker.name} is not installed` }
        : { available: true, command: ['/bin/true'], version: '9.9.9' },
  }));
}

function stub({
  calls,
  ...rest
}: Pick<Benchmarker, 'name' | 'protocols'> & { calls?: LoadOptions[] }): Benchmarker {
  return {
    ...rest,
    supports: [],
    byNameOnly: false,
    available: async () => ({ available: true, command: ['/bin/true'], version: '1.0.0' }),
    async run(options) {
      calls?.push(options);
      return {} as Awaited<ReturnType<Benchmarker['run']>>;
    },
  };
}
