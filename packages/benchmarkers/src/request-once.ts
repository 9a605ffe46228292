import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LoadError } from './load-error.ts';
import type { LoadRequest } from './load-request.ts';
import { runTool } from './tool-process.ts';

/** A program of this package that makes one request, in a separate process, and checks the answer. */
export const onceProgram = [
  process.execPath,
  fileURLToPath(new URL(`./request-once-process${extname(import.meta.url)}`, import.meta.url)),
] as const;

export function onceArguments(request: LoadRequest): readonly string[] {
  const { protocol, url, method, headers, body, timeoutSeconds } = request;
  return [JSON.stringify({ protocol, url, method, headers, body, timeoutSeconds })];
}

/**
 * Makes one request in a separate process.
 * @returns why there was no complete answer; undefined if there was one, with any status
 * @throws the reason of the signal if that aborts
 */
export async function requestOnce(
  request: LoadRequest,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  try {
    await runTool({
      benchmarker: 'a single request',
      command: [...onceProgram, ...onceArguments(request)],
      cpuSet: request.cpuSet,
      limitSeconds: 60,
      signal,
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof LoadError)) throw error;
    return error.output;
  }
}
