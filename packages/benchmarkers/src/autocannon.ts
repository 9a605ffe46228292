import { createRequire } from 'node:module';
import type { Availability, Benchmarker } from './benchmarker.ts';
import { defineBenchmarker } from './define-benchmarker.ts';

export interface AutocannonOptions {
  /**
   * The Node.js that runs autocannon. To compare runtimes, use the same one for all of them. Default: the one that runs
   * this process.
   */
  readonly node?: string | undefined;
}

/** autocannon, which this package contains, so it is always available. It runs in a separate process. */
export const autocannon: Benchmarker = createAutocannon();

export function createAutocannon({ node = process.execPath }: AutocannonOptions = {}): Benchmarker {
  return defineBenchmarker({
    name: 'autocannon',
    protocols: ['http', 'https'],
    supports: ['method', 'body', 'timeoutSeconds'],
    closedLoop: true,
    tool: { locate: () => locate(node) },
    async argumentsFor({ amount, connections, method, headers, body, timeoutSeconds, url }, files) {
      const seconds = amount.kind === 'time' ? amount.seconds : 0;
      return [
        ...['-j', '-n', '-c', String(connections), '-d', String(seconds)],
        ...['-L', String(sampleMs(seconds)), '-m', method],
        ...(timeoutSeconds === undefined ? [] : ['-t', String(timeoutSeconds)]),
        ...Object.entries(headers).flatMap(([name, value]) => ['-H', unbracketed(`${name}=${value}`, ' ')]),
        // autocannon would parse an argument that is a number or is in brackets.
        ...(body === undefined ? [] : ['-i', await files.write('body', body)]),
        url.replace(/\]$/, '%5D'),
      ];
    },
    async parse({ stdout }) {
      const { reportOf } = await import('./autocannon-result.ts');
      return reportOf(stdout);
    },
  });
}

async function locate(node: string): Promise<Availability> {
  const require = createRequire(import.meta.url);
  const { version }: { readonly version: string } = require('#autocannon/package.json');
  return { available: true, command: [node, require.resolve('#autocannon')], version };
}

/** autocannon stops only at the end of a sample: samples of at most a second that add up to the duration. */
function sampleMs(seconds: number): number {
  return Math.max(1, Math.floor((seconds * 1000) / Math.ceil(seconds)));
}

/** autocannon treats a closing bracket at the end of an argument as the end of a list of arguments. */
function unbracketed(argument: string, filler: string): string {
  return argument.endsWith(']') ? argument + filler : argument;
}
