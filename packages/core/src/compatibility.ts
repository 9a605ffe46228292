import { BenchmarkError, createBenchmark, PORT } from '@bench-cli/core';
import { formatResult } from './output.ts';
import type { AnyConfiguration } from './parameters.ts';

/**
 * What a benchmark of Node core gets from its `../common.js`: with `require('@bench-cli/core/common')` in its place a
 * file needs no Node core around it. Names and behaviour are those of Node core; the texts to parse are others, so rates
 * of benchmarks that use them compare with those of this package only. For Node.js 22.12 and later, which can require
 * a module.
 *
 * New benchmarks import `@bench-cli/core`, which has types for configurations.
 */
export { createBenchmark, PORT };

/** Loads as the script does. Modules are fetched when they are needed: each import would cost every run. */
function load(name: string): unknown {
  return process.getBuiltinModule('node:module').createRequire(process.argv[1] ?? import.meta.url)(name);
}

/** Query strings of several kinds. */
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

/** URLs of several kinds. */
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

/** The kinds of data that `bakeUrlData` makes. */
export const urlDataTypes: readonly string[] = [...Object.keys(urls), 'wpt'];

/**
 * Makes URLs to parse.
 * @param type a name in `urls`, or `wpt` for those of the Web Platform Tests, which must lie where a checkout of Node.js
 *   has them, above the script
 * @param exponent doubles the data so many times
 * @param withBase gives pairs of a URL and its base
 * @param asUrl gives URL objects
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
    throw new BenchmarkError(`there is no URL data of the type ${type}; there is ${urlDataTypes.join(', ')}`);
  }
  return Array.from({ length: 200 }, () => [url, withBase ? 'about:blank' : undefined]);
}

/** Without bases it is the bases that are URLs by themselves. */
function testedUrls(withBase: boolean): UrlAndBase[] {
  const tests: unknown = load(findWebPlatformTests());
  if (!Array.isArray(tests)) throw new BenchmarkError('the Web Platform Tests are no list');
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
  throw new BenchmarkError(
    `there is no ${webPlatformTests} above ${script}; leave the type wpt out, or take the file from a checkout of Node.js`,
  );
}

/** An internal binding of Node.js, for benchmarks with the flag `--expose-internals`; else one that is public. */
export function binding(name: string): unknown {
  try {
    return Object(load('internal/test/binding')).internalBinding(name);
  } catch {
    return Reflect.apply(Reflect.get(process, 'binding'), process, [name]);
  }
}

/** The directory that addons are built into. */
export const buildType: 'Debug' | 'Release' = Reflect.get(process.features, 'debug') ? 'Debug' : 'Release';

/** Hands on a result that another process reported: to whoever started this one, or to the terminal. */
export function sendResult(result: {
  readonly type: 'report';
  readonly name: string;
  readonly conf: AnyConfiguration;
  readonly rate: number;
  readonly time: string;
}): void {
  if (process.send) process.send(result);
  else process.stdout.write(`${formatResult(result)}\n`);
}
