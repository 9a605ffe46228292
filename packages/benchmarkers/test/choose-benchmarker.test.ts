import {
  type Availability,
  type Benchmarker,
  builtInBenchmarkers,
  chooseBenchmarker,
  loadServer,
} from '@bench-cli/benchmarkers';
import type { LoadOptions } from '@bench-cli/core';
import { describe, expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';

describe('chooseBenchmarker', () => {
  it.each<[choice: Parameters<typeof chooseBenchmarker>[0], missing: readonly string[], name: string]>([
    [{ protocol: 'http' }, [], 'wrk'],
    [{ protocol: 'https' }, [], 'wrk'],
    [{ protocol: 'http2' }, [], 'h2load'],
    [{}, [], 'wrk'],
    [{ protocol: 'http' }, ['wrk', 'h2load', 'oha'], 'autocannon'],
    [{ protocol: 'https' }, ['wrk', 'h2load', 'oha'], 'autocannon'],
    [{ protocol: 'http2' }, ['wrk', 'h2load', 'oha'], 'open-loop'],
    [{ name: 'autocannon', protocol: 'https' }, [], 'autocannon'],
  ])('chooses for %j, without the tools %j, %s', async (choice, missing, name) => {
    expect(await chooseBenchmarker({ ...choice, registered: without(...missing) })).toMatchObject({ name });
  });

  it('fails if the named load tool is not installed, and says why', async () => {
    const choice = { name: 'h2load', registered: without('h2load') };
    const missing = errorWith('LOAD_UNAVAILABLE', /^h2load is not installed$/);
    await expect(chooseBenchmarker(choice)).rejects.toThrow(missing);
  });

  it('lists the known benchmarkers for an unknown name', async () => {
    const known = builtInBenchmarkers.map(({ name }) => name).join(', ');
    const unknown = errorWith('LOAD_UNKNOWN_BENCHMARKER', new RegExp(`"ab".*: ${known}$`));
    await expect(chooseBenchmarker({ name: 'ab' })).rejects.toThrow(unknown);
  });

  it('lists the benchmarkers that support the protocol if the named one does not', async () => {
    const others = errorWith('LOAD_UNSUPPORTED', /wrk .*http2.*: h2load, open-loop, test-double-http2$/);
    await expect(chooseBenchmarker({ name: 'wrk', protocol: 'http2' })).rejects.toThrow(others);
  });

  it('uses a registered benchmarker by its name, or without a name if it is the first', async () => {
    const oha = stub({ name: 'oha', protocols: ['http'] });
    expect(await chooseBenchmarker({ name: 'oha', registered: [...without(), oha] })).toBe(oha);
    expect(await chooseBenchmarker({ registered: [oha, ...without()] })).toBe(oha);
  });
});

describe('loadServer', () => {
  it('passes its options to the chosen benchmarker', async () => {
    const calls: LoadOptions[] = [];
    const only = stub({ name: 'only', protocols: ['http', 'https'], calls });
    await loadServer({ port: 1, path: '/a' }, { registered: [only] });
    await loadServer({ port: 1, scheme: 'https' }, { registered: [only] });
    const plain = { port: 1, path: '/a', protocol: 'http' };
    expect(calls).toEqual([plain, { port: 1, scheme: 'https', protocol: 'https' }]);
  });

  it('lists the benchmarkers that support an option if the named one does not', async () => {
    const load = { port: 1, benchmarker: 'autocannon', threads: 2, maxConcurrentStreams: 10 };
    const others = /autocannon .*threads \(.*: wrk, h2load\), maxConcurrentStreams \(.*: h2load\)/;
    await expect(loadServer(load)).rejects.toThrow(errorWith('LOAD_UNSUPPORTED', others));
  });

  it.each<[options: object, named: RegExp]>([
    [{ port: 0 }, /port: /],
    [{ port: undefined }, /port .*socketPath/],
    [{ path: 'x' }, /path: /],
    [{ path: '/a b' }, /path: /],
    [{ connections: 0 }, /connections: /],
    [{ benchmarker: 'open-loop', arrivalRate: 2e7 }, /arrivalRate: /],
    [{ durationSeconds: -1 }, /durationSeconds: /],
    [{ protocol: 'http', scheme: 'https' }, /protocol http .*scheme https /],
    [{ headers: { 'a b': '1' } }, /headers: .*"a b"/],
    [{ headers: { a: '1\r\nb: 2' } }, /headers: .*"a"/],
    [{ method: 'GET /x' }, /method: /],
    [{ cpuSet: '1; rm -rf /' }, /cpuSet: /],
    [{ cpuSet: '3-1' }, /cpuSet: /],
    [{ timeoutSeconds: 86_401 }, /timeoutSeconds: /],
    [{ mix: [] }, /mix: /],
    [{ mix: [{ path: 'a' }] }, /mix\.0\.path: /],
    [{ mix: [{ weight: 0 }] }, /mix\.0\.weight: /],
    [{ mix: [{}, { headers: { 'a b': 'c' } }] }, /headers: .*"a b"/],
    [{ expectStatus: 99 }, /expectStatus: /],
    [{ conections: 3 }, /"conections"/],
    [{ benchmarker: 'h2load', clients: 3, connections: 3 }, /connections .*clients /],
    [{ benchmarker: 'h2load', rate: 3 }, /rate .*requests/],
  ])('rejects the invalid options %j, and names them', async (options, named) => {
    const load = { port: 12346, benchmarker: 'autocannon', ...options };
    const refused = errorWith('LOAD_OPTION', named);
    await expect(loadServer(load, { registered: without() })).rejects.toThrow(refused);
  });
});

it.runIf(process.platform === 'linux')('rejects a CPU that the machine does not have', async () => {
  const load = { port: 12346, benchmarker: 'autocannon', cpuSet: '0,9999' };
  await expect(loadServer(load)).rejects.toThrow(errorWith('LOAD_OPTION', 'no CPU 9999'));
});

/** The built-in benchmarkers as if all load tools were installed, except the given ones. */
function without(...names: readonly string[]): readonly Benchmarker[] {
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
