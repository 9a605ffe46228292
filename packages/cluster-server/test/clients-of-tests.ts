import { fileURLToPath } from 'node:url';
import { type ClientComparison, type ComparisonOptions, compareClients } from '../src/index.ts';

/** The directory of the package, in which the compared libraries are installed. */
export const directory: string = fileURLToPath(new URL('..', import.meta.url));

export const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

/** Compares clients with as few samples as possible. */
export async function compareQuickly(
  server: Parameters<typeof compareClients>[0]['server'],
  request: {
    readonly clients?: readonly string[];
    readonly config?: string;
    readonly directory?: string;
    readonly options?: ComparisonOptions;
  } = {},
): Promise<ClientComparison> {
  return compareClients({
    server,
    directory,
    ...request,
    options: { samples: 1, parallel: 4, connections: 2, pipelining: 1, ...request.options },
  });
}
