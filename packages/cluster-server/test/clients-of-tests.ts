import { fileURLToPath } from 'node:url';
import { type ClientComparison, type ComparisonOptions, compareClients } from '../src/index.ts';

/** The package's own directory: the libraries that it compares are installed there. */
export const directory: string = fileURLToPath(new URL('..', import.meta.url));

export const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

/** What became of each client, in the fewest samples. */
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
