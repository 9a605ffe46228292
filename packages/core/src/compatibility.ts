import { BenchmarkError, createBenchmark, PORT } from '@bench-cli/core';
import { formatResult } from './output.ts';
import type { ReportMessage } from './protocol.ts';

/**
 * Replaces Node core's `benchmark/common.js`: with `require('@bench-cli/core/common')` a benchmark of Node
 * core runs outside of its suite. Names and behaviour are those of Node core. The input texts differ, so
 * rates of benchmarks that parse them are only comparable with each other. Requires Node.js 22.12 or later.
 *
 * New benchmarks should import `@bench-cli/core`, which has types for configurations.
 */
export { createBenchmark, PORT };

/** Requires a module from the script. An import of `node:module` would slow down every run. */
function load(name: string): unknown {
  return process.getBuiltinModule('node:module').createRequire(process.argv[1] ?? import.meta.url)(name);
}

/** Query strings by kind. */
export const searchParams: Readonly<Record<string, string>> = {
  noencode: 'name=value&size=large&colour=green',
  multicharsep: 'name=value&&&&&&&&&&size=large&&&&&&&&&&colour=green',
  encodefake: 'name=%©lue&size=%L©rge&colour=%gr©en',
  encodemany: '%6E%61%6D%65=value&%73%69%7A%65=large&colour=%67r%65en',
  encodelast: 'name=value&size=large&colour=gree%6E',
  multivalue: 'name=value&name=other&name=third&size=large',
  multivaluemany: Array.from({ length: 12 }, (_, index) => `name=value${index}`).join('&'),
  manypairs: Array.from({ length: 26 }, (_, index) => String.fromCharCode(97 + index)).join('&'),
  manyblankpairs: '&'.repeat(24),
  altspaces: 'first+name=value+one&size+class=large+one&colour=green+one',
};

/** URLs by kind. */
export const urls: Readonly<Record<string, string>> = {
  long: `http://example.org:89/${'segment/'.repeat(12)}index.html#part?${searchParams['multivaluemany']}`,
  short: 'https://example.org/en/news/',
  idn: 'http://日本語.テスト',
  auth: 'https://name:secret@example.org/path?search=1',
  file: 'file:///home/name/project/file.js',
  ws: 'ws://localhost:9230/0f36b1d2-3c4d-4e5f-8a9b-0c1d2e3f4a5b',
  javascript: 'javascript:console.log("text");',
  percent: 'https://%E6%97%A5/path',
  dot: 'https://example.com/./one/../two/./three',
};

/** The types of data that `bakeUrlData` can create. */
export const urlDataTypes: readonly string[] = [...Object.keys(urls), 'wpt'];

/**
 * Creates input for URL parsers.
 * @param type a name in `urls`, or `wpt` for the Web Platform Tests, in a checkout of Node.js
 * @param exponent how many times the data is doubled
 * @param withBase returns pairs of a URL and its base
 * @param asUrl returns URL objects
 * @throws BenchmarkError for an unknown type, or without the Web Platform Tests
 */
export function bakeUrlData(
  type: string,
  exponent = 0,
  withBase = false,
  asUrl = false,
): string[] | UrlAndBase[] | URL[] {
  const once = type === 'wpt' ? testedUrls(withBase) : repeated(type, withBase);
  const data = Array.from({ length: 2 ** exponent }, () => once).flat(1);
  if (asUrl) return data.map(([input, base]) => new URL(input, base));
  return withBase ? data : data.map(([input]) => input);
}

type UrlAndBase = readonly [input: string, base: string | undefined];

function repeated(type: string, withBase: boolean): UrlAndBase[] {
  const url = urls[type];
  if (url === undefined) {
    const problem = `unknown type of URL data "${type}": choose one of ${urlDataTypes.join(', ')}`;
    throw new BenchmarkError('ERR_BENCH_URL_DATA', problem);
  }
  return Array.from({ length: 200 }, () => [url, withBase ? 'about:blank' : undefined]);
}

/** Without bases, the bases of the tests are used, because they are absolute URLs. */
function testedUrls(withBase: boolean): UrlAndBase[] {
  const path = findWebPlatformTests();
  const tests: unknown = load(path);
  if (!Array.isArray(tests)) {
    const problem = `${path} is not a list of tests: restore the file from a checkout of Node.js`;
    throw new BenchmarkError('ERR_BENCH_URL_DATA', problem);
  }
  return tests.flatMap((test: unknown): UrlAndBase[] => {
    const { input, base, failure } = Object(test);
    if (failure || typeof input !== 'string' || input === '') return [];
    if (withBase) return [[input, base ?? undefined]];
    return typeof base === 'string' ? [[base, undefined]] : [];
  });
}

const webPlatformTests = 'test/fixtures/wpt/url/resources/urltestdata.json';

function findWebPlatformTests(): string {
  const { existsSync } = process.getBuiltinModule('node:fs');
  const { dirname, join } = process.getBuiltinModule('node:path');
  const script = process.argv[1] ?? '';
  for (let at = script, directory = dirname(at); at !== directory; at = directory, directory = dirname(at)) {
    const path = join(directory, webPlatformTests);
    if (existsSync(path)) return path;
  }
  const problem = `file not found: ${webPlatformTests} in a directory above ${script}; leave the type wpt out, or copy the file from a checkout of Node.js`;
  throw new BenchmarkError('ERR_BENCH_URL_DATA', problem);
}

/** An internal binding of Node.js, if the benchmark has the flag `--expose-internals`; else a public one. */
export function binding(name: string): unknown {
  try {
    return Object(load('internal/test/binding')).internalBinding(name);
  } catch {
    return Reflect.apply(Reflect.get(process, 'binding'), process, [name]);
  }
}

/** The build directory of addons. */
export const buildType: 'Debug' | 'Release' = Reflect.get(process.features, 'debug') ? 'Debug' : 'Release';

/** Forwards the result of another process to the parent of this one, or prints it. */
export function sendResult(result: Pick<ReportMessage, 'type' | 'name' | 'conf' | 'rate' | 'time'>): void {
  if (process.send) process.send(result);
  else process.stdout.write(`${formatResult(result)}\n`);
}
