import { createRequire } from 'node:module';
import type { Availability, Benchmarker } from './benchmarker.ts';
import { defineBenchmarker } from './define-benchmarker.ts';

export interface AutocannonOptions {
  /**
   * The Node.js that runs autocannon. Runtimes can be compared only if that is the same for all of them. Default: the
   * one that runs this process.
   */
  readonly node?: string | undefined;
}

/** autocannon, a dependency of this package: it is always there. It runs in a process of its own. */
export const autocannon: Benchmarker = createAutocannon();

export function createAutocannon({ node = process.execPath }: AutocannonOptions = {}): Benchmarker {
  return defineBenchmarker({
    name: 'autocannon',
    protocols: ['http', 'https'],
    supports: ['method', 'body', 'timeoutSeconds'],
    tool: { locate: () => locate(node) },
    async argumentsFor({ amount, connections, method, headers, body, timeoutSeconds, url }, files) {
      const seconds = amount.kind === 'time' ? amount.seconds : 0;
      return [
        ...['-j', '-n', '-c', String(connections), '-d', String(seconds)],
        ...['-L', String(sampleMs(seconds)), '-m', method],
        ...(timeoutSeconds === undefined ? [] : ['-t', String(timeoutSeconds)]),
        ...Object.entries(headers).flatMap(([name, value]) => ['-H', unbracketed(`${name}=${value}`, ' ')]),
        // In an argument, a body in brackets or of digits would be read as something else.
        ...(body === undefined ? [] : ['-i', await files.write('body', body)]),
        url.replace(/\]$/, '%5D'),
      ];
    },
    async parse({ stdout }) {
      const { reportOf } = await import('./autocannon-result.ts');
      return reportOf(stdout);
    },
    // autocannon takes for answers what the parser of Node.js refuses: lengths that are no numbers, headers without a
    // colon, statuses of four digits. What else may be wrong it finds out itself, and counts.
    async verify(request, when, signal) {
      if (when === 'before') return undefined;
      const { requestOnce } = await import('./request-once.ts');
      const problem = await requestOnce({ ...request, timeoutSeconds: undefined }, signal);
      return problem?.startsWith('Parse Error')
        ? `the server's answer is no HTTP (${problem}), which autocannon lets pass; mend the server`
        : undefined;
    },
  });
}

async function locate(node: string): Promise<Availability> {
  const require = createRequire(import.meta.url);
  const { version }: { readonly version: string } = require('#autocannon/package.json');
  return { available: true, command: [node, require.resolve('#autocannon')], version };
}

/** autocannon ends at the end of a sample: samples of at most a second that fill the duration exactly. */
function sampleMs(seconds: number): number {
  return Math.max(1, Math.floor((seconds * 1000) / Math.ceil(seconds)));
}

/** autocannon takes a closing bracket at the end of an argument for the end of a list of arguments. */
function unbracketed(argument: string, filler: string): string {
  return argument.endsWith(']') ? argument + filler : argument;
}
